// SPDX-License-Identifier: MIT
//// a kernel
__global__ void k(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }
//// extern "C"
extern "C" __global__ void k(float* x) { x[0] = 1; }
//// an extern "C" block
extern "C" {
__device__ float f(float x) { return x; }
__global__ void k(float* x) { x[0] = f(1); }
}
//// static kernel
static __global__ void k(float* x) { x[0] = 1; }
//// void first
void __global__ k(float* x) { x[0] = 1; }
//// __launch_bounds__
__global__ void __launch_bounds__(256) k(float* x) { x[0] = 1; }
//// __launch_bounds__ with two numbers
__global__ __launch_bounds__(256, 2) void k(float* x) { x[0] = 1; }
//// __restrict__
__global__ void k(const float* __restrict__ x, float* __restrict__ y) { y[0] = x[0]; }
//// a structure by value
struct P { float a; int b[3]; };
__global__ void k(float* x, P p) { x[0] = p.a + p.b[1]; }
//// __grid_constant__
struct P { float a; int b[3]; };
__global__ void k(float* x, const __grid_constant__ P p) { x[0] = p.a + p.b[1]; }
//// declared before it is defined
__global__ void k(float* x);
__device__ float f(float);
__global__ void k(float* x) { x[0] = f(1); }
__device__ float f(float x) { return x; }
//// in a namespace | n::k
namespace n { __global__ void k(float* x) { x[0] = 1; } }
//// in an unnamed namespace
namespace { __global__ void k(float* x) { x[0] = 1; } }
//// in an inline namespace
inline namespace n { __global__ void k(float* x) { x[0] = 1; } }
//// a nested namespace | a::b::k
namespace a::b { __global__ void k(float* x) { x[0] = 1; } }
//// __device__ variable
__device__ int counter;
__global__ void k(int* x) { x[0] = atomicAdd(&counter, 1); }
//// __device__ variable with a value
__device__ int table[4] = {1, 2, 3, 4};
__global__ void k(int* x) { x[0] = table[x[1]]; }
//// static __device__ variable
static __device__ float value = 2.5f;
__global__ void k(float* x) { x[0] = value; }
//// __constant__ array
__constant__ float filter[9];
__global__ void k(float* x) { x[0] = filter[4]; }
//// __constant__ with values
__constant__ float filter[3] = {1, 2, 1};
__global__ void k(float* x) { x[0] = filter[1]; }
//// __constant__ structure
struct P { float a; int b; };
__constant__ P p;
__global__ void k(float* x) { x[0] = p.a; }
//// const __device__
const __device__ int n = 4;
__global__ void k(int* x) { x[0] = n; }
//// __device__ const behind
__device__ const int table[3] = {1, 2, 3};
__global__ void k(int* x) { x[0] = table[x[1]]; }
//// __device__ constexpr
__device__ constexpr float table[3] = {1, 2, 3};
__global__ void k(float* x) { x[0] = table[(int)x[1]]; }
//// __device__ pointer to a kernel's array
__device__ float* where;
__global__ void k(float* x) { where = x; where[0] = 1; }
//// volatile __device__
__device__ volatile int flag;
__global__ void k(int* x) { flag = 1; x[0] = flag; }
//// const int at file scope
const int n = 3;
__global__ void k(int* x) { x[0] = n; }
//// const float at file scope
const float pi = 3.14f;
__global__ void k(float* x) { x[0] = pi; }
//// const array at file scope
const int table[2] = {1, 2};
__global__ void k(int* x) { x[0] = table[x[1]]; }
//// constexpr array at file scope
constexpr int table[2] = {1, 2};
__global__ void k(int* x) { x[0] = table[x[1]]; }
//// constexpr value by reference
constexpr float four = 4;
__device__ float f(const float& a) { return a; }
__global__ void k(float* x) { x[0] = f(four); }
//// static const array in a kernel
__global__ void k(int* x) { static const int t[3] = {1, 2, 3}; x[0] = t[x[1]]; }
//// static variable in a kernel
__global__ void k(int* x) { static int n = 0; x[0] = n++; }
//// static __device__ variable in a kernel
__global__ void k(int* x) { static __device__ int n = 0; x[0] = n++; }
//// __noinline__ and __forceinline__
__noinline__ __device__ float f(float x) { return x; }
__forceinline__ __device__ float g(float x) { return x; }
__device__ __inline__ float h(float x) { return x; }
__global__ void k(float* x) { x[0] = f(1) + g(2) + h(3); }
//// __host__ __device__
__host__ __device__ float f(float x) { return x; }
__global__ void k(float* x) { x[0] = f(1); }
//// inline __device__
inline __device__ float f(float x) { return x; }
static inline __device__ float g(float x) { return x; }
__global__ void k(float* x) { x[0] = f(1) + g(2); }
//// __device__ at the end of the specifiers
inline float __device__ f(float x) { return x; }
__global__ void k(float* x) { x[0] = f(1); }
//// default arguments
__device__ float f(float x, float y = 2) { return x + y; }
__global__ void k(float* x) { x[0] = f(1); }
//// overloads
__device__ float f(float x) { return x; }
__device__ int f(int x) { return x; }
__global__ void k(float* x) { x[0] = f(1) + f(1.0f); }
//// overloaded min
struct V { float a; };
__device__ V min(V a, V b) { return a.a < b.a ? a : b; }
__global__ void k(V* x) { x[0] = min(x[1], x[2]); }
//// recursion
__device__ int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
__global__ void k(int* x) { x[0] = f(x[1]); }
//// a function pointer
__device__ float f(float x) { return x; }
__global__ void k(float* x) { float (*p)(float) = f; x[0] = p(1); }
//// a table of functions
__device__ float f(float x) { return x; }
__device__ float (*table[1])(float) = {f};
__global__ void k(float* x) { x[0] = table[0](1); }
//// typedef and using
typedef float real;
using index = unsigned int;
__global__ void k(real* x) { index i = threadIdx.x; x[i] = 1; }
//// #pragma unroll
__global__ void k(float* x) {
#pragma unroll
    for (int i = 0; i < 4; ++i) x[i] = i;
#pragma unroll 2
    for (int i = 0; i < 4; ++i) x[i] += i;
}
//// a local variable called warpSize
__global__ void k(int* x) { const int warpSize = 16; x[0] = warpSize; }
//// warpSize
__global__ void k(int* x) { x[0] = threadIdx.x / warpSize; }
//// a local array of warpSize
__global__ void k(int* x) { int n[warpSize]; n[0] = 1; x[0] = n[0]; }
//// a parameter called warpSize
__device__ int f(int warpSize) { return warpSize; }
__global__ void k(int* x) { x[0] = f(3); }
//// a function without __device__
float f(float x) { return x; }
__global__ void k(float* x) { x[0] = f(1); }
//// a function without __device__ that nobody calls
float f(float x) { return x; }
__global__ void k(float* x) { x[0] = 1; }
//// a static inline function without __device__
static inline float f(float x) { return x; }
__global__ void k(float* x) { x[0] = f(1); }
//// a constexpr function without __device__
constexpr int f(int x) { return 2 * x; }
__global__ void k(int* x) { x[0] = f(x[1]); }
//// a constexpr function without __device__, as a length
constexpr int f(int x) { return 2 * x; }
__global__ void k(float* x) { float s[f(4)]; s[0] = 1; x[0] = s[0]; }
//// a function template without __device__
template <class T> T f(T x) { return x; }
__global__ void k(float* x) { x[0] = f(1.0f); }
//// a member function without __device__
struct S { int a; int get() const { return a; } };
__global__ void k(S* x) { x[0].a = x[1].get(); }
//// a constructor without __device__
struct S { int a; S(int b) : a(b) {} };
__global__ void k(S* x) { x[0] = S(3); }
//// a friend without __device__
struct S { int a; friend bool operator==(S x, S y) { return x.a == y.a; } };
__global__ void k(S* x) { x[0].a = x[1] == x[0]; }
//// a class template's member without __device__
template <class T> struct S { T a; T get() const { return a; } };
__global__ void k(S<int>* x) { x[0].a = x[1].get(); }
//// a function that is annotated in its declaration alone
__device__ float f(float x);
float f(float x) { return x; }
__global__ void k(float* x) { x[0] = f(1); }
//// a function annotated by a macro
#define DEVICE __device__ inline
DEVICE float f(float x) { return x; }
__global__ void k(float* x) { x[0] = f(1); }
//// a local structure's function
__global__ void k(int* x) { struct S { int a; int get() const { return a; } } s{3}; x[0] = s.get(); }
//// a __host__ function
__host__ float f(float x) { return x; }
__global__ void k(float* x) { x[0] = 1; }
//// a declaration without __device__
float f(float x);
__global__ void k(float* x) { x[0] = 1; }
//// a variable without __device__
int n = 3;
__global__ void k(int* x) { x[0] = n; }
//// a static array without __device__
static float table[4];
__global__ void k(float* x) { x[0] = table[0]; }
//// a variable without __device__ in a namespace
namespace a { float scale = 2; }
__global__ void k(float* x) { x[0] = a::scale; }
//// a variable with braces and without __device__
int table[] = {1, 2, 3};
__global__ void k(int* x) { x[0] = table[1]; }
//// a lambda at file scope
auto f = [](int a) { return a; };
__global__ void k(int* x) { x[0] = f(1); }
//// a constexpr lambda at file scope
constexpr auto f = [](int a) { return a; };
__global__ void k(int* x) { x[0] = f(1); }
//// a local array of run-time length
__global__ void k(int* x, int n) { int a[n]; a[0] = n; x[0] = a[0]; }
//// a local array of a const's length
__global__ void k(int* x) { const int n = 4; int a[n]; a[0] = n; x[0] = a[0]; }
//// a kernel that returns a value
__global__ int k(int* x) { return x[0]; }
//// thread_local
__global__ void k(int* x) { thread_local int n; x[0] = n; }
//// a missing semicolon
__global__ void k(int* x) { int i = threadIdx.x x[i] = 1; }
//// an undeclared name
__global__ void k(int* x) { x[0] = nothing; }
//// a const array written
__global__ void k(const float* x) { x[0] = 1; }
