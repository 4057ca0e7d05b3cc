// SPDX-License-Identifier: MIT
#pragma once

// The list of a plug-in's tasks. Part of check.hpp: one translation unit a plug-in.

#include <course/check_host.hpp>

namespace course {

namespace detail {
namespace {
const CheckRegistration* first_check = nullptr;   // of this plug-in alone
}
}  // namespace detail

inline CheckRegistration::CheckRegistration(const char* exercise_name, const char* task_id,
                                            void (*run_task)(CheckHost&))
    : exercise(exercise_name), task(task_id), run(run_task), next(detail::first_check) {
    detail::first_check = this;
}

}  // namespace course

extern "C" __attribute__((visibility("default"), used)) inline const course::CheckRegistration* course_checks() {
    return course::detail::first_check;
}
