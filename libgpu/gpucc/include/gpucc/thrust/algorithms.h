// SPDX-License-Identifier: MIT
#pragma once

#include <gpucc/thrust/dispatch.h>

// Algorithms that go through their elements once: copies, transforms, reductions, searches, scans.
namespace thrust {
namespace algorithms {

using gpucc::DeviceAccess;

template <class I, class O>
O copy(I first, I last, O out) {
    const DeviceAccess access;
    return written(out, std::copy(plain(first), plain(last), plain(out)));
}
template <class I, class N, class O>
O copy_n(I first, N count, O out) {
    return algorithms::copy(first, first + count, out);
}
template <class I, class O, class F>
O copy_if(I first, I last, O out, F f) {
    const DeviceAccess access;
    return written(out, std::copy_if(plain(first), plain(last), plain(out), f));
}
template <class I, class S, class O, class F>
O copy_if(I first, I last, S stencil, O out, F f) {
    const DeviceAccess access;
    auto to = plain(out);
    auto chosen = plain(stencil);
    for (auto at = plain(first); at != plain(last); ++at, ++chosen)
        if (f(*chosen)) {
            *to = *at;
            ++to;
        }
    return written(out, to);
}
template <class I, class T>
void fill(I first, I last, const T& value) {
    const DeviceAccess access;
    std::fill(plain(first), plain(last), static_cast<value_of<I>>(value));
    note_written(plain(first));
}
template <class I, class N, class T>
I fill_n(I first, N count, const T& value) {
    algorithms::fill(first, first + count, value);
    return first + count;
}
template <class I, class T, class S>
void sequence(I first, I last, T start, S step) {
    const DeviceAccess access;
    using V = value_of<I>;
    V value = static_cast<V>(start);
    for (auto at = plain(first); at != plain(last); ++at, value = static_cast<V>(value + static_cast<V>(step)))
        *at = value;
    note_written(plain(first));
}
template <class I, class T = value_of<I>>
void sequence(I first, I last, T start = T(0)) {
    algorithms::sequence(first, last, start, T(1));
}
template <class I, class F>
void generate(I first, I last, F f) {
    const DeviceAccess access;
    std::generate(plain(first), plain(last), f);
    note_written(plain(first));
}
template <class I, class N, class F>
I generate_n(I first, N count, F f) {
    algorithms::generate(first, first + count, f);
    return first + count;
}
template <class I, class F>
void tabulate(I first, I last, F f) {
    const DeviceAccess access;
    std::ptrdiff_t n = 0;
    for (auto at = plain(first); at != plain(last); ++at) *at = f(static_cast<value_of<I>>(n++));
    note_written(plain(first));
}
template <class I, class F>
I for_each(I first, I last, F f) {
    const DeviceAccess access;
    std::for_each(plain(first), plain(last), f);
    note_written(plain(first));
    return last;
}
template <class I, class N, class F>
I for_each_n(I first, N count, F f) {
    return algorithms::for_each(first, first + count, f);
}

template <class I, class O, class F>
O transform(I first, I last, O out, F f) {
    const DeviceAccess access;
    return written(out, std::transform(plain(first), plain(last), plain(out), f));
}
template <class I, class J, class O, class F>
O transform(I first, I last, J second, O out, F f) {
    const DeviceAccess access;
    return written(out, std::transform(plain(first), plain(last), plain(second), plain(out), f));
}
template <class I, class O, class F, class P>
O transform_if(I first, I last, O out, F f, P is_chosen) {
    const DeviceAccess access;
    auto to = plain(out);
    for (auto at = plain(first); at != plain(last); ++at, ++to)
        if (is_chosen(*at)) *to = f(*at);
    return written(out, to);
}
template <class I, class S, class O, class F, class P>
O transform_if(I first, I last, S stencil, O out, F f, P is_chosen) {
    const DeviceAccess access;
    auto to = plain(out);
    auto chosen = plain(stencil);
    for (auto at = plain(first); at != plain(last); ++at, ++to, ++chosen)
        if (is_chosen(*chosen)) *to = f(*at);
    return written(out, to);
}
template <class I, class T>
void replace(I first, I last, const T& old, const T& value) {
    const DeviceAccess access;
    std::replace(plain(first), plain(last), old, value);
    note_written(plain(first));
}
template <class I, class F, class T>
void replace_if(I first, I last, F f, const T& value) {
    const DeviceAccess access;
    std::replace_if(plain(first), plain(last), f, value);
    note_written(plain(first));
}
template <class I, class S, class F, class T>
void replace_if(I first, I last, S stencil, F f, const T& value) {
    const DeviceAccess access;
    auto chosen = plain(stencil);
    for (auto at = plain(first); at != plain(last); ++at, ++chosen)
        if (f(*chosen)) *at = value;
    note_written(plain(first));
}
template <class I, class J>
J swap_ranges(I first, I last, J second) {
    const DeviceAccess access;
    const auto to = std::swap_ranges(plain(first), plain(last), plain(second));
    note_written(plain(first));
    return written(second, to);
}
template <class I>
void reverse(I first, I last) {
    const DeviceAccess access;
    std::reverse(plain(first), plain(last));
    note_written(plain(first));
}
template <class I, class O>
O reverse_copy(I first, I last, O out) {
    const DeviceAccess access;
    return written(out, std::reverse_copy(plain(first), plain(last), plain(out)));
}
template <class I, class N, class O>
O gather(N first, N last, I from, O out) {
    const DeviceAccess access;
    const auto elements = plain(from);
    return written(out, std::transform(plain(first), plain(last), plain(out), [&](const auto& n) -> value_of<I> {
                       return elements[static_cast<std::ptrdiff_t>(n)];
                   }));
}
template <class N, class S, class I, class O>
O gather_if(N first, N last, S stencil, I from, O out) {
    const DeviceAccess access;
    auto to = plain(out);
    auto chosen = plain(stencil);
    const auto elements = plain(from);
    for (auto at = plain(first); at != plain(last); ++at, ++to, ++chosen)
        if (*chosen) *to = elements[static_cast<std::ptrdiff_t>(*at)];
    return written(out, to);
}
template <class I, class N, class O>
void scatter(I first, I last, N numbers, O out) {
    const DeviceAccess access;
    auto number = plain(numbers);
    auto to = plain(out);
    for (auto at = plain(first); at != plain(last); ++at, ++number) to[static_cast<std::ptrdiff_t>(*number)] = *at;
    note_written(to);
}
template <class I, class N, class S, class O>
void scatter_if(I first, I last, N numbers, S stencil, O out) {
    const DeviceAccess access;
    auto number = plain(numbers);
    auto chosen = plain(stencil);
    auto to = plain(out);
    for (auto at = plain(first); at != plain(last); ++at, ++number, ++chosen)
        if (*chosen) to[static_cast<std::ptrdiff_t>(*number)] = *at;
    note_written(to);
}

template <class I, class T, class F>
T reduce(I first, I last, T start, F f) {
    const DeviceAccess access;
    for (auto at = plain(first); at != plain(last); ++at) start = static_cast<T>(f(start, *at));
    return start;
}
template <class I, class T>
T reduce(I first, I last, T start) {
    return algorithms::reduce(first, last, start, std::plus<>());
}
template <class I>
value_of<I> reduce(I first, I last) {
    return algorithms::reduce(first, last, value_of<I>());
}
template <class I, class U, class T, class F>
T transform_reduce(I first, I last, U unary, T start, F f) {
    const DeviceAccess access;
    for (auto at = plain(first); at != plain(last); ++at) start = static_cast<T>(f(start, unary(*at)));
    return start;
}
template <class I, class J, class T, class F, class G>
T inner_product(I first, I last, J second, T start, F sum, G product) {
    const DeviceAccess access;
    auto other = plain(second);
    for (auto at = plain(first); at != plain(last); ++at, ++other)
        start = static_cast<T>(sum(start, product(*at, *other)));
    return start;
}
template <class I, class J, class T>
T inner_product(I first, I last, J second, T start) {
    return algorithms::inner_product(first, last, second, start, std::plus<>(), std::multiplies<>());
}
template <class I, class T>
std::ptrdiff_t count(I first, I last, const T& value) {
    const DeviceAccess access;
    return std::count(plain(first), plain(last), value);
}
template <class I, class F>
std::ptrdiff_t count_if(I first, I last, F f) {
    const DeviceAccess access;
    return std::count_if(plain(first), plain(last), f);
}
template <class I, class F = std::less<>>
I max_element(I first, I last, F before = {}) {
    const DeviceAccess access;
    return advanced(first, plain(first), std::max_element(plain(first), plain(last), before));
}
template <class I, class F = std::less<>>
I min_element(I first, I last, F before = {}) {
    const DeviceAccess access;
    return advanced(first, plain(first), std::min_element(plain(first), plain(last), before));
}
template <class I, class F = std::less<>>
std::pair<I, I> minmax_element(I first, I last, F before = {}) {
    return {algorithms::min_element(first, last, before), algorithms::max_element(first, last, before)};
}
template <class I, class T>
I find(I first, I last, const T& value) {
    const DeviceAccess access;
    return advanced(first, plain(first), std::find(plain(first), plain(last), value));
}
template <class I, class F>
I find_if(I first, I last, F f) {
    const DeviceAccess access;
    return advanced(first, plain(first), std::find_if(plain(first), plain(last), f));
}
template <class I, class F>
I find_if_not(I first, I last, F f) {
    const DeviceAccess access;
    return advanced(first, plain(first), std::find_if_not(plain(first), plain(last), f));
}
template <class I, class F>
bool all_of(I first, I last, F f) {
    const DeviceAccess access;
    return std::all_of(plain(first), plain(last), f);
}
template <class I, class F>
bool any_of(I first, I last, F f) {
    const DeviceAccess access;
    return std::any_of(plain(first), plain(last), f);
}
template <class I, class F>
bool none_of(I first, I last, F f) {
    return !algorithms::any_of(first, last, f);
}
template <class I, class J, class F = std::equal_to<>>
bool equal(I first, I last, J second, F f = {}) {
    const DeviceAccess access;
    return std::equal(plain(first), plain(last), plain(second), f);
}
template <class I, class J, class F = std::equal_to<>>
std::pair<I, J> mismatch(I first, I last, J second, F f = {}) {
    const DeviceAccess access;
    const auto found = std::mismatch(plain(first), plain(last), plain(second), f);
    return {advanced(first, plain(first), found.first), advanced(second, plain(second), found.second)};
}

// In and out may be the same.
template <class I, class O, class F = std::minus<>>
O adjacent_difference(I first, I last, O out, F f = {}) {
    const DeviceAccess access;
    auto to = plain(out);
    value_of<I> before{};
    for (auto at = plain(first); at != plain(last); ++at, ++to) {
        const value_of<I> value = *at;
        if (at == plain(first))
            *to = value;
        else
            *to = f(value, before);
        before = value;
    }
    return written(out, to);
}
template <class I, class O, class U, class F>
O transform_inclusive_scan(I first, I last, O out, U unary, F f) {
    const DeviceAccess access;
    auto to = plain(out);
    auto at = plain(first);
    if (at == plain(last)) return out;
    auto sum = std::decay_t<decltype(unary(*at))>(unary(*at));
    *to = sum;
    for (++at, ++to; at != plain(last); ++at, ++to) {
        sum = f(sum, unary(*at));
        *to = sum;
    }
    return written(out, to);
}
template <class I, class O, class U, class T, class F>
O transform_exclusive_scan(I first, I last, O out, U unary, T start, F f) {
    const DeviceAccess access;
    auto to = plain(out);
    for (auto at = plain(first); at != plain(last); ++at, ++to) {
        const T next = static_cast<T>(f(start, unary(*at)));
        *to = start;
        start = next;
    }
    return written(out, to);
}
template <class I, class O, class F = std::plus<>>
O inclusive_scan(I first, I last, O out, F f = {}) {
    const auto unary = [](const auto& x) -> value_of<I> { return x; };
    return algorithms::transform_inclusive_scan(first, last, out, unary, f);
}
template <class I, class O, class T = value_of<I>, class F = std::plus<>>
O exclusive_scan(I first, I last, O out, T start = T(), F f = {}) {
    const auto unary = [](const auto& x) -> value_of<I> { return x; };
    return algorithms::transform_exclusive_scan(first, last, out, unary, start, f);
}

}  // namespace algorithms

GPUCC_THRUST(copy)
GPUCC_THRUST(copy_n)
GPUCC_THRUST(copy_if)
GPUCC_THRUST(fill)
GPUCC_THRUST(fill_n)
GPUCC_THRUST(sequence)
GPUCC_THRUST(generate)
GPUCC_THRUST(generate_n)
GPUCC_THRUST(tabulate)
GPUCC_THRUST(for_each)
GPUCC_THRUST(for_each_n)
GPUCC_THRUST(transform)
GPUCC_THRUST(transform_if)
GPUCC_THRUST(replace)
GPUCC_THRUST(replace_if)
GPUCC_THRUST(swap_ranges)
GPUCC_THRUST(reverse)
GPUCC_THRUST(reverse_copy)
GPUCC_THRUST(gather)
GPUCC_THRUST(gather_if)
GPUCC_THRUST(scatter)
GPUCC_THRUST(scatter_if)
GPUCC_THRUST(reduce)
GPUCC_THRUST(transform_reduce)
GPUCC_THRUST(inner_product)
GPUCC_THRUST(count)
GPUCC_THRUST(count_if)
GPUCC_THRUST(max_element)
GPUCC_THRUST(min_element)
GPUCC_THRUST(minmax_element)
GPUCC_THRUST(find)
GPUCC_THRUST(find_if)
GPUCC_THRUST(find_if_not)
GPUCC_THRUST(all_of)
GPUCC_THRUST(any_of)
GPUCC_THRUST(none_of)
GPUCC_THRUST(equal)
GPUCC_THRUST(mismatch)
GPUCC_THRUST(adjacent_difference)
GPUCC_THRUST(transform_inclusive_scan)
GPUCC_THRUST(transform_exclusive_scan)
GPUCC_THRUST(inclusive_scan)
GPUCC_THRUST(exclusive_scan)

template <class I>
typename std::iterator_traits<I>::difference_type distance(I first, I last) {
    return last - first;
}
template <class I, class N>
void advance(I& at, N n) {
    at += n;
}
template <class I>
I next(I at) {
    return at + 1;
}

}  // namespace thrust
