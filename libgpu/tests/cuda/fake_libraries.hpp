// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cuda/linear_algebra/linear_algebra.hpp"

// Stand-ins for cuBLAS and cuSOLVER that write down how they are called, over the host backend's memory: what libgpu
// asks of the libraries is tested where there is no GPU. Info codes are what the test wants them to be.
namespace fake {

/// What happened since the last clear(): "gemm N T 3 4 5 ...", one entry a call.
std::vector<std::string>& calls();

/// What the next calls do.
struct Behaviour {
    std::vector<int> infos;  ///< of the items, in order; 0 behind them
    double moved = 0;        ///< gesvdp's h_err_sigma
    float largest = 1;       ///< the first singular value that gesvdp writes
    int blas_status = 0, solver_status = 0;
    bool wants_host_memory = false;
    bool keeps_workspace = false;  ///< each call's is the same; else another one than the last
    bool blocking = false;  ///< as LIBGPU_LAUNCH_BLOCKING=1
    bool faults = false;    ///< products and Cholesky factors run into a fault, once they are run
};
Behaviour& behaviour();

/// Calls and behaviour as at the start.
void reset();

gpu::detail::Backend& host();

/// Linear algebra over the stand-ins.
gpu::detail::LinearAlgebra& linear_algebra();

/// Bytes that were allocated and not given back.
std::size_t bytes_alive();

}  // namespace fake
