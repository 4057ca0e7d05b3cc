// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// Everything in libgpu except the opt-in headers, such as gpu/eigen.hpp.

#if defined(__cplusplus) && __cplusplus < 202002L
#error "libgpu needs C++20: compile with -std=c++20, or link gpu::gpu in CMake, which asks for it"
#else
#include <gpu/array.hpp>
#include <gpu/check.hpp>
#include <gpu/create.hpp>
#include <gpu/device.hpp>
#include <gpu/dtype.hpp>
#include <gpu/elementwise_kernel.hpp>
#include <gpu/error.hpp>
#include <gpu/expression.hpp>
#include <gpu/fft.hpp>
#include <gpu/fuse.hpp>
#include <gpu/graph.hpp>
#include <gpu/indexing.hpp>
#include <gpu/join.hpp>
#include <gpu/kernel_cache.hpp>
#include <gpu/kernel_options.hpp>
#include <gpu/linalg.hpp>
#include <gpu/masks.hpp>
#include <gpu/math.hpp>
#include <gpu/matmul.hpp>
#include <gpu/memory.hpp>
#include <gpu/npy.hpp>
#include <gpu/numpy_names.hpp>
#include <gpu/ops.hpp>
#include <gpu/pointer_array.hpp>
#include <gpu/print.hpp>
#include <gpu/profiler.hpp>
#include <gpu/random.hpp>
#include <gpu/raw_kernel.hpp>
#include <gpu/raw_module.hpp>
#include <gpu/reduction_call.hpp>
#include <gpu/reduction_kernel.hpp>
#include <gpu/reductions.hpp>
#include <gpu/rounding.hpp>
#include <gpu/shape.hpp>
#include <gpu/shape_functions.hpp>
#include <gpu/signal.hpp>
#include <gpu/sorting.hpp>
#include <gpu/statistics.hpp>
#include <gpu/stream.hpp>
#include <gpu/texture.hpp>
#include <gpu/transfer.hpp>
#include <gpu/view.hpp>
#endif
