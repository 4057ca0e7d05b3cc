// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>

/// The calls whose cost on the host is looked at, by name; each has been made once, so that its kernels are loaded.
[[nodiscard]] std::map<std::string, std::function<void()>> known_calls();

/// Makes one of them so many times. Returns 1 if there is no such call.
int repeat(const std::string& name, int times);
