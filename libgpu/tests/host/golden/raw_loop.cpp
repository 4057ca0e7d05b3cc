#include "libgpu/raw_loop.hpp"
#include "libgpu/sealed.hpp"
#define N 4
#define M 1
#line 7 "dir/add \"1\".cu"
// adds "numbers"
__global__ void add(const float* x, float* z, int n) {}
__global__ void other() {}
#line 10 "libgpu:add"
#line 1 "libgpu:signature"
static constexpr void (*gpu_kernel)(const float*, float*, int) = add;
#line 13 "libgpu:add"
#line 1 "libgpu:entry"
GPU_RAW_MODULE(libgpu_module, "add", "x,z,n", "other", gpu_kernel)
#line 16 "libgpu:add"
