// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace course {

/// What may differ outside the student's parts.
enum class Frame {
    equal,
    includes_differ,  ///< a planted answer may include more
};

/// The fault of an answer's file: its marks aren't in pairs, or it differs from the stub outside them. A sentence
/// without the file's name; empty: none. A file without marks belongs to the student entirely. Pure.
std::string fault_of_frame(const std::string& stub, const std::string& text, Frame frame);

/// The fault of the task's page: it is too long, or doesn't say where to edit. Pure.
/// @param folder of the exercise: "08-raw-add"
std::string fault_of_page(const std::string& text, const std::string& folder);

}  // namespace course
