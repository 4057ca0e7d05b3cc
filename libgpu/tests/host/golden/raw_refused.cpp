//libgpu:refused test.cu:1:23: error: asm: inline PTX can't run on the host backend; use CUDA C++, or a GPU
#include "libgpu/raw_loop.hpp"
#line 1 "test.cu"
__global__ void k() { asm(""); }
#line 5 "libgpu:k"
#line 1 "libgpu:entry"
GPU_RAW_MODULE(libgpu_module, "k", "", "", k)
#line 8 "libgpu:k"
