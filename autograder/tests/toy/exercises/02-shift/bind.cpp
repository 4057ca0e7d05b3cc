// SPDX-License-Identifier: MIT
#include "exercise.hpp"

#include <course/bind.hpp>

COURSE_BIND(shift)
