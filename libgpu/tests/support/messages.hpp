// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gpu/error.hpp>

namespace support {

/// The message of the error that `f` must throw; an error of another kind goes on.
template <class Error = gpu::Error, class F>
std::string error_of(F&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace support
