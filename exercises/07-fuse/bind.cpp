// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include "exercise.hpp"

COURSE_BIND(distance)
COURSE_BIND(misfit)
