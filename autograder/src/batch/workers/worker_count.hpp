// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace course {

/// How many answers are graded at once: one for each core, as far as each may take its memory limit; at least one.
/// Pure.
int workers_for(unsigned cores, std::size_t available_bytes, std::size_t bytes_of_each);

/// The same for this machine: the cores that this process may use, and the memory that is free or can be freed, in the
/// whole machine and in this container.
int workers_for_this_machine();

}  // namespace course
