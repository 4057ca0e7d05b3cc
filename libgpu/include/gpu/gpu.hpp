// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// All of libgpu but the opt-in interop (gpu/eigen.hpp).

#include <gpu/array.hpp>
#include <gpu/check.hpp>
#include <gpu/complex.hpp>
#include <gpu/create.hpp>
#include <gpu/device.hpp>
#include <gpu/dtype.hpp>
#include <gpu/elementwise_kernel.hpp>
#include <gpu/error.hpp>
#include <gpu/event.hpp>
#include <gpu/expression.hpp>
#include <gpu/fuse.hpp>
#include <gpu/half.hpp>
#include <gpu/indexing.hpp>
#include <gpu/join.hpp>
#include <gpu/masks.hpp>
#include <gpu/math.hpp>
#include <gpu/memory.hpp>
#include <gpu/norm.hpp>
#include <gpu/npy.hpp>
#include <gpu/ops.hpp>
#include <gpu/pinned.hpp>
#include <gpu/print.hpp>
#include <gpu/profiler.hpp>
#include <gpu/random.hpp>
#include <gpu/raw_kernel.hpp>
#include <gpu/reduce_options.hpp>
#include <gpu/reduction_kernel.hpp>
#include <gpu/reductions.hpp>
#include <gpu/scan.hpp>
#include <gpu/shape.hpp>
#include <gpu/statistics.hpp>
#include <gpu/stream.hpp>
#include <gpu/transfer.hpp>
#include <gpu/view.hpp>
#include <gpu/wrap.hpp>
