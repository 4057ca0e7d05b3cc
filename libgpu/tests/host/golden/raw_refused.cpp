//libgpu:refused test.cu:1:10: error: #include <cmath>: kernels have no headers; math functions are already there
//libgpu:refused test.cu:2:23: error: asm: inline PTX can't run on the host backend; use CUDA C++, or a GPU
#include "libgpu/raw_loop.hpp"
#line 1 "test.cu"
#include <cmath>
__global__ void k() { asm(""); }
#line 6 "libgpu:k"
#line 1 "libgpu:entry"
GPU_RAW_MODULE("k", "", "", k)
#line 9 "libgpu:k"
