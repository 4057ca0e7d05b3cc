// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include "exercise.hpp"

COURSE_BIND(convolve_naive)
COURSE_BIND(convolve_tiled)
