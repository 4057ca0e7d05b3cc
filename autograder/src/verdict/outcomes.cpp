// SPDX-License-Identifier: MIT
#include "verdict/outcomes.hpp"

namespace course {

namespace {

struct OutcomeRow {
    Outcome outcome;
    Verdict verdict;
    bool ends_task;
    std::string_view message;
};

constexpr OutcomeRow outcome_rows[] = {
    {Outcome::returned, Verdict::passed, false, ""},
    {Outcome::kernel_does_not_compile, Verdict::does_not_compile, true, "a kernel doesn't compile"},
    {Outcome::kernel_fault, Verdict::crashed, true, "a kernel failed while it ran"},
    {Outcome::exception, Verdict::crashed, false, "the function threw an exception"},
    {Outcome::missing_function, Verdict::does_not_compile, true,
     "the function is missing, or takes or returns other types than exercise.hpp says"},
    {Outcome::bad_reply, Verdict::crashed, true, "the program's reply can't be read: its memory may be damaged"},
    {Outcome::crashed, Verdict::crashed, true, "the program crashed"},
    {Outcome::exited, Verdict::crashed, true, "the program ended itself, before the function returned"},
    {Outcome::timed_out, Verdict::timed_out, true,
     "the function didn't return in time: is there a loop that never ends?"},
    {Outcome::out_of_memory, Verdict::out_of_memory, true, "the program used more memory than it may"},
    {Outcome::no_device, Verdict::environment, true, "the device can't be used"},
    {Outcome::no_check, Verdict::crashed, true, "check mode can't be used any more"},
    {Outcome::cannot_load, Verdict::does_not_compile, true,
     "the program can't be loaded: a function may be declared, but not defined"},
    {Outcome::left_behind, Verdict::wrong, false, "the function leaves another device or stream current than it found"},
};

constexpr const OutcomeRow& row(Outcome outcome) noexcept { return outcome_rows[static_cast<std::size_t>(outcome)]; }

constexpr bool outcomes_in_order() {
    for (std::size_t k = 0; k < std::size(outcome_rows); ++k)
        if (outcome_rows[k].outcome != static_cast<Outcome>(k)) return false;
    return true;
}
static_assert(outcomes_in_order());

}  // namespace

Verdict verdict_of(Outcome outcome) noexcept { return row(outcome).verdict; }

bool ends_task(Outcome outcome) noexcept { return row(outcome).ends_task; }

std::string_view default_message(Outcome outcome) noexcept { return row(outcome).message; }

}  // namespace course
