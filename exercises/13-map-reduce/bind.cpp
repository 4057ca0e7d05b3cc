// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include "exercise.hpp"

COURSE_BIND(norms)
COURSE_BIND(row_maxima)
COURSE_BIND(masked_means)
