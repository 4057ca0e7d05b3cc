// SPDX-License-Identifier: MIT
#include "pipeline.hpp"

#include <course/bind.hpp>

COURSE_BIND(find_edges)
