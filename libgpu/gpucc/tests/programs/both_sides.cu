// SPDX-License-Identifier: MIT
// Functions and classes for both sides: __CUDA_ARCH__, operators, constants, constexpr, enumerations, typedefs.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>
using namespace std;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

typedef unsigned int uint_type;
using index_t = int64_t;
enum Shape { circle, square = 5, last_shape };
static const float pi = 3.14159265f;
constexpr int table_size = 4;
__constant__ float weights[table_size];
__constant__ struct Config { int offset; float factor; } config;
__device__ int calls = 0;
__device__ __constant__ int both_words = 9;

struct Vec3 {
    float x = 0, y = 0, z = 0;
    BOTH Vec3() {}
    BOTH Vec3(float x_, float y_, float z_) : x(x_), y(y_), z(z_) {}
    BOTH float length() const { return sqrtf(x * x + y * y + z * z); }
    BOTH Vec3& operator+=(const Vec3& o) { x += o.x; y += o.y; z += o.z; return *this; }
    std::string text() const { return "(" + to_string(int(x)) + "," + to_string(int(y)) + ")"; }
    friend BOTH bool operator==(const Vec3& a, const Vec3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
};
BOTH inline Vec3 operator*(float s, const Vec3& v) { return Vec3(s * v.x, s * v.y, s * v.z); }
BOTH inline Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
inline __host__ __device__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }

BOTH int side() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}
__host__ __device__ constexpr int cube(int x) { return x * x * x; }
class Timer {  // the host's alone
public:
    Timer() : laps_(3) {}
    size_t laps() const { return laps_.size(); }
private:
    vector<double> laps_;
};
static int host_calls = 0;
int host_only(int x) { ++host_calls; return x + 1; }

__global__ void work(Vec3* v, int* out, float3 a, Shape shape, index_t n) {
    const index_t i = threadIdx.x;
    if (i >= n) return;
    v[i] = 2.f * v[i] + Vec3(1, 1, 1);
    const float3 d = a - make_float3(1, 2, 3);
    float sum = 0;
    for (int k = 0; k < table_size; ++k) sum += weights[k];
    out[i] = side() + cube(2) * 10 + int(d.x) + (shape == square ? 1000 : 0) + int(sum) + config.offset + both_words;
    if (v[i] == Vec3(3, 3, 3)) atomicAdd(&calls, 1);
    uint_type bits = __float_as_uint(pi * config.factor);
    out[i] += bits != 0 ? 100000 : 0;
}

int main() {
    Timer timer;
    const float w[table_size] = {1, 2, 3, 4};
    cudaMemcpyToSymbol(weights, w, sizeof w);
    const Config c = {7, 2.f};
    cudaMemcpyToSymbol(config, &c, sizeof(Config));
    vector<Vec3> host(8, Vec3(1, 1, 1));
    Vec3* v;
    int* out;
    cudaMalloc(&v, host.size() * sizeof(Vec3));
    cudaMalloc(&out, 8 * sizeof(int));
    cudaMemcpy(v, &host[0], host.size() * sizeof(Vec3), cudaMemcpyHostToDevice);
    work<<<1, 32>>>(v, out, make_float3(5, 6, 7), square, 8);
    int result[8], count = -1;
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&count, calls, sizeof(int));
    cudaMemcpy(&host[0], v, host.size() * sizeof(Vec3), cudaMemcpyDeviceToHost);
    printf("%d %d, host side %d, %s %g\n", result[0], result[7], side(), host[3].text().c_str(), host[3].length());
    printf("calls %d, cube %d, laps %zu, %d %d\n", count, cube(3), timer.laps(), host_only(1), 0 * host_calls);
    float back[2];
    cudaMemcpyFromSymbol(back, weights, sizeof back, 2 * sizeof(float));
    printf("weights from 2: %g %g\n", back[0], back[1]);
    void* address = nullptr;
    size_t size = 0;
    cudaGetSymbolAddress(&address, calls);
    cudaGetSymbolSize(&size, config);
    int seven = 7;
    cudaMemcpy(address, &seven, sizeof seven, cudaMemcpyHostToDevice);
    cudaMemcpyFromSymbol(&count, calls, sizeof count);
    printf("%d, %zu bytes\n", count, size);
    return 0;
}
