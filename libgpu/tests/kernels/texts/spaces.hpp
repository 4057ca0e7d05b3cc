// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// Grids, memory spaces, and the C++ that kernels are written in.
inline constexpr const char* spaces = R"(
__global__ void where(unsigned* out, unsigned gx, unsigned gy, unsigned gz) {
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    bool right = gridDim.x == gx && gridDim.y == gy && gridDim.z == gz;
    out[block * threads + thread] = right ? block * 10000 + thread : 0u;
}
__global__ void where_with_barrier(unsigned* out) {
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    __syncthreads();
    out[block * threads + thread] = block * 10000 + thread;
}
// A grid of more blocks than any chunk: each adds its number's low bits once.
__global__ void count_blocks(unsigned long long* out) {
    if (threadIdx.x == 0) {
        atomicAdd(&out[0], 1ull);
        atomicAdd(&out[1], (unsigned long long)(blockIdx.x ^ (blockIdx.y << 1) ^ (blockIdx.z << 2)));
    }
}

struct Particle { float position[3]; int kind; };
struct Weighted { float value; __device__ Weighted() {} __device__ Weighted(float v) : value(v) {} };
__device__ int shared_in_function(int v) {
    __shared__ int box[64];
    box[threadIdx.x] = v;
    __syncthreads();
    int got = box[63 - threadIdx.x];
    __syncthreads();
    return got;
}
template <class T, int N> __device__ T shared_in_template(T v) {
    __shared__ T box[N];
    box[threadIdx.x] = v;
    __syncthreads();
    T got = box[(threadIdx.x + 1) % N];
    __syncthreads();
    return got;
}
__global__ void shared_kinds(float* out) {
    __shared__ int a[64];
    __shared__ float b[8][9];
    __shared__ Particle p[64];
    __shared__ unsigned char byte;
    __shared__ Weighted w[64];
    int t = threadIdx.x;
    a[t] = t;
    b[t / 8][t % 8] = 0.5f * t;
    p[t].position[1] = 2.0f * t;
    p[t].kind = -t;
    w[t] = Weighted(3.0f * t);
    if (t == 7) byte = 200;
    __syncthreads();
    int u = 63 - t;
    float sum = a[u] + b[u / 8][u % 8] + p[u].position[1] + p[u].kind + byte + w[u].value;
    sum += shared_in_function(t) + shared_in_template<int, 64>(t) + shared_in_template<double, 64>(t * 0.25);
    out[t] = sum;
}
extern __shared__ int words[];
__global__ void dynamic_file_scope(int* out) {
    int t = threadIdx.x;
    words[t] = t * t;
    __syncthreads();
    out[t] = words[blockDim.x - 1 - t];
}
__global__ void dynamic_two_parts(double* out) {
    extern __shared__ __align__(16) unsigned char bytes[];
    double* reals = (double*)bytes;
    short* marks = (short*)(reals + blockDim.x);
    int t = threadIdx.x;
    reals[t] = t * 0.5;
    marks[t] = (short)(t % 3);
    __syncthreads();
    int u = (t + 5) % blockDim.x;
    out[t] = reals[u] + marks[u];
}

__constant__ float weights[4] = {0.5f, 1.5f, -2.0f, 4.0f};
__constant__ struct { int rows; double scale; } shape = {3, 0.25};
__device__ int counter = 100;
__device__ float table[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ unsigned long long big;
static __device__ const int primes[] = {2, 3, 5, 7, 11};
__global__ void symbols(float* out) {
    int t = threadIdx.x;
    out[t] = weights[t % 4] * table[t % 2][t % 3] + primes[t % 5] + shape.rows * shape.scale;
}
__global__ void keeps(long long* out) {
    int old = atomicAdd(&counter, 1);
    atomicMax(&big, (unsigned long long)old << 33);
    if (threadIdx.x == 0 && blockIdx.x == 0) table[1][2] += 1.0f;
    __syncthreads();
    if (threadIdx.x == 0) { out[0] = counter; out[1] = (long long)big; out[2] = (long long)table[1][2]; }
}

namespace geometry {
struct Vector {
    float x, y;
    __host__ __device__ Vector(float x_ = 0, float y_ = 0) : x(x_), y(y_) {}
    __device__ Vector operator+(const Vector& o) const { return Vector(x + o.x, y + o.y); }
    __device__ Vector& operator*=(float f) { x *= f; y *= f; return *this; }
    __device__ float operator()(int k) const { return k == 0 ? x : y; }
};
__device__ Vector operator*(float f, const Vector& v) { return Vector(f * v.x, f * v.y); }
namespace inner { template <class T> __device__ constexpr T squared(T v) { return v * v; } }
}
template <class T> struct Largest { static constexpr T value = T(1) << (sizeof(T) * 8 - 2); };
template <> struct Largest<float> { static constexpr float value = 1e30f; };
template <> struct Largest<double> { static constexpr double value = 1e300; };
template <class F> __device__ float applied(F f, float v, int times = 2) {
    for (int k = 0; k < times; ++k) v = f(v);
    return v;
}
__device__ unsigned long long factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }
__device__ float chosen(float v) { return v; }
__device__ float chosen(int v) { return 1000.0f * v; }
constexpr int rows = geometry::inner::squared(3);
enum class Mode : int { twice = 2, thrice };
template <class T> __global__ void __launch_bounds__(128, 2) language(T* out, T seed) {
    using namespace geometry;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Vector v = 2.0f * Vector(i, 1) + Vector(seed);
    v *= 0.5f;
    float offset = 3;
    auto add = [offset, &v](float x) { return x + offset * v(1); };
    T sum = (T)(v(0) + applied(add, 1.0f) + applied([](float x) { return -x; }, 5.0f, 3));
    int local[rows];
#pragma unroll
    for (int k = 0; k < rows; ++k) local[k] = k * (int)Mode::thrice;
#pragma unroll 4
    for (int k = 0; k < rows; ++k) sum += local[k] % 5;
    if constexpr (sizeof(T) == 8) sum += 7;
    sum += (T)factorial(5) + (T)chosen(1) + (T)chosen(1.0f) + (Largest<T>::value > 5 ? 1 : 0);
    switch (i % 3) {
        case 0: sum += 1; break;
        case 1: sum += 10;
        default: sum += 100;
    }
    out[i] = sum;
}
template __global__ void language<float>(float*, float);
template __global__ void language<double>(double*, double);

struct alignas(16) Box { double a; int b; };
__global__ void vectors(int* out, float* f) {
    int k = 0;
    out[k++] = sizeof(char3) + 100 * alignof(char3); out[k++] = sizeof(uchar4) + 100 * alignof(uchar4);
    out[k++] = sizeof(short2) + 100 * alignof(short2); out[k++] = sizeof(ushort3) + 100 * alignof(ushort3);
    out[k++] = sizeof(int2) + 100 * alignof(int2); out[k++] = sizeof(uint4) + 100 * alignof(uint4);
    out[k++] = sizeof(float3) + 100 * alignof(float3); out[k++] = sizeof(float4) + 100 * alignof(float4);
    out[k++] = sizeof(long2) + 100 * alignof(long2); out[k++] = sizeof(longlong1) + 100 * alignof(longlong1);
    out[k++] = sizeof(ulonglong2) + 100 * alignof(ulonglong2); out[k++] = sizeof(double2) + 100 * alignof(double2);
    out[k++] = sizeof(double3) + 100 * alignof(double3); out[k++] = sizeof(dim3) + 100 * alignof(dim3);
    out[k++] = sizeof(Box) + 100 * alignof(Box);
    float4 v = make_float4(1, 2, 3, 4);
    float4* all = reinterpret_cast<float4*>(f);
    all[threadIdx.x] = v;
    int2 w = make_int2(5, 6);
    uchar4 c = make_uchar4(250, 1, 2, 3);
    double2 d = make_double2(0.5, 0.25);
    dim3 g(7, 8);
    uint3 u = threadIdx;
    longlong2 l = make_longlong2(1ll << 40, 2);
    out[k++] = w.x + w.y + c.x + (int)(d.x * 8 + d.y * 8) + g.x + g.y + g.z + u.x + (int)(l.x >> 38);
}
)";

}  // namespace texts
