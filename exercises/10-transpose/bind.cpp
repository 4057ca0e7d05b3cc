// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include "exercise.hpp"

COURSE_BIND(transpose_naive)
COURSE_BIND(transpose_tiled)
COURSE_BIND(transpose_padded)
