// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include "exercise.hpp"

COURSE_BIND(compress)
COURSE_BIND(residual)
COURSE_BIND(compress_each)
