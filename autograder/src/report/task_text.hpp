// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "report/style.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// "  add: z = x + y   wrong, 0 of 2 points"; of a bonus task "passed: a star *", or that it isn't begun.
std::string task_line(const TaskResult& task, const Style& style);

/// "    ahead     9.00 reads per pixel; part b asks for at most 1.30": for a task that has passed; empty if the
/// manifest says nothing, or if nothing was counted.
std::string ahead_text(const TaskResult& task);

/// What was wrong in the task, in its first case that failed.
/// @param on_gpu the values come from a GPU: what check mode on the host found and counted is marked
/// @param shows_work with a line on the kernels' work
std::string failed_task(const TaskResult& task, bool on_gpu, bool shows_work);

/// Of a further task that failed: the first line of its cause, such as "    launches: 2 counted, at most 1 (n = 257)",
/// and of a budget what helps. The rest is shown once the first one is passed.
std::string failed_task_in_brief(const TaskResult& task);

/// Of a passed task while another one is open: the first line of what was counted; empty if nothing was.
std::string passed_task_in_brief(const TaskResult& task, bool on_gpu);

/// How the task was passed: worst error, counted work, speed.
std::string passed_task(const TaskResult& task, double copy_bytes_per_second, bool on_gpu, bool shows_work);

/// Each line of the text behind so many spaces; ends with a newline.
std::string indented(const std::string& text, std::size_t spaces);

}  // namespace course
