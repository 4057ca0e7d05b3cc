// SPDX-License-Identifier: MIT
//// a plain array
__global__ void k(float* x) { __shared__ float s[32]; s[threadIdx.x] = 1; x[0] = s[0]; }
//// a single value
__global__ void k(int* x) { __shared__ int s; if (threadIdx.x == 0) s = x[1]; x[0] = s; }
//// two dimensions with padding
__global__ void k(float* x) { __shared__ float s[32][33]; s[threadIdx.x][threadIdx.y] = 1; x[0] = s[0][1]; }
//// several names in one declaration
__global__ void k(float* x) { __shared__ float a[32], b[32], c; a[0] = b[0] = c = 1; x[0] = a[0]; }
//// an array of structures
struct Pair { float a; int b; };
__global__ void k(float* x) { __shared__ Pair s[4]; s[0].a = 1; x[0] = s[0].a; }
//// a structure defined in the declaration
__global__ void k(int* x) { __shared__ struct { int u[4], v; } a; a.v = 1; x[0] = a.v; }
//// a named structure defined in the declaration
__global__ void k(int* x) { __shared__ struct P { int u, v; } a[4], b; a[0].u = b.v = 1; x[0] = a[0].u; }
//// a union
__global__ void k(int* x) { __shared__ union { int i[32]; float f[32]; } u; u.i[0] = 1; x[0] = u.i[0]; }
//// the type first
__global__ void k(float* x) { float __shared__ s[32]; s[0] = 1; x[0] = s[0]; }
//// static
__global__ void k(int* x) { static __shared__ int s[3]; s[0] = 1; x[0] = s[0]; }
//// static behind
__global__ void k(int* x) { __shared__ static int s[3]; s[0] = 1; x[0] = s[0]; }
//// volatile
__global__ void k(int* x) { volatile __shared__ int s[3]; s[0] = 1; x[0] = s[0]; }
//// volatile behind
__global__ void k(int* x) { __shared__ volatile int s[3]; s[0] = 1; x[0] = s[0]; }
//// __align__
__global__ void k(float* x) { __shared__ __align__(16) float s[32]; s[0] = 1; x[0] = s[0]; }
//// __align__ first
__global__ void k(float* x) { __align__(16) __shared__ float s[32]; s[0] = 1; x[0] = s[0]; }
//// alignas first
__global__ void k(float* x) { alignas(16) __shared__ float s[32]; s[0] = 1; x[0] = s[0]; }
//// alignas behind
__global__ void k(float* x) { __shared__ alignas(16) float s[32]; s[0] = 1; x[0] = s[0]; }
//// alignas of a type
__global__ void k(float* x) { __shared__ alignas(float4) float s[32]; s[0] = 1; x[0] = s[0]; }
//// alignas, static and two names
__global__ void k(float* x) { static __shared__ alignas(16) float s[32], t[3]; s[0] = t[0] = 1; x[0] = s[0]; }
//// at file scope
__shared__ float s[32];
__global__ void k(float* x) { s[0] = 1; x[0] = s[0]; }
//// static at file scope
static __shared__ float s[32];
__global__ void k(float* x) { s[0] = 1; x[0] = s[0]; }
//// in a namespace
namespace n { __shared__ float s[32]; }
__global__ void k(float* x) { n::s[0] = 1; x[0] = n::s[0]; }
//// in a device function
__device__ int* f() { __shared__ int s[4]; return s; }
__global__ void k(int* x) { x[0] = f()[0]; }
//// in a static member function
struct A { static __device__ int* f() { __shared__ int s[4]; return s; } };
__global__ void k(int* x) { x[0] = A::f()[0]; }
//// in a template
template <class T, int N> __global__ void k(T* x) { __shared__ T s[N]; s[threadIdx.x] = x[0]; x[0] = s[0]; }
template __global__ void k<float, 32>(float*);
//// in a template, asked for | k<float, 32>
template <class T, int N> __global__ void k(T* x) { __shared__ T s[N]; s[threadIdx.x] = x[0]; x[0] = s[0]; }
//// in a lambda
__global__ void k(int* x) { auto f = [&](int i) { __shared__ int s[32]; s[i] = i; return s[0]; }; x[0] = f(1); }
//// in a loop's body
__global__ void k(int* x) { for (int i = 0; i < 3; ++i) { __shared__ int s[32]; s[i] = i; x[i] = s[i]; } }
//// made by a macro
#define TILE(name) __shared__ float name[16][16]
__global__ void k(float* x) { TILE(a); TILE(b); a[0][0] = b[0][0] = 1; x[0] = a[0][0]; }
//// length by a macro
#define N 64
__global__ void k(float* x) { __shared__ float s[N * 2 + 1]; s[0] = 1; x[0] = s[0]; }
//// length by constexpr
constexpr int n = 64;
__global__ void k(float* x) { __shared__ float s[n * 2]; s[0] = 1; x[0] = s[0]; }
//// length by an enum
enum { n = 64 };
__global__ void k(float* x) { __shared__ float s[n]; s[0] = 1; x[0] = s[0]; }
//// dynamic
__global__ void k(float* x) { extern __shared__ float s[]; s[0] = 1; x[0] = s[0]; }
//// dynamic, the other way round
__global__ void k(float* x) { __shared__ extern float s[]; s[0] = 1; x[0] = s[0]; }
//// dynamic at file scope
extern __shared__ float s[];
__global__ void k(float* x) { s[0] = 1; x[0] = s[0]; }
//// dynamic at file scope, volatile and two names
extern volatile __shared__ int a[], b[];
__global__ void k(int* x) { a[0] = b[0] = 1; x[0] = a[0]; }
//// dynamic in a namespace
namespace n { extern __shared__ __align__(8) unsigned char s[]; }
__global__ void k(float* x) { n::s[0] = 1; x[0] = n::s[0]; }
//// dynamic in extern "C"
extern "C" { extern __shared__ float s[]; }
extern "C" __global__ void k(float* x) { s[0] = 1; x[0] = s[0]; }
//// dynamic, volatile
__global__ void k(int* x) { extern volatile __shared__ int s[]; s[0] = 1; x[0] = s[0]; }
//// dynamic, volatile behind
__global__ void k(int* x) { extern __shared__ volatile int s[]; s[0] = 1; x[0] = s[0]; }
//// dynamic, __align__ first
__global__ void k(int* x) { extern __align__(16) __shared__ int s[]; s[0] = 1; x[0] = s[0]; }
//// dynamic, __align__ behind
__global__ void k(int* x) { extern __shared__ __align__(sizeof(float4)) int s[]; s[0] = 1; x[0] = s[0]; }
//// dynamic, alignas behind
__global__ void k(int* x) { extern __shared__ alignas(16) unsigned char s[]; x[0] = s[0]; }
//// dynamic, two names
__global__ void k(int* x) { extern __shared__ int a[], b[]; a[0] = b[0] = 1; x[0] = a[0]; }
//// dynamic, two types
__global__ void k(float* x) { extern __shared__ float a[]; int* b = (int*)(a + 32); b[0] = 1; x[0] = a[0] + b[0]; }
//// dynamic, two dimensions
__global__ void k(int* x) { extern __shared__ int s[][4]; s[0][1] = 1; x[0] = s[0][1]; }
//// dynamic, pointers
__global__ void k(int* x) { extern __shared__ int* s[]; s[0] = x; x[0] = s[0][1]; }
//// dynamic, float4
__global__ void k(float4* x) { extern __shared__ float4 s[]; s[0] = x[1]; x[0] = s[0]; }
//// dynamic, a structure defined in the declaration
__global__ void k(int* x) { extern __shared__ struct P { int u, v; } a[]; x[0] = a[0].u; }
//// extern with a length
__global__ void k(int* x) { extern __shared__ int s[16]; s[0] = 1; x[0] = s[0]; }
//// extern without brackets
__global__ void k(int* x) { extern __shared__ int s; s = 1; x[0] = s; }
//// dynamic in a kernel template | k<double>
template <class T> __global__ void k(T* x) { extern __shared__ T s[]; s[0] = 1; x[0] = s[0]; }
//// dynamic in a device function template
template <class T> __device__ T* f() { extern __shared__ T s[]; return s; }
__global__ void k(int* x) { f<int>()[0] = 1; x[0] = f<int>()[0]; }
//// dynamic in a device function
__device__ int* f() { extern __shared__ int s[]; return s; }
__global__ void k(int* x) { f()[0] = 1; x[0] = f()[0]; }
//// dynamic in a class template's conversion
template <class T> struct Shared {
    __device__ operator T*() { extern __shared__ int memory[]; return (T*)memory; }
    __device__ operator const T*() const { extern __shared__ int memory[]; return (T*)memory; }
};
template <class T> __device__ void f(T* x) { T* s = Shared<T>(); s[0] = 1; x[0] = s[0]; }
__global__ void k(float* x) { f(x); }
//// dynamic in a specialised class template
template <class T> struct Shared {};
template <> struct Shared<double> {
    __device__ operator double*() { extern __shared__ double memory_double[]; return memory_double; }
};
__global__ void k(double* x) { double* s = Shared<double>(); s[0] = 1; x[0] = s[0]; }
//// dynamic in a static member of a class template
template <class T> struct Shared { static __device__ T* get() { extern __shared__ T own[]; return own; } };
__global__ void k(float* x) { Shared<float>::get()[0] = 1; x[0] = Shared<float>::get()[0]; }
//// dynamic in a lambda
__global__ void k(int* x) { auto f = [&] { extern __shared__ int s[]; return s[0]; }; x[0] = f(); }
//// dynamic by a macro
#define SCRATCH extern __shared__ float s[]
__global__ void k(float* x) { SCRATCH; s[0] = 1; x[0] = s[0]; }
//// dynamic, cut into pieces
__global__ void k(float* x, int n) {
    extern __shared__ unsigned char memory[];
    float* a = reinterpret_cast<float*>(memory);
    int* b = reinterpret_cast<int*>(a + n);
    a[0] = b[0] = 1;
    x[0] = a[0];
}
//// a reference to a static array
__device__ void fill(float (&s)[32]) { s[threadIdx.x] = 1; }
__global__ void k(float* x) { __shared__ float s[32]; fill(s); x[0] = s[0]; }
//// sizeof
__global__ void k(int* x) { __shared__ float s[32]; x[0] = sizeof(s) / sizeof(s[0]); }
//// a type with a constructor
struct S { __device__ S() : a(1) {} int a; };
__global__ void k(int* x) { __shared__ S s; x[0] = s.a; }
//// a type with an empty constructor
struct S { __device__ S() {} int a; };
__global__ void k(int* x) { __shared__ S s[4]; x[0] = s[0].a; }
//// a type with member initialisers
struct S { int a = 1; };
__global__ void k(int* x) { __shared__ S s; x[0] = s.a; }
//// initialised array
__global__ void k(float* x) { __shared__ float part[256] = {0}; x[0] = part[0]; }
//// initialised by empty braces
__global__ void k(float* x) { __shared__ float part[256] = {}; x[0] = part[0]; }
//// initialised value
__global__ void k(float* x) { __shared__ float sum = 0; x[0] = sum; }
//// initialised by braces alone
__global__ void k(float* x) { __shared__ float sum{}; x[0] = sum; }
//// initialised second name
__global__ void k(int* x) { __shared__ int a, b = 1; a = 1; x[0] = a + b; }
//// initialised at file scope
__shared__ int s = 1;
__global__ void k(int* x) { x[0] = s; }
//// a member variable
struct A { __shared__ int s; };
__global__ void k(int* x) { x[0] = 0; }
//// a parameter
__device__ int f(__shared__ int* p) { return p[0]; }
__global__ void k(int* x) { x[0] = f(x); }
//// a length of run time
__global__ void k(int* x, int n) { __shared__ int s[n]; s[0] = 1; x[0] = s[0]; }
