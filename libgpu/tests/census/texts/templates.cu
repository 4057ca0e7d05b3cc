// SPDX-License-Identifier: MIT
//// a kernel template | k<float>
template <class T> __global__ void k(T* x) { x[0] = T(1); }
//// a kernel template of two types | k<float, int>
template <typename A, typename B> __global__ void k(A* x, B n) { x[0] = n; }
//// a kernel template of a number | k<128>
template <int N> __global__ void k(float* x) { float v[N]; v[threadIdx.x % N] = 1; x[0] = v[0]; }
//// of a bool and an enumeration | k<true, Kind::two>
enum class Kind { one, two };
template <bool B, Kind K> __global__ void k(float* x) { x[0] = B && K == Kind::two; }
//// explicit instantiation
template <class T> __global__ void f(T* x) { x[0] = T(1); }
template __global__ void f<float>(float*);
__global__ void k(float* x) { x[0] = 1; }
//// complex that the source doesn't name | k<complex<float>>
template <class T> __global__ void k(T* x) { x[0] = x[1] * x[2] + x[3]; }
//// complex of double that the source doesn't name | k<complex<double>>
template <class T> __global__ void k(T* x) { x[0] = x[1] - x[2] / x[3]; }
//// half that the source doesn't name | k<half>
template <class T> __global__ void k(T* x) { x[0] = x[1] * x[2] + x[3]; }
//// half that the source includes | k<__half>
#include <cuda_fp16.h>
template <class T> __global__ void k(T* x) { x[0] = x[1] * x[2] + x[3]; }
//// a template with a default | k<float>
template <class T, int N = 4> __global__ void k(T* x) { x[N] = T(1); }
//// variadic
template <class... T> __device__ int count(T...) { return sizeof...(T); }
__global__ void k(int* x) { x[0] = count(1, 2.0f, 'c'); }
//// fold expression
template <class... T> __device__ auto sum(T... v) { return (v + ...); }
__global__ void k(float* x) { x[0] = sum(1, 2.0f, 3); }
//// if constexpr | k<3>
template <int N> __global__ void k(int* x) { if constexpr (N > 2) x[0] = N; else x[0] = x[N].nothing; }
//// auto parameter of a template | k<5>
template <auto N> __global__ void k(int* x) { x[0] = N; }
//// template template parameter
template <class T> struct A { T a; };
template <template <class> class C> __device__ int f() { C<int> c{3}; return c.a; }
__global__ void k(int* x) { x[0] = f<A>(); }
//// variable template
template <class T> constexpr T pi = T(3.14159);
__global__ void k(float* x) { x[0] = pi<float>; }
//// alias template
template <class T> struct A { T a; };
template <class T> using B = A<T>;
__global__ void k(int* x) { B<int> b{3}; x[0] = b.a; }
//// SFINAE by decltype
template <class T> __device__ auto f(T x) -> decltype(x.get()) { return x.get(); }
__device__ int f(int x) { return x; }
__global__ void k(int* x) { x[0] = f(3); }
//// enable_if of one's own
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <class T> __device__ typename enable_if<sizeof(T) == 4, T>::type f(T x) { return x; }
__global__ void k(int* x) { x[0] = f(3); }
//// deduction guide
template <class T> struct A { T a; };
template <class T> A(T) -> A<T>;
__global__ void k(int* x) { A a{3}; x[0] = a.a; }
//// recursive template
template <int N> struct Factorial { static constexpr int value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static constexpr int value = 1; };
__global__ void k(int* x) { x[0] = Factorial<5>::value; }
//// dependent names
template <class T> struct A { typedef T type; template <class U> __device__ U as(T x) { return (U)x; } };
template <class T> __device__ float f(T x) { typename A<T>::type y = x; A<T> a; return a.template as<float>(y); }
__global__ void k(float* x) { x[0] = f(3); }
//// member template
struct A { template <class T> __device__ T twice(T x) const { return x + x; } };
__global__ void k(float* x) { x[0] = A().twice(1.5f); }
//// function pointer as an argument | k<f>
__device__ float f(float x) { return x; }
template <float (*F)(float)> __global__ void k(float* x) { x[0] = F(1); }
//// static_assert
template <class T> __device__ T f(T x) { static_assert(sizeof(T) == 4, "four bytes"); return x; }
__global__ void k(float* x) { x[0] = f(1.0f); }
//// static_assert that fails
template <class T> __device__ T f(T x) { static_assert(sizeof(T) == 8, "eight bytes"); return x; }
__global__ void k(float* x) { x[0] = f(1.0f); }
//// an argument that is missing
template <class T, int N> __device__ T f(T x) { return x * N; }
__global__ void k(float* x) { x[0] = f(1.0f); }
//// narrowing template argument | k<-1>
template <unsigned N> __global__ void k(int* x) { x[0] = N; }
