// SPDX-License-Identifier: MIT
#include <course/bind.hpp>

#include "exercise.hpp"

gpu::Array<float> squared_diff_float(const gpu::Array<float>& x, const gpu::Array<float>& y) {
    return squared_diff()(x, y);
}
gpu::Array<double> squared_diff_double(const gpu::Array<double>& x, const gpu::Array<double>& y) {
    return squared_diff()(x, y);
}
gpu::Array<int> squared_diff_int(const gpu::Array<int>& x, const gpu::Array<int>& y) {
    return squared_diff()(x, y);
}

COURSE_BIND(squared_diff_float)
COURSE_BIND(squared_diff_double)
COURSE_BIND(squared_diff_int)
COURSE_BIND(millimetres)
COURSE_BIND(shrink)
COURSE_BIND(weigh)
