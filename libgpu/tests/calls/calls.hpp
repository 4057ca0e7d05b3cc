// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>

/// The calls whose cost on the host is looked at, by name; each has been made once, so that its kernels are loaded.
[[nodiscard]] std::map<std::string, std::function<void()>> known_calls();

/// Makes one of them so many times. Returns 1 if there is no such call.
int repeat(const std::string& name, int times);

/// Prints what the first call of a kernel costs that nothing knows, in milliseconds of processor time: the least and
/// the median of so many. Returns 1 if there is no such kernel.
int time_first_calls(const std::string& name, int times);
