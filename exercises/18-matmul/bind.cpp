// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include "exercise.hpp"

COURSE_BIND(product_naive)
COURSE_BIND(product_tiled)
COURSE_BIND(product_by_library)
COURSE_BIND(product_in_registers)
