// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include "exercise.hpp"

COURSE_BIND(escape)
COURSE_BIND(block_shape)
COURSE_BIND(smooth)
