// SPDX-License-Identifier: MIT
// cuda::std's type traits.

#pragma GCC system_header
#pragma once
namespace cuda { namespace std {
using ::size_t; using ::ptrdiff_t; using ::intptr_t; using ::uintptr_t;
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
typedef decltype(nullptr) nullptr_t;

template <class T, T V> struct integral_constant {
    static constexpr T value = V;
    typedef T value_type;
    typedef integral_constant type;
    constexpr operator T() const noexcept { return V; }
    constexpr T operator()() const noexcept { return V; }
};
template <bool B> using bool_constant = integral_constant<bool, B>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <class...> struct gpu_void { typedef void type; };
template <class... T> using void_t = typename gpu_void<T...>::type;
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T, class F> struct conditional { typedef T type; };
template <class T, class F> struct conditional<false, T, F> { typedef F type; };
template <class T> struct type_identity { typedef T type; };
#define GPU_REMOVE(name, from) \
    template <class T> struct name { typedef T type; }; \
    template <class T> struct name<from> { typedef T type; };
GPU_REMOVE(remove_const, const T) GPU_REMOVE(remove_volatile, volatile T)
GPU_REMOVE(gpu_remove_rvalue, T&&) GPU_REMOVE(gpu_remove_lvalue, T&) GPU_REMOVE(gpu_remove_pointer, T*)
GPU_REMOVE(remove_extent, T[])
#undef GPU_REMOVE
template <class T, size_t N> struct remove_extent<T[N]> { typedef T type; };
template <class T> struct remove_cv : remove_const<typename remove_volatile<T>::type> {};
template <class T> struct remove_reference : gpu_remove_lvalue<typename gpu_remove_rvalue<T>::type> {};
template <class T> struct remove_pointer : gpu_remove_pointer<typename remove_cv<T>::type> {};
template <class T> struct remove_cvref : remove_cv<typename remove_reference<T>::type> {};
template <class T> struct add_const { typedef const T type; };
template <class T> struct add_pointer { typedef typename remove_reference<T>::type* type; };
template <class T, class = void> struct add_lvalue_reference { typedef T type; };
template <class T> struct add_lvalue_reference<T, void_t<T&>> { typedef T& type; };
template <class T, class = void> struct add_rvalue_reference { typedef T type; };
template <class T> struct add_rvalue_reference<T, void_t<T&&>> { typedef T&& type; };
template <class T> typename add_rvalue_reference<T>::type declval() noexcept;

template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> struct is_volatile : false_type {};
template <class T> struct is_volatile<volatile T> : true_type {};
template <class T> struct is_reference : false_type {};
template <class T> struct is_reference<T&> : true_type {};
template <class T> struct is_reference<T&&> : true_type {};
template <class T> struct is_lvalue_reference : false_type {};
template <class T> struct is_lvalue_reference<T&> : true_type {};
template <class T> struct is_rvalue_reference : false_type {};
template <class T> struct is_rvalue_reference<T&&> : true_type {};
template <class T> struct gpu_is_pointer : false_type {};
template <class T> struct gpu_is_pointer<T*> : true_type {};
template <class T> struct is_pointer : gpu_is_pointer<typename remove_cv<T>::type> {};
template <class T> struct is_array : false_type {};
template <class T> struct is_array<T[]> : true_type {};
template <class T, size_t N> struct is_array<T[N]> : true_type {};
template <class T> struct is_function : bool_constant<!is_const<const T>::value && !is_reference<T>::value> {};
template <class T> struct is_void : is_same<typename remove_cv<T>::type, void> {};
template <class T> struct is_null_pointer : is_same<typename remove_cv<T>::type, nullptr_t> {};
template <class T> struct is_integral : bool_constant<gpu_is_integer<typename remove_cv<T>::type>::value> {};
template <class T> struct is_floating_point
    : bool_constant<is_same<typename remove_cv<T>::type, float>::value ||
                    is_same<typename remove_cv<T>::type, double>::value> {};
template <class T> struct is_arithmetic : bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};
template <class T, bool = is_arithmetic<T>::value> struct gpu_is_signed : bool_constant<(T(-1) < T(0))> {};
template <class T> struct gpu_is_signed<T, false> : false_type {};
template <class T> struct is_signed : gpu_is_signed<T> {};
template <class T> struct is_unsigned : bool_constant<is_arithmetic<T>::value && !is_signed<T>::value> {};
#define GPU_ASK(name, question) template <class T> struct name : bool_constant<question(T)> {};
GPU_ASK(is_enum, __is_enum) GPU_ASK(is_class, __is_class) GPU_ASK(is_union, __is_union) GPU_ASK(is_empty, __is_empty)
GPU_ASK(is_trivially_copyable, __is_trivially_copyable) GPU_ASK(is_standard_layout, __is_standard_layout)
GPU_ASK(is_polymorphic, __is_polymorphic) GPU_ASK(is_final, __is_final) GPU_ASK(is_abstract, __is_abstract)
GPU_ASK(is_trivial, __is_trivial) GPU_ASK(is_aggregate, __is_aggregate)
#undef GPU_ASK
template <class T, class... A> struct is_constructible : bool_constant<__is_constructible(T, A...)> {};
template <class T> struct is_default_constructible : bool_constant<__is_constructible(T)> {};
template <class B, class D> struct is_base_of : bool_constant<__is_base_of(B, D)> {};
template <class F, class T, class = void> struct is_convertible : false_type {};
template <class T> void gpu_take(T) noexcept;
template <class F, class T> struct is_convertible<F, T, void_t<decltype(gpu_take<T>(declval<F>()))>> : true_type {};
template <class T> struct alignment_of : integral_constant<size_t, alignof(T)> {};
template <class T> struct rank : integral_constant<size_t, 0> {};
template <class T, size_t N> struct rank<T[N]> : integral_constant<size_t, rank<T>::value + 1> {};
template <class... B> struct conjunction : bool_constant<(B::value && ...)> {};
template <class... B> struct disjunction : bool_constant<(B::value || ...)> {};
template <class B> struct negation : bool_constant<!B::value> {};
template <class T> struct underlying_type { typedef __underlying_type(T) type; };
template <class T> struct make_unsigned;
template <class T> struct make_signed;
#define GPU_SIGNS(S, U) \
    template <> struct make_unsigned<S> { typedef U type; }; \
    template <> struct make_unsigned<U> { typedef U type; }; \
    template <> struct make_signed<S> { typedef S type; }; \
    template <> struct make_signed<U> { typedef S type; };
GPU_SIGNS(signed char, unsigned char) GPU_SIGNS(short, unsigned short) GPU_SIGNS(int, unsigned)
GPU_SIGNS(long, unsigned long) GPU_SIGNS(long long, unsigned long long)
#undef GPU_SIGNS
template <class T> struct decay {
    typedef typename remove_reference<T>::type plain;
    typedef typename conditional<is_array<plain>::value, typename remove_extent<plain>::type*,
                                 typename conditional<is_function<plain>::value, typename add_pointer<plain>::type,
                                                      typename remove_cv<plain>::type>::type>::type type;
};
template <class... T> struct common_type;
template <class A> struct common_type<A> : decay<A> {};
template <class A, class B> struct common_type<A, B> : decay<decltype(true ? declval<A>() : declval<B>())> {};
template <class A, class B, class... C> struct common_type<A, B, C...>
    : common_type<typename common_type<A, B>::type, C...> {};
template <class F, class... A> struct invoke_result { typedef decltype(declval<F>()(declval<A>()...)) type; };
template <class, class F, class... A> struct gpu_is_invocable : false_type {};
template <class F, class... A>
struct gpu_is_invocable<void_t<decltype(declval<F>()(declval<A>()...))>, F, A...> : true_type {};
template <class F, class... A> struct is_invocable : gpu_is_invocable<void, F, A...> {};
#define GPU_TYPE(name) template <class T> using name##_t = typename name<T>::type;
GPU_TYPE(remove_const) GPU_TYPE(remove_volatile) GPU_TYPE(remove_cv) GPU_TYPE(remove_reference) GPU_TYPE(remove_cvref)
GPU_TYPE(remove_pointer) GPU_TYPE(remove_extent) GPU_TYPE(add_const) GPU_TYPE(add_pointer) GPU_TYPE(make_unsigned)
GPU_TYPE(make_signed) GPU_TYPE(decay) GPU_TYPE(underlying_type) GPU_TYPE(add_lvalue_reference)
GPU_TYPE(add_rvalue_reference)
#undef GPU_TYPE
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class... T> using common_type_t = typename common_type<T...>::type;
template <class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type;
#define GPU_VALUE(name) template <class T> inline constexpr bool name##_v = name<T>::value;
GPU_VALUE(is_const) GPU_VALUE(is_volatile) GPU_VALUE(is_reference) GPU_VALUE(is_lvalue_reference) GPU_VALUE(is_pointer)
GPU_VALUE(is_rvalue_reference) GPU_VALUE(is_array) GPU_VALUE(is_function) GPU_VALUE(is_void) GPU_VALUE(is_integral)
GPU_VALUE(is_floating_point) GPU_VALUE(is_arithmetic) GPU_VALUE(is_signed) GPU_VALUE(is_unsigned) GPU_VALUE(is_enum)
GPU_VALUE(is_class) GPU_VALUE(is_union) GPU_VALUE(is_empty) GPU_VALUE(is_trivially_copyable) GPU_VALUE(is_trivial)
GPU_VALUE(is_standard_layout) GPU_VALUE(is_polymorphic) GPU_VALUE(is_final) GPU_VALUE(is_abstract)
GPU_VALUE(is_aggregate) GPU_VALUE(is_default_constructible) GPU_VALUE(is_null_pointer)
#undef GPU_VALUE
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <class B, class D> inline constexpr bool is_base_of_v = is_base_of<B, D>::value;
template <class F, class T> inline constexpr bool is_convertible_v = is_convertible<F, T>::value;
template <class T, class... A> inline constexpr bool is_constructible_v = is_constructible<T, A...>::value;
template <class F, class... A> inline constexpr bool is_invocable_v = is_invocable<F, A...>::value;
template <class... B> inline constexpr bool conjunction_v = conjunction<B...>::value;
template <class... B> inline constexpr bool disjunction_v = disjunction<B...>::value;
template <class B> inline constexpr bool negation_v = negation<B>::value;

template <class T> struct numeric_limits { static constexpr bool is_specialized = false; };
#define GPU_LIMITS_OF(T, whole, low, min_value, max_value, bits, digits10_, is_signed_) \
    template <> struct numeric_limits<T> { \
        static constexpr bool is_specialized = true, is_integer = whole, is_exact = whole, is_signed = is_signed_; \
        static constexpr bool has_infinity = !whole, has_quiet_NaN = !whole, is_iec559 = !whole, is_bounded = true; \
        static constexpr int digits = bits, digits10 = digits10_, radix = 2; \
        static constexpr T min() noexcept { return min_value; } \
        static constexpr T max() noexcept { return max_value; } \
        static constexpr T lowest() noexcept { return low; } \
        GPU_LIMITS_REST
#define GPU_LIMITS_REST \
        static constexpr int epsilon() noexcept { return 0; } \
        static constexpr int infinity() noexcept { return 0; } \
        static constexpr int quiet_NaN() noexcept { return 0; } \
    };
#define GPU_LIMITS_WHOLE(T, min_value, max_value, bits) \
    GPU_LIMITS_OF(T, true, min_value, min_value, max_value, bits, (bits) * 3 / 10, ((T)-1 < (T)0))
GPU_LIMITS_WHOLE(bool, false, true, 1) GPU_LIMITS_WHOLE(char, -128, 127, 7) GPU_LIMITS_WHOLE(signed char, -128, 127, 7)
GPU_LIMITS_WHOLE(unsigned char, 0, 255, 8) GPU_LIMITS_WHOLE(short, -32768, 32767, 15)
GPU_LIMITS_WHOLE(unsigned short, 0, 65535, 16) GPU_LIMITS_WHOLE(int, -__INT_MAX__ - 1, __INT_MAX__, 31)
GPU_LIMITS_WHOLE(unsigned, 0, __INT_MAX__ * 2u + 1u, 32) GPU_LIMITS_WHOLE(long, -__LONG_MAX__ - 1, __LONG_MAX__, 63)
GPU_LIMITS_WHOLE(unsigned long, 0, __LONG_MAX__ * 2ul + 1ul, 64)
GPU_LIMITS_WHOLE(long long, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__, 63)
GPU_LIMITS_WHOLE(unsigned long long, 0, __LONG_LONG_MAX__ * 2ull + 1ull, 64)
#undef GPU_LIMITS_REST
#define GPU_LIMITS_REST
#define GPU_LIMITS_FLOAT(T, P, suffix, bits, digits10_) \
    GPU_LIMITS_OF(T, false, -P##_MAX__, P##_MIN__, P##_MAX__, bits, digits10_, true) \
        static constexpr int max_digits10 = bits * 301 / 1000 + 2; \
        static constexpr T epsilon() noexcept { return P##_EPSILON__; } \
        static constexpr T round_error() noexcept { return T(0.5); } \
        static constexpr T denorm_min() noexcept { return P##_DENORM_MIN__; } \
        static constexpr T infinity() noexcept { return __builtin_huge_val##suffix(); } \
        static constexpr T quiet_NaN() noexcept { return __builtin_nan##suffix(""); } \
    };
GPU_LIMITS_FLOAT(float, __FLT, f, 24, 6) GPU_LIMITS_FLOAT(double, __DBL, , 53, 15)
#undef GPU_LIMITS_FLOAT
#undef GPU_LIMITS_WHOLE
#undef GPU_LIMITS_OF
#undef GPU_LIMITS_REST
template <class T> struct numeric_limits<const T> : numeric_limits<T> {};
}}  // namespace cuda::std
