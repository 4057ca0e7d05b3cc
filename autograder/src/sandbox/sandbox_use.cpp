// SPDX-License-Identifier: MIT
#include "sandbox/sandbox_use.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace course {

SandboxUse sandbox_use_of_environment() {
    const char* value = std::getenv("COURSE_SANDBOX");
    const std::string_view word = value != nullptr ? value : "";
    if (word.empty() || word == "on") return SandboxUse::everywhere;
    if (word == "host") return SandboxUse::but_on_gpu;
    if (word == "off") return SandboxUse::off;
    throw std::runtime_error(fmt::format("COURSE_SANDBOX is \"{}\"; it can be on (the default), host or off", word));
}

Tiers tiers_around_answer(SandboxUse use, bool on_gpu, const Tiers& available) {
    Tiers tiers = runs_in_sandbox(use, on_gpu) ? available : Tiers{};
    tiers.users = tiers.users && !on_gpu;
    return tiers;
}

}  // namespace course
