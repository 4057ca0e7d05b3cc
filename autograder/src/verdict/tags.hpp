// SPDX-License-Identifier: MIT
#pragma once

#include "manifest/manifest.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// The misconception that a finding shows by itself, in any exercise; 0: there may be several behind it, or none. A
/// barrier that is missing or not reached by all: 5; shared memory read before it was written: 7; an address of the
/// other side: 11; streams without an event: 15.
int tag_of(const Finding& finding) noexcept;

/// Records the misconceptions that a failed task's verdict shows: from the budgets that decided it, from check mode's
/// findings, and from what the task's `tags` match in the case that is shown or in a wrong prediction.
void note_tags(const Task& task, TaskResult& result);

}  // namespace course
