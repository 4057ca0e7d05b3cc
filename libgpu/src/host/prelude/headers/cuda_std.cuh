// SPDX-License-Identifier: MIT
// cuda::std, in one file for all of its headers: limits, functions, pairs, tuples, arrays.

#pragma GCC system_header
#pragma once
#include "libgpu/cuda_std_types.hpp"
namespace cuda { namespace std {
template <class T> constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T, class F> constexpr const T& min(const T& a, const T& b, F less) { return less(b, a) ? b : a; }
template <class T, class F> constexpr const T& max(const T& a, const T& b, F less) { return less(a, b) ? b : a; }
template <class T> constexpr const T& clamp(const T& x, const T& low, const T& high) {
    return x < low ? low : high < x ? high : x;
}
template <class T> constexpr remove_reference_t<T>&& move(T&& x) noexcept {
    return static_cast<remove_reference_t<T>&&>(x);
}
template <class T> constexpr T&& forward(remove_reference_t<T>& x) noexcept { return static_cast<T&&>(x); }
template <class T> constexpr T&& forward(remove_reference_t<T>&& x) noexcept { return static_cast<T&&>(x); }
template <class T> constexpr void swap(T& a, T& b) { T c = move(a); a = move(b); b = move(c); }
template <class T, size_t N> constexpr void swap(T (&a)[N], T (&b)[N]) {
    for (size_t k = 0; k < N; ++k) swap(a[k], b[k]);
}
template <class T, class U = T> constexpr T exchange(T& x, U&& value) {
    T old = move(x);
    x = forward<U>(value);
    return old;
}
template <class T> constexpr const T& as_const(T& x) noexcept { return x; }
#define GPU_FUNCTION(name, op) \
    template <class T = void> struct name { \
        constexpr auto operator()(const T& a, const T& b) const { return a op b; } \
    }; \
    template <> struct name<void> { \
        template <class A, class B> constexpr auto operator()(const A& a, const B& b) const { return a op b; } \
    };
GPU_FUNCTION(plus, +) GPU_FUNCTION(minus, -) GPU_FUNCTION(multiplies, *) GPU_FUNCTION(divides, /)
GPU_FUNCTION(modulus, %) GPU_FUNCTION(equal_to, ==) GPU_FUNCTION(not_equal_to, !=) GPU_FUNCTION(less, <)
GPU_FUNCTION(greater, >) GPU_FUNCTION(less_equal, <=) GPU_FUNCTION(greater_equal, >=) GPU_FUNCTION(logical_and, &&)
GPU_FUNCTION(logical_or, ||) GPU_FUNCTION(bit_and, &) GPU_FUNCTION(bit_or, |) GPU_FUNCTION(bit_xor, ^)
#undef GPU_FUNCTION

template <class T, T... I> struct integer_sequence {
    typedef T value_type;
    static constexpr size_t size() noexcept { return sizeof...(I); }
};
template <size_t... I> using index_sequence = integer_sequence<size_t, I...>;
template <class T, size_t N, T... I> struct gpu_sequence : gpu_sequence<T, N - 1, T(N - 1), I...> {};
template <class T, T... I> struct gpu_sequence<T, 0, I...> { typedef integer_sequence<T, I...> type; };
template <class T, T N> using make_integer_sequence = typename gpu_sequence<T, (size_t)N>::type;
template <size_t N> using make_index_sequence = make_integer_sequence<size_t, N>;
template <class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;

template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    pair() = default;
    constexpr pair(const A& a, const B& b) : first(a), second(b) {}
    template <class U, class V> constexpr pair(U&& a, V&& b) : first(forward<U>(a)), second(forward<V>(b)) {}
    template <class U, class V> constexpr pair(const pair<U, V>& other) : first(other.first), second(other.second) {}
    constexpr void swap(pair& other) { std::swap(first, other.first); std::swap(second, other.second); }
};
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class A, class B> constexpr pair<decay_t<A>, decay_t<B>> make_pair(A&& a, B&& b) {
    return {forward<A>(a), forward<B>(b)};
}
template <class A, class B> constexpr bool operator==(const pair<A, B>& x, const pair<A, B>& y) {
    return x.first == y.first && x.second == y.second;
}
template <class A, class B> constexpr bool operator!=(const pair<A, B>& x, const pair<A, B>& y) { return !(x == y); }
template <class A, class B> constexpr bool operator<(const pair<A, B>& x, const pair<A, B>& y) {
    return x.first < y.first || (!(y.first < x.first) && x.second < y.second);
}

template <class T, size_t N> struct array {
    typedef T value_type;
    typedef T* iterator;
    typedef const T* const_iterator;
    typedef size_t size_type;
    T gpu_elements[N];
    constexpr T& operator[](size_t k) { return gpu_elements[k]; }
    constexpr const T& operator[](size_t k) const { return gpu_elements[k]; }
    constexpr T& front() { return gpu_elements[0]; }
    constexpr const T& front() const { return gpu_elements[0]; }
    constexpr T& back() { return gpu_elements[N - 1]; }
    constexpr const T& back() const { return gpu_elements[N - 1]; }
    constexpr T* data() { return gpu_elements; }
    constexpr const T* data() const { return gpu_elements; }
    constexpr T* begin() { return gpu_elements; }
    constexpr const T* begin() const { return gpu_elements; }
    constexpr T* end() { return gpu_elements + N; }
    constexpr const T* end() const { return gpu_elements + N; }
    static constexpr size_t size() { return N; }
    static constexpr size_t max_size() { return N; }
    static constexpr bool empty() { return false; }
    constexpr void fill(const T& value) { for (T& element : gpu_elements) element = value; }
};
template <class T, class... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;
template <class T, size_t N> constexpr bool operator==(const array<T, N>& a, const array<T, N>& b) {
    for (size_t k = 0; k < N; ++k) if (!(a[k] == b[k])) return false;
    return true;
}
template <class T, size_t N> constexpr bool operator!=(const array<T, N>& a, const array<T, N>& b) { return !(a == b); }

template <size_t K, class T> struct gpu_place { T value; };
template <size_t K, class T> constexpr T& gpu_value(gpu_place<K, T>& place) { return place.value; }
template <size_t K, class T> constexpr const T& gpu_value(const gpu_place<K, T>& place) { return place.value; }
template <class I, class... T> struct gpu_places;
template <size_t... K, class... T> struct gpu_places<index_sequence<K...>, T...> : gpu_place<K, T>... {
    gpu_places() = default;
    template <class... U> constexpr gpu_places(bool, U&&... values) : gpu_place<K, T>{static_cast<T>(values)}... {}
};
template <class... T> struct tuple : gpu_places<index_sequence_for<T...>, T...> {
    typedef gpu_places<index_sequence_for<T...>, T...> places;
    tuple() = default;
    tuple(const tuple&) = default;
    template <class... U, class = enable_if_t<sizeof...(U) == sizeof...(T) && sizeof...(U) != 0>>
    constexpr tuple(U&&... values) : places(true, forward<U>(values)...) {}
    tuple& operator=(const tuple&) = default;
    template <class... U> constexpr tuple& operator=(const tuple<U...>& other) {
        assign(other, index_sequence_for<T...>());
        return *this;
    }

private:
    template <class O, size_t... K> constexpr void assign(const O& other, index_sequence<K...>) {
        ((static_cast<gpu_place<K, T>&>(*this).value = gpu_value<K>(other)), ...);
    }
};
template <class... T> tuple(T...) -> tuple<T...>;
template <size_t K, class... T> constexpr auto& get(tuple<T...>& t) { return gpu_value<K>(t); }
template <size_t K, class... T> constexpr auto& get(const tuple<T...>& t) { return gpu_value<K>(t); }
template <size_t K, class... T> constexpr auto&& get(tuple<T...>&& t) { return move(gpu_value<K>(t)); }
template <size_t K, class T, size_t N> constexpr T& get(array<T, N>& a) { return a[K]; }
template <size_t K, class T, size_t N> constexpr const T& get(const array<T, N>& a) { return a[K]; }
template <size_t K, class A, class B> constexpr auto& get(pair<A, B>& p) {
    if constexpr (K == 0) return p.first; else return p.second;
}
template <size_t K, class A, class B> constexpr auto& get(const pair<A, B>& p) {
    if constexpr (K == 0) return p.first; else return p.second;
}
template <class... T> constexpr tuple<decay_t<T>...> make_tuple(T&&... values) {
    return tuple<decay_t<T>...>(forward<T>(values)...);
}
template <class... T> constexpr tuple<T&...> tie(T&... values) { return tuple<T&...>(values...); }
template <class T> struct tuple_size;
template <class... T> struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <class A, class B> struct tuple_size<pair<A, B>> : integral_constant<size_t, 2> {};
template <class T, size_t N> struct tuple_size<array<T, N>> : integral_constant<size_t, N> {};
template <class T> struct tuple_size<const T> : tuple_size<T> {};
template <class T> inline constexpr size_t tuple_size_v = tuple_size<T>::value;
template <size_t K, class T> struct tuple_element;
template <size_t K, class F, class... T> struct tuple_element<K, tuple<F, T...>> : tuple_element<K - 1, tuple<T...>> {};
template <class F, class... T> struct tuple_element<0, tuple<F, T...>> { typedef F type; };
template <size_t K, class A, class B> struct tuple_element<K, pair<A, B>> : conditional<K == 0, A, B> {};
template <size_t K, class T, size_t N> struct tuple_element<K, array<T, N>> { typedef T type; };
template <size_t K, class T> using tuple_element_t = typename tuple_element<K, T>::type;
template <class F, class T, size_t... K> constexpr decltype(auto) gpu_apply(F&& f, T&& t, index_sequence<K...>) {
    return f(get<K>(t)...);
}
template <class F, class T> constexpr decltype(auto) apply(F&& f, T&& t) {
    return gpu_apply(f, t, make_index_sequence<tuple_size<remove_reference_t<T>>::value>());
}

#ifdef __global__  // not in generated kernels
#define GPU_OF_GLOBAL(name) using ::name;
GPU_OF_GLOBAL(sqrt) GPU_OF_GLOBAL(cbrt) GPU_OF_GLOBAL(exp) GPU_OF_GLOBAL(exp2) GPU_OF_GLOBAL(expm1) GPU_OF_GLOBAL(log)
GPU_OF_GLOBAL(log2) GPU_OF_GLOBAL(log10) GPU_OF_GLOBAL(log1p) GPU_OF_GLOBAL(sin) GPU_OF_GLOBAL(cos) GPU_OF_GLOBAL(tan)
GPU_OF_GLOBAL(asin) GPU_OF_GLOBAL(acos) GPU_OF_GLOBAL(atan) GPU_OF_GLOBAL(atan2) GPU_OF_GLOBAL(sinh) GPU_OF_GLOBAL(cosh)
GPU_OF_GLOBAL(tanh) GPU_OF_GLOBAL(pow) GPU_OF_GLOBAL(hypot) GPU_OF_GLOBAL(floor) GPU_OF_GLOBAL(ceil)
GPU_OF_GLOBAL(trunc) GPU_OF_GLOBAL(round) GPU_OF_GLOBAL(rint) GPU_OF_GLOBAL(fmod) GPU_OF_GLOBAL(fma) GPU_OF_GLOBAL(fmin)
GPU_OF_GLOBAL(fmax) GPU_OF_GLOBAL(abs) GPU_OF_GLOBAL(fabs) GPU_OF_GLOBAL(isnan) GPU_OF_GLOBAL(isinf)
GPU_OF_GLOBAL(isfinite) GPU_OF_GLOBAL(signbit) GPU_OF_GLOBAL(copysign) GPU_OF_GLOBAL(erf) GPU_OF_GLOBAL(tgamma)
#undef GPU_OF_GLOBAL
#endif
}}  // namespace cuda::std
// Structured bindings look these up in std only.
namespace std {
template <class T> struct tuple_size;
template <__SIZE_TYPE__ K, class T> struct tuple_element;
template <class... T> struct tuple_size<cuda::std::tuple<T...>> : cuda::std::tuple_size<cuda::std::tuple<T...>> {};
template <class... T> struct tuple_size<const cuda::std::tuple<T...>> : tuple_size<cuda::std::tuple<T...>> {};
template <__SIZE_TYPE__ K, class... T> struct tuple_element<K, cuda::std::tuple<T...>>
    : cuda::std::tuple_element<K, cuda::std::tuple<T...>> {};
template <__SIZE_TYPE__ K, class... T> struct tuple_element<K, const cuda::std::tuple<T...>>
    : cuda::std::add_const<typename cuda::std::tuple_element<K, cuda::std::tuple<T...>>::type> {};
}  // namespace std
