// SPDX-License-Identifier: MIT
#pragma once

#include <gpucc/thrust/dispatch.h>

// Sorting, and what sorted elements are good for.
namespace thrust {
namespace algorithms {

using gpucc::DeviceAccess;

template <class I, class F = std::less<>>
void sort(I first, I last, F before = {}) {
    const DeviceAccess access;
    std::sort(plain(first), plain(last), before);
    note_written(plain(first));
}
template <class I, class F = std::less<>>
void stable_sort(I first, I last, F before = {}) {
    const DeviceAccess access;
    std::stable_sort(plain(first), plain(last), before);
    note_written(plain(first));
}
template <class I, class J, class F = std::less<>>
void sort_by_key(I first, I last, J values, F before = {}) {
    const DeviceAccess access;
    const auto keys = plain(first);
    const auto items = plain(values);
    const std::ptrdiff_t count = last - first;
    std::vector<std::pair<value_of<I>, value_of<J>>> pairs;
    pairs.reserve(static_cast<std::size_t>(count));
    for (std::ptrdiff_t k = 0; k < count; ++k) pairs.emplace_back(keys[k], items[k]);
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const auto& a, const auto& b) { return before(a.first, b.first); });
    for (std::ptrdiff_t k = 0; k < count; ++k) {
        keys[k] = pairs[static_cast<std::size_t>(k)].first;
        items[k] = pairs[static_cast<std::size_t>(k)].second;
    }
    note_written(keys);
    note_written(items);
}
template <class I, class J, class F = std::less<>>
void stable_sort_by_key(I first, I last, J values, F before = {}) {
    algorithms::sort_by_key(first, last, values, before);
}
template <class I, class F = std::less<>>
bool is_sorted(I first, I last, F before = {}) {
    const DeviceAccess access;
    return std::is_sorted(plain(first), plain(last), before);
}
template <class I, class F = std::equal_to<>>
I unique(I first, I last, F same = {}) {
    const DeviceAccess access;
    return written(first, std::unique(plain(first), plain(last), same));
}
template <class I, class O, class F = std::equal_to<>>
O unique_copy(I first, I last, O out, F same = {}) {
    const DeviceAccess access;
    return written(out, std::unique_copy(plain(first), plain(last), plain(out), same));
}
template <class I, class F = std::equal_to<>>
std::ptrdiff_t unique_count(I first, I last, F same = {}) {
    const DeviceAccess access;
    std::ptrdiff_t count = 0;
    for (auto at = plain(first); at != plain(last); ++count) {
        const auto begin = at;
        while (at != plain(last) && same(*begin, *at)) ++at;
    }
    return count;
}
template <class I, class T>
I remove(I first, I last, const T& value) {
    const DeviceAccess access;
    return written(first, std::remove(plain(first), plain(last), value));
}
template <class I, class F>
I remove_if(I first, I last, F f) {
    const DeviceAccess access;
    return written(first, std::remove_if(plain(first), plain(last), f));
}
template <class I, class S, class F>
I remove_if(I first, I last, S stencil, F f) {
    const DeviceAccess access;
    auto to = plain(first);
    auto chosen = plain(stencil);
    for (auto at = plain(first); at != plain(last); ++at, ++chosen)
        if (!f(*chosen)) {
            *to = *at;
            ++to;
        }
    return written(first, to);
}
template <class I, class O, class F>
O remove_copy_if(I first, I last, O out, F f) {
    const DeviceAccess access;
    return written(out, std::remove_copy_if(plain(first), plain(last), plain(out), f));
}
template <class I, class F>
I partition(I first, I last, F f) {
    const DeviceAccess access;
    return written(first, std::stable_partition(plain(first), plain(last), f));
}
template <class I, class F>
I stable_partition(I first, I last, F f) {
    return algorithms::partition(first, last, f);
}
template <class I, class O, class P, class F>
std::pair<O, P> partition_copy(I first, I last, O chosen, P others, F f) {
    const DeviceAccess access;
    const auto to = std::partition_copy(plain(first), plain(last), plain(chosen), plain(others), f);
    return {written(chosen, to.first), written(others, to.second)};
}
template <class I, class J, class O, class F = std::less<>>
O merge(I first, I last, J other, J other_last, O out, F before = {}) {
    const DeviceAccess access;
    return written(out, std::merge(plain(first), plain(last), plain(other), plain(other_last), plain(out), before));
}
#define GPUCC_THRUST_SET(name)                                                                                     \
    template <class I, class J, class O, class F = std::less<>>                                                    \
    O name(I first, I last, J other, J other_last, O out, F before = {}) {                                         \
        const DeviceAccess access;                                                                                 \
        return written(out,                                                                                        \
                       std::name(plain(first), plain(last), plain(other), plain(other_last), plain(out), before)); \
    }
GPUCC_THRUST_SET(set_union)
GPUCC_THRUST_SET(set_intersection)
GPUCC_THRUST_SET(set_difference)
GPUCC_THRUST_SET(set_symmetric_difference)
#undef GPUCC_THRUST_SET

// Searches in sorted elements: for one value, or for each of several.
#define GPUCC_THRUST_BOUND(name)                                                                             \
    template <class I, class T>                                                                              \
    I name(I first, I last, const T& value) {                                                                \
        const DeviceAccess access;                                                                           \
        return advanced(first, plain(first), std::name(plain(first), plain(last), value));                   \
    }                                                                                                        \
    template <class I, class T, class F>                                                                     \
    I name(I first, I last, const T& value, F before) {                                                      \
        const DeviceAccess access;                                                                           \
        return advanced(first, plain(first), std::name(plain(first), plain(last), value, before));           \
    }                                                                                                        \
    template <class I, class J, class O, class F>                                                            \
    O name(I first, I last, J value, J last_value, O out, F before) {                                        \
        const DeviceAccess access;                                                                           \
        const auto begin = plain(first), end = plain(last);                                                  \
        return written(out, std::transform(plain(value), plain(last_value), plain(out), [&](const auto& x) { \
                           return static_cast<value_of<O>>(std::name(begin, end, x, before) - begin);        \
                       }));                                                                                  \
    }                                                                                                        \
    template <class I, class J, class O>                                                                     \
    O name(I first, I last, J value, J last_value, O out) {                                                  \
        return algorithms::name(first, last, value, last_value, out, std::less<>());                         \
    }
GPUCC_THRUST_BOUND(lower_bound)
GPUCC_THRUST_BOUND(upper_bound)
#undef GPUCC_THRUST_BOUND
template <class I, class T>
bool binary_search(I first, I last, const T& value) {
    const DeviceAccess access;
    return std::binary_search(plain(first), plain(last), value);
}
template <class I, class J, class O>
O binary_search(I first, I last, J value, J last_value, O out) {
    const DeviceAccess access;
    return written(out, std::transform(plain(value), plain(last_value), plain(out), [&](const auto& x) {
                       return std::binary_search(plain(first), plain(last), x);
                   }));
}
template <class I, class T>
std::pair<I, I> equal_range(I first, I last, const T& value) {
    return {algorithms::lower_bound(first, last, value), algorithms::upper_bound(first, last, value)};
}

}  // namespace algorithms

GPUCC_THRUST(sort)
GPUCC_THRUST(stable_sort)
GPUCC_THRUST(sort_by_key)
GPUCC_THRUST(stable_sort_by_key)
GPUCC_THRUST(is_sorted)
GPUCC_THRUST(unique)
GPUCC_THRUST(unique_copy)
GPUCC_THRUST(unique_count)
GPUCC_THRUST(remove)
GPUCC_THRUST(remove_if)
GPUCC_THRUST(remove_copy_if)
GPUCC_THRUST(partition)
GPUCC_THRUST(stable_partition)
GPUCC_THRUST(partition_copy)
GPUCC_THRUST(merge)
GPUCC_THRUST(set_union)
GPUCC_THRUST(set_intersection)
GPUCC_THRUST(set_difference)
GPUCC_THRUST(set_symmetric_difference)
GPUCC_THRUST(lower_bound)
GPUCC_THRUST(upper_bound)
GPUCC_THRUST(binary_search)
GPUCC_THRUST(equal_range)

}  // namespace thrust
