// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include "exercise.hpp"

COURSE_BIND(blocks_at_once)
COURSE_BIND(occupancy)
COURSE_BIND(loads_per_thread)
COURSE_BIND(add_four)
