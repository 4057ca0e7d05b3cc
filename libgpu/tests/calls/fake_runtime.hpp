// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>

/// Stands in for CUDA's runtime: one device, whose memory is the host's and whose kernels do nothing. It counts what is
/// asked of it, so that a test can say what a call of libgpu's may cost.
namespace fake_runtime {

using Calls = std::map<std::string, int>;

/// How often each function was called since the last forget().
[[nodiscard]] Calls calls();
void forget();

/// How many threads have loaded kernels since the last forget().
[[nodiscard]] std::size_t loading_threads();

/// The pointer that the kernel of the last launch got as its argument number `k`, from 0. It is asked for before the
/// launch, where kernels have so many arguments.
void watch_argument(int k);
[[nodiscard]] const void* watched_argument();

/// "cudaGetDevice 1, cudaLaunchKernel 1": in the order of names.
[[nodiscard]] std::string to_string(const Calls& calls);

}  // namespace fake_runtime
