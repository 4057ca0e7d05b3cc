// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course {

/// What differs between the kept output of a lesson's program and what it printed; empty if nothing does. `~` in the
/// kept one stands for any number, and in lines with it only the words count, not the spaces between them.
std::string output_difference(std::string_view kept, std::string_view printed);

/// What to keep of a program that prints times: `~` for each number with a unit of time or rate, and for those that
/// differ from run to run. Lines of `kept` that still match stay as they are.
std::string output_to_keep(std::string_view kept, const std::vector<std::string>& runs);

/// The values of the lines "Answer: VALUE", in order.
std::vector<std::string> answers_of(std::string_view output);

}  // namespace course
