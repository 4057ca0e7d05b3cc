// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include "exercise.hpp"

COURSE_BIND(scale)
COURSE_BIND(squares)
COURSE_BIND(windowed)
