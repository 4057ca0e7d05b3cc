// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/SVD>

#include "host_linalg/element.hpp"

// Jacobi's method takes as long to compile as everything else, so only svd_jacobi.cpp instantiates it: for itself, and
// for divide and conquer, which uses it on small parts.
extern template class Eigen::JacobiSVD<gpu::host_linalg::Dense>;
