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

/// True if `f` throws this error, and its message contains the part.
template <class Error = gpu::Error, class F>
bool says(const std::string& part, F&& f) {
    return contains(error_of<Error>(f), part);
}

}  // namespace support
