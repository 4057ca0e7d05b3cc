// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

// cuda::std in the host's half of a program: the host's own std, where kernels' has the same layout.
namespace cuda {
namespace std {

using namespace ::std;

/// The host's std::tuple lies in memory the other way round.
template <class... T>
struct tuple {
    static_assert(sizeof...(T) > 99, "cuda::std::tuple is for kernels alone in gpucc: pass a struct");
};
template <class... T>
tuple<T...> make_tuple(T...);

}  // namespace std
}  // namespace cuda
