// SPDX-License-Identifier: MIT
#pragma once

#include <complex>

#include <Eigen/Core>

// GPU_LINALG_ELEMENT is the element type this unit is compiled for; CMakeLists.txt lists them.
namespace gpu::host_linalg {

using Element = GPU_LINALG_ELEMENT;
using Real = Eigen::NumTraits<Element>::Real;
using Dense = Eigen::Matrix<Element, Eigen::Dynamic, Eigen::Dynamic>;
using Map = Eigen::Map<Dense>;
using ConstMap = Eigen::Map<const Dense>;
using RealMap = Eigen::Map<Eigen::Matrix<Real, Eigen::Dynamic, 1>>;

inline Map map(void* data, Eigen::Index rows, Eigen::Index columns) {
    return {static_cast<Element*>(data), rows, columns};
}

}  // namespace gpu::host_linalg
