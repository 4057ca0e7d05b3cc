#include "libgpu/raw_fiber.hpp"
extern "C" { __thread __attribute__((aligned(1024))) unsigned char gpu_dynamic_shared[232448]; }
#include "libgpu/sealed.hpp"
#line 1 "test.cu"
namespace ns { template <class T> __global__ void k(T* x) {
                    __align__(16) T (&s)[] = (decltype(s))gpu_dynamic_shared; __syncthreads();
} }
#line 9 "libgpu:ns::k<int>"
#line 1 "libgpu:entry"
GPU_RAW_MODULE(libgpu_module, "ns::k<int>", "x", "", ns::k<int>)
#line 12 "libgpu:ns::k<int>"
