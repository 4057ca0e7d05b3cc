// SPDX-License-Identifier: MIT
#pragma once

// The functions to repair in exercise 2. Leave this file as it is: your code goes into first_port.cpp.

#include <cmath>
#include <vector>

#include <gpu/gpu.hpp>

/// c = a + b + sin(a), element by element, computed on the device.
///
/// `a` and `b` lie in host memory and have the same length; so does the result. Two copies up, one copy down, in
/// between one kernel, and no wait but those of the three copies.
std::vector<float> combine(const std::vector<float>& a, const std::vector<float>& b);

/// The Euclidean norm of c = a + b + sin(a).
///
/// Two copies up, one or two kernels, no wait but those of the copies. Of c nothing but this one number comes back to
/// the host: 4 bytes, or 8 if you add up in double.
float combined_norm(const std::vector<float>& a, const std::vector<float>& b);
