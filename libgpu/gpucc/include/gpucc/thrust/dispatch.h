// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include <gpucc/thrust/iterators.h>

// How algorithms are called: with a policy or without. Each stands in `algorithms`; its name in `thrust` leaves out the
// policy.
#define GPUCC_THRUST(name)                                                                            \
    template <class First, class... Rest>                                                             \
    decltype(auto) name(First&& first, Rest&&... rest) {                                              \
        if constexpr (thrust::is_policy<First>)                                                       \
            return thrust::algorithms::name(std::forward<Rest>(rest)...);                             \
        else                                                                                          \
            return thrust::algorithms::name(std::forward<First>(first), std::forward<Rest>(rest)...); \
    }

namespace thrust {
namespace algorithms {

/// The caller's iterator, as far on as the host's algorithm has come.
template <class I, class P>
I advanced(I first, const P& from, const P& to) {
    first += to - from;
    return first;
}

/// What an algorithm has written from `out` on, up to `to`.
template <class O, class P>
O written(O out, const P& to) {
    const auto from = plain(out);
    note_written(from);
    return advanced(out, from, to);
}

}  // namespace algorithms
}  // namespace thrust
