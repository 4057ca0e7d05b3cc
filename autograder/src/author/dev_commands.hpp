// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "command_line.hpp"

namespace course {

// The commands of `course dev`, for authors. They print and return like those of commands/commands.hpp.

/// Every so many of a list: the second number says how many, the first where to begin, from 1.
using Part = std::pair<std::size_t, std::size_t>;
/// @param text  "K/M". @throws UsageError for anything else.
Part read_part(const std::string& text);

/// Each with its options in a file of this folder.
AddCommand add_dev_check, add_dev_checks, add_dev_mutate, add_dev_lessons, add_dev_edition, add_dev_plant, add_dev_new;

}  // namespace course
