// SPDX-License-Identifier: MIT
#pragma once

#include <gpucc/thrust/dispatch.h>

// Reductions and scans of runs of equal keys.
namespace thrust {
namespace algorithms {

using gpucc::DeviceAccess;

template <class K, class V, class O, class P, class Same, class F>
std::pair<O, P> reduce_by_key(K first, K last, V values, O keys_out, P values_out, Same same, F f) {
    const DeviceAccess access;
    auto to_key = plain(keys_out);
    auto to_value = plain(values_out);
    auto value = plain(values);
    for (auto at = plain(first); at != plain(last);) {
        const value_of<K> key = *at;
        value_of<V> sum = *value;
        for (++at, ++value; at != plain(last) && same(key, *at); ++at, ++value) sum = f(sum, *value);
        *to_key = key;
        *to_value = sum;
        ++to_key;
        ++to_value;
    }
    return {written(keys_out, to_key), written(values_out, to_value)};
}
template <class K, class V, class O, class P, class Same = std::equal_to<>>
std::pair<O, P> reduce_by_key(K first, K last, V values, O keys_out, P values_out, Same same = {}) {
    return algorithms::reduce_by_key(first, last, values, keys_out, values_out, same, std::plus<>());
}
template <class K, class V, class Same = std::equal_to<>>
std::pair<K, V> unique_by_key(K first, K last, V values, Same same = {}) {
    return algorithms::reduce_by_key(first, last, values, first, values, same,
                                     [](const auto& a, const auto&) { return a; });
}

template <class K, class V, class O, class Same, class F>
O inclusive_scan_by_key(K first, K last, V values, O out, Same same, F f) {
    const DeviceAccess access;
    auto to = plain(out);
    auto value = plain(values);
    for (auto at = plain(first); at != plain(last);) {
        value_of<K> key = *at;
        value_of<V> sum = *value;
        *to = sum;
        for (++at, ++value, ++to; at != plain(last) && same(key, *at); ++at, ++value, ++to) {
            key = *at;
            sum = f(sum, *value);
            *to = sum;
        }
    }
    return written(out, to);
}
template <class K, class V, class O, class Same = std::equal_to<>>
O inclusive_scan_by_key(K first, K last, V values, O out, Same same = {}) {
    return algorithms::inclusive_scan_by_key(first, last, values, out, same, std::plus<>());
}
template <class K, class V, class O, class T = value_of<V>, class Same = std::equal_to<>, class F = std::plus<>>
O exclusive_scan_by_key(K first, K last, V values, O out, T start = T(), Same same = {}, F f = {}) {
    const DeviceAccess access;
    auto to = plain(out);
    auto value = plain(values);
    for (auto at = plain(first); at != plain(last);) {
        value_of<K> key = *at;
        T sum = start;
        do {
            key = *at;
            const T next = static_cast<T>(f(sum, *value));
            *to = sum;
            sum = next;
            ++at, ++value, ++to;
        } while (at != plain(last) && same(key, *at));
    }
    return written(out, to);
}

}  // namespace algorithms

GPUCC_THRUST(reduce_by_key)
GPUCC_THRUST(unique_by_key)
GPUCC_THRUST(inclusive_scan_by_key)
GPUCC_THRUST(exclusive_scan_by_key)

}  // namespace thrust
