// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "report/terminal.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// "  add: z = x + y   wrong, 0 of 2 points"; for a bonus task "passed: a star *", or that it isn't begun.
std::string task_line(const TaskResult& task, const Style& style);

/// "    ahead     9.00 reads per pixel; part b asks for at most 1.30", for a passed task; empty if the manifest says
/// nothing, or if nothing was counted.
std::string ahead_text(const TaskResult& task);

/// A failed task in at most 8 lines including its own: what went wrong where, why, and what helps. Broken to `columns`.
/// @param on_gpu the values come from a GPU: mark what check mode found and counted on the host
std::string failed_task_in_short(const TaskResult& task, const Style& style, bool on_gpu, std::size_t columns);

/// A task in one line while another one is shown: what failed and its cause, cut off at `columns`.
std::string other_task(const TaskResult& task, const Style& style, std::size_t columns);

/// How the task was passed, in at most 6 lines: worst error, counts against budgets, speed.
std::string passed_task_in_short(const TaskResult& task, const Style& style, double copy_bytes_per_second, bool on_gpu,
                                 std::size_t columns);

/// Everything about a failed task, without its own line.
/// @param shows_work includes a line on the kernels' work
std::string failed_task(const TaskResult& task, bool on_gpu, bool shows_work);

/// The same for a passed one, with every counter.
std::string passed_task(const TaskResult& task, double copy_bytes_per_second, bool on_gpu, bool shows_work);

/// The text with each line indented by this many spaces; ends with a newline.
std::string indented(const std::string& text, std::size_t spaces);

/// What the largest counted call of a task asked of the device.
struct CallCost {
    std::int64_t elements = 0;
    std::uint64_t launches = 0, copies = 0, atomics = 0;
    std::uint64_t words = 0;        ///< of 4 bytes, that kernels read and wrote in global memory
    std::uint64_t modelled_ns = 0;  ///< by the model of the ledger's picture
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
