// SPDX-License-Identifier: MIT
#pragma once

#include <gpucc/thrust/device_words.h>

#include <functional>
#include <iterator>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gpucc {

/// While it lives, host code may use device memory in place. Waits for the device first. @throws std::runtime_error
class GPUCC_API DeviceAccess {
public:
    DeviceAccess();
    ~DeviceAccess();
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;

private:
    void* scope_;
};
/// An algorithm has written to the allocation around this address.
GPUCC_API void written_in_place(const void* address);

}  // namespace gpucc

namespace thrust {

using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;

using system_error = std::runtime_error;
namespace system {
using thrust::system_error;
}

/// Where an algorithm runs: device and host are the same here.
struct execution_policy {
    execution_policy on(cudaStream_t) const { return {}; }
    template <class Allocator>
    execution_policy operator()(Allocator&&) const {
        return {};
    }
};
inline constexpr execution_policy device{}, host{}, seq{};
namespace cuda {
inline constexpr execution_policy par{}, par_nosync{};
}
namespace omp {
inline constexpr execution_policy par{};
}
struct device_system_tag : execution_policy {};
struct host_system_tag : execution_policy {};

template <class P>
inline constexpr bool is_policy = std::is_base_of_v<execution_policy, std::decay_t<P>>;

template <class T = void>
using plus = std::plus<T>;
template <class T = void>
using minus = std::minus<T>;
template <class T = void>
using multiplies = std::multiplies<T>;
template <class T = void>
using divides = std::divides<T>;
template <class T = void>
using modulus = std::modulus<T>;
template <class T = void>
using negate = std::negate<T>;
template <class T = void>
using less = std::less<T>;
template <class T = void>
using less_equal = std::less_equal<T>;
template <class T = void>
using greater = std::greater<T>;
template <class T = void>
using greater_equal = std::greater_equal<T>;
template <class T = void>
using equal_to = std::equal_to<T>;
template <class T = void>
using not_equal_to = std::not_equal_to<T>;
template <class T = void>
using logical_and = std::logical_and<T>;
template <class T = void>
using logical_or = std::logical_or<T>;
template <class T = void>
using logical_not = std::logical_not<T>;
template <class T = void>
using bit_and = std::bit_and<T>;
template <class T = void>
using bit_or = std::bit_or<T>;
template <class T = void>
using bit_xor = std::bit_xor<T>;

template <class T = void>
struct maximum {
    constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
    template <class T, class U>
    constexpr std::common_type_t<T, U> operator()(const T& a, const U& b) const {
        return a < b ? b : a;
    }
};
template <class T = void>
struct minimum {
    constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <>
struct minimum<void> {
    template <class T, class U>
    constexpr std::common_type_t<T, U> operator()(const T& a, const U& b) const {
        return b < a ? b : a;
    }
};
template <class T = void>
struct square {
    constexpr T operator()(const T& x) const { return x * x; }
};
template <>
struct square<void> {
    template <class T>
    constexpr T operator()(const T& x) const {
        return x * x;
    }
};
template <class T = void>
struct identity {
    constexpr const T& operator()(const T& x) const { return x; }
};
template <>
struct identity<void> {
    template <class T>
    constexpr const T& operator()(const T& x) const {
        return x;
    }
};
template <class T, class U = T>
struct project1st {
    constexpr const T& operator()(const T& a, const U&) const { return a; }
};
template <class T, class U = T>
struct project2nd {
    constexpr const U& operator()(const T&, const U& b) const { return b; }
};
template <class F>
auto not_fn(F f) {
    return std::not_fn(f);
}

// Functional expressions, as in _1 * 2 + _2.
namespace placeholders {
template <int K>
struct argument {
    template <class... A>
    constexpr auto operator()(const A&... all) const {
        return std::get<K>(std::tuple<const A&...>(all...));
    }
};
template <class F>
struct expression : F {
    constexpr expression(F f) : F(f) {}
    using F::operator();
};
inline constexpr expression<argument<0>> _1{argument<0>{}};
inline constexpr expression<argument<1>> _2{argument<1>{}};
inline constexpr expression<argument<2>> _3{argument<2>{}};

template <class T>
struct is_expression : std::false_type {};
template <class F>
struct is_expression<expression<F>> : std::true_type {};
template <class E, class... A>
constexpr auto evaluate(const E& e, const A&... all) {
    if constexpr (is_expression<E>::value)
        return e(all...);
    else
        return e;
}
#define GPUCC_EXPRESSION(op)                                                                                  \
    template <class L, class R, class = std::enable_if_t<is_expression<L>::value || is_expression<R>::value>> \
    constexpr auto operator op(L left, R right) {                                                             \
        auto f = [=](const auto&... all) { return evaluate(left, all...) op evaluate(right, all...); };       \
        return expression<decltype(f)>(f);                                                                    \
    }
GPUCC_EXPRESSION(+)
GPUCC_EXPRESSION(-)
GPUCC_EXPRESSION(*)
GPUCC_EXPRESSION(/)
GPUCC_EXPRESSION(%)
GPUCC_EXPRESSION(==)
GPUCC_EXPRESSION(!=)
GPUCC_EXPRESSION(<)
GPUCC_EXPRESSION(>)
GPUCC_EXPRESSION(<=)
GPUCC_EXPRESSION(>=)
GPUCC_EXPRESSION(&&)
GPUCC_EXPRESSION(||)
#undef GPUCC_EXPRESSION
template <class F>
constexpr auto operator-(expression<F> e) {
    auto f = [=](const auto&... all) { return -e(all...); };
    return expression<decltype(f)>(f);
}
}  // namespace placeholders

}  // namespace thrust
