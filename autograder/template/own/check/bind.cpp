// SPDX-License-Identifier: MIT

// Binds your port, and the CPU version that it is judged by.

#include <course/bind.hpp>
#include <gpu/eigen.hpp>

#include "cpu_version.hpp"
#include "exercise.hpp"

COURSE_BIND(@TOPIC@)

namespace given {

@RETURNS@ cpu_version(@PARAMETERS@) {
    return @FROM_CPU@(cpu::@TOPIC@(@TO_CPU@));
}

}  // namespace given

COURSE_BIND(given::cpu_version)
