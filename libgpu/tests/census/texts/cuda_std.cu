// SPDX-License-Identifier: MIT
//// numeric_limits
#include <cuda/std/limits>
__global__ void k(float* x) { x[0] = cuda::std::numeric_limits<float>::max() + cuda::std::numeric_limits<int>::min() + cuda::std::numeric_limits<float>::infinity() + cuda::std::numeric_limits<double>::epsilon(); }
//// numeric_limits in a template | k<float>
#include <cuda/std/limits>
template <class T> __global__ void k(T* x) { constexpr T low = cuda::std::numeric_limits<T>::lowest(); x[0] = low; static_assert(cuda::std::numeric_limits<T>::is_signed, ""); }
//// min and max
#include <cuda/std/algorithm>
__global__ void k(float* x) { x[0] = cuda::std::max(x[1], cuda::std::min(x[2], x[3])); }
//// clamp
#include <cuda/std/algorithm>
__global__ void k(float* x) { x[0] = cuda::std::clamp(x[1], 0.0f, 1.0f); }
//// max of functional
#include <cuda/std/functional>
__global__ void k(float* x) { x[0] = cuda::std::max(x[1], x[2]) + cuda::std::plus<float>()(x[1], 2) + cuda::std::multiplies<>()(x[1], 2.0f); }
//// swap, move, forward
#include <cuda/std/utility>
template <class F, class T> __device__ void call(F f, T&& v) { f(cuda::std::forward<T>(v)); }
__global__ void k(int* x) { cuda::std::swap(x[0], x[1]); int a = cuda::std::move(x[2]); call([&](int v) { x[3] = v; }, a); }
//// exchange
#include <cuda/std/utility>
__global__ void k(int* x) { x[0] = cuda::std::exchange(x[1], 3); }
//// pair
#include <cuda/std/utility>
__global__ void k(float* x) { cuda::std::pair<float, int> p{1.0f, 2}; auto q = cuda::std::make_pair(3, 4.0f); auto [a, b] = q; x[0] = p.first + q.second + a + b + (p < p); }
//// tuple
#include <cuda/std/tuple>
__global__ void k(float* x) { cuda::std::tuple<int, float> t{1, 2.0f}; auto u = cuda::std::make_tuple(1, 2.5f, 3.0); auto [a, b] = t; x[0] = cuda::std::get<1>(t) + cuda::std::get<2>(u) + a + b; }
//// tuple_size, tie
#include <cuda/std/tuple>
__global__ void k(float* x) { cuda::std::tuple<int, float> t{1, 2.0f}; int a; float b; cuda::std::tie(a, b) = t; x[0] = a + b + cuda::std::tuple_size<decltype(t)>::value; }
//// array
#include <cuda/std/array>
__global__ void k(int* x) { cuda::std::array<int, 3> a{1, 2, 3}; int s = 0; for (int v : a) s += v; a[1] = s; a.fill(4); x[0] = a[1] + a.size() + a.front() + a.back() + *a.data(); }
//// array in shared memory and as an argument
#include <cuda/std/array>
__global__ void k(float* x, cuda::std::array<float, 4> a) { __shared__ cuda::std::array<float, 4> s; s = a; x[0] = s[1]; }
//// type traits
#include <cuda/std/type_traits>
static_assert(cuda::std::is_same<int, int>::value && !cuda::std::is_same_v<int, float>, "");
static_assert(cuda::std::is_integral_v<int> && cuda::std::is_floating_point_v<float> && cuda::std::is_pointer_v<int*>, "");
static_assert(cuda::std::is_signed_v<int> && cuda::std::is_unsigned_v<unsigned> && cuda::std::is_const_v<const int>, "");
static_assert(cuda::std::is_arithmetic_v<float> && cuda::std::is_trivially_copyable_v<float4>, "");
__global__ void k(int* x) { x[0] = 1; }
//// transformations of types
#include <cuda/std/type_traits>
template <class T> using plain = cuda::std::remove_cv_t<cuda::std::remove_reference_t<T>>;
static_assert(cuda::std::is_same_v<plain<const int&>, int>, "");
static_assert(cuda::std::is_same_v<cuda::std::decay_t<int[3]>, int*>, "");
static_assert(cuda::std::is_same_v<cuda::std::conditional_t<true, int, float>, int>, "");
static_assert(cuda::std::is_same_v<cuda::std::make_unsigned_t<int>, unsigned>, "");
static_assert(cuda::std::is_same_v<cuda::std::remove_pointer_t<int*>, int>, "");
static_assert(cuda::std::is_same_v<cuda::std::common_type_t<int, float>, float>, "");
__global__ void k(int* x) { x[0] = 1; }
//// enable_if
#include <cuda/std/type_traits>
template <class T, cuda::std::enable_if_t<cuda::std::is_integral_v<T>, int> = 0> __device__ T f(T x) { return x; }
template <class T> __device__ cuda::std::enable_if_t<!cuda::std::is_integral<T>::value, T> f(T x) { return 2 * x; }
__global__ void k(float* x) { x[0] = f(1) + f(2.5f); }
//// integral_constant and void_t
#include <cuda/std/type_traits>
template <class T, class = void> struct has_x : cuda::std::false_type {};
template <class T> struct has_x<T, cuda::std::void_t<decltype(T::x)>> : cuda::std::true_type {};
__global__ void k(int* x) { x[0] = has_x<float4>::value + has_x<int>::value + cuda::std::integral_constant<int, 3>::value; }
//// invoke_result and declval
#include <cuda/std/type_traits>
#include <cuda/std/utility>
template <class F> __device__ cuda::std::invoke_result_t<F, int> call(F f) { return f(3); }
__global__ void k(float* x) { x[0] = call([](int a) { return a * 0.5f; }); decltype(cuda::std::declval<float>() + 1) b = 2; x[1] = b; }
//// cstdint
#include <cuda/std/cstdint>
__global__ void k(cuda::std::uint32_t* x, cuda::std::int64_t* y) { cuda::std::uint8_t a = x[1]; x[0] = a + y[0]; }
//// cstdint, also without a namespace
#include <cuda/std/cstdint>
__global__ void k(cuda::std::uint32_t* x) { uint32_t a = x[1]; x[0] = a; }
//// cstddef
#include <cuda/std/cstddef>
__global__ void k(int* x, cuda::std::size_t n) { cuda::std::ptrdiff_t d = n; x[d] = 1; }
//// cmath
#include <cuda/std/cmath>
__global__ void k(float* x) { x[0] = cuda::std::sqrt(x[1]) + cuda::std::abs(x[2]) + cuda::std::fmax(x[1], x[2]); }
//// math functions of whole numbers beside it
#include <cuda/std/cmath>
#include <cuda/std/limits>
__global__ void k(float* x, int n) { x[0] = sqrt(n) + pow(x[1], 2.0) + cuda::std::sqrt(x[2]) + INFINITY; }
//// a namespace of one's own for it
#include <cuda/std/limits>
#include <cuda/std/utility>
namespace std_ = cuda::std;
__global__ void k(float* x) { x[0] = std_::numeric_limits<float>::min(); std_::pair<int, int> p; p.first = 1; x[1] = p.first; }
//// index_sequence
#include <cuda/std/utility>
template <int... I> __device__ int sum(cuda::std::integer_sequence<int, I...>) { return (I + ... + 0); }
__global__ void k(int* x) { x[0] = sum(cuda::std::make_integer_sequence<int, 4>()); }
//// optional
#include <cuda/std/optional>
__global__ void k(int* x) { cuda::std::optional<int> a(3); x[0] = *a; }
//// complex
#include <cuda/std/complex>
__global__ void k(float* x) { cuda::std::complex<float> z(1, 2); x[0] = z.real(); }
//// atomic_ref
#include <cuda/atomic>
__global__ void k(int* x) { cuda::atomic_ref<int> a(x[0]); a.fetch_add(1); }
