// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/SVD>

#include "host_linalg/element.hpp"

// Jacobi's method takes as long to compile as all of the rest: svd_jacobi.cpp does it, for itself and for divide and
// conquer, which uses it for its small parts.
extern template class Eigen::JacobiSVD<gpu::host_linalg::Dense>;
