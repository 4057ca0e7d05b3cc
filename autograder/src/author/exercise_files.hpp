// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace course {

/// What may differ outside the student's parts.
enum class Frame {
    equal,
    includes_differ,  ///< a planted answer includes what it needs besides
};

/// What is wrong with a file of an answer: its marks aren't in pairs, or it differs from the stub outside of them. A
/// sentence without the file's name; empty: nothing. A file without marks is the student's as a whole. Pure.
std::string fault_of_frame(const std::string& stub, const std::string& text, Frame frame);

/// What is wrong with the task's page: it is too long, or doesn't say where to edit. Pure.
/// @param folder of the exercise: "08-raw-add"
std::string fault_of_page(const std::string& text, const std::string& folder);

}  // namespace course
