// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <course/binding.hpp>

#include "protocol/protocol.hpp"

namespace course::runner {

/// Why an object can't be loaded, for the student.
class CannotLoad : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Loads a student's object and returns its list of functions. Its static constructors run here.
/// @throws CannotLoad, and whatever a static constructor throws.
const binding::Function* load_object(const char* path);

/// The function of that name, or null.
const binding::Function* find_function(const binding::Function* functions, std::string_view name);

/// "bind.cpp names no function `ad`; it names: add, scale".
std::string describe_unknown(const binding::Function* functions, std::string_view name);

/// True if the request's arguments match the function's parameters.
bool takes_arguments_of(const binding::Function& function, const protocol::Request& request);

/// The arguments of a request, whose bytes are in `memory`.
std::vector<binding::Argument> argument_values(const protocol::Request& request, std::span<const std::byte> memory);

/// "add takes (Array<float>, int), but is called with (Array<float>, Array<float>)".
std::string describe_wrong_arguments(const binding::Function& function, const protocol::Request& request);

}  // namespace course::runner
