// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include "exercise.hpp"

COURSE_BIND(brighten)
COURSE_BIND(weighted_sum)
COURSE_BIND(soften)
COURSE_BIND(peaks)
