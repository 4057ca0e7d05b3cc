// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include "exercise.hpp"

COURSE_BIND(scan_pieces)
COURSE_BIND(scan)
