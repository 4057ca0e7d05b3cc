// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include "exercise.hpp"

COURSE_BIND(histogram_atomic)
COURSE_BIND(histogram_private)
