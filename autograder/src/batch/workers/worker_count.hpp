// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace course {

/// How many answers are graded at once: one for each core, as far as each may take its memory limit, and at most eight
/// for each GPU, which more would keep waiting (docs/benchmarks/class-grading.md); at least one. Pure.
/// @param gpus 0: answers run on the host
int workers_for(unsigned cores, std::size_t available_bytes, std::size_t bytes_of_each, std::size_t gpus = 0);

/// The same for this machine: the cores that this process may use, and the memory that is free or can be freed, in the
/// whole machine and in this container.
int workers_for_this_machine(std::size_t gpus);

}  // namespace course
