// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/dtype.hpp>
#include <gpu/shape.hpp>

#include "codegen/kernel_text.hpp"

// libgpu's own kernels outside the skeletons: the same CUDA C++ on both backends, one thread per element or chunk,
// without barriers, so that the host backend runs them as loops.
namespace gpu::detail {

/// The types that take and put kernels are specialised for.
struct GatherTypes {
    DType element = DType::float32;  ///< take and put only use its size
    DType index = DType::int32;
    int result_rank = 1, axis_rank = 1;
};

/// take(const E* x, const I* index, E* out, Walk walk, Fault* fault): `out` is dense. Walk consists of 64-bit numbers:
/// see launch/gather.cpp; Fault is runtime/index_faults.hpp's IndexFault.
RawText take_text(const GatherTypes& types);
/// put(E* x, const I* index, const E* values, Walk walk, Fault* fault, const long long* count): if `count` isn't null,
/// nothing is written unless it equals `walk.expected`.
RawText put_text(const GatherTypes& types);
/// Like put, but adds with atomics. `element` is int32, uint32, int64, uint64, float32 or float64.
RawText add_at_text(const GatherTypes& types);

/// mask_positions(const bool* mask, const long long* totals, long long* positions, long long n, long long limit): the
/// positions where the mask is true, in order; at most `limit` of them.
RawText mask_positions_text();

/// lookup(const unsigned long long* edges, const unsigned long long* x, O* out, long long count, long long n, long long
/// first): `first` and the number of the edges, which ascend, that are at most x. `result` is any integer type.
RawText lookup_text(DType result);

/// interp(const T* x, const T* places, const T* values, T* out, long long count, long long n, double left, double right,
/// int has_left, int has_right): between `count` points. `element` is float32 or float64.
RawText interp_text(DType element);

/// histogram(const T* x, const T* edges, unsigned long long* counts, long long n, long long bins): adds to counts.
/// `element` is float32 or float64.
RawText histogram_text(DType element);

}  // namespace gpu::detail
