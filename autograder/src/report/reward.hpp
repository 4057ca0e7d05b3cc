// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "verdict/verdict.hpp"

namespace course {

/// What the largest counted call of a task asked of the device.
struct CallCost {
    std::int64_t elements = 0;
    std::uint64_t launches = 0, copies = 0, atomics = 0;
    std::uint64_t words = 0;         ///< of 4 bytes, that kernels read and wrote in global memory
    std::uint64_t modelled_ns = 0;   ///< by the model of the ledger's picture
};

/// Nothing if no case of the task was counted in check mode.
std::optional<CallCost> cost_of(const TaskResult& task);

/// "1009:5:2:0:12108:165000", as stored in work/.progress, and back; nothing for text that isn't one. Pure.
std::string cost_word(const CallCost& cost);
std::optional<CallCost> parse_cost(std::string_view word);

/// "5 launches became 1, 12 words an element became 3; modelled for an H200: 41 us, before 165 us"; empty if the later
/// call costs no less, or has another size. Pure.
std::string reward_text(const CallCost& before, const CallCost& now);

}  // namespace course
