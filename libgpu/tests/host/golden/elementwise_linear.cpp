#include "libgpu/generated.hpp"
#include "libgpu/sealed.hpp"
typedef float T;
GPU_INLINE void gpu_body(const T x, const T y, T& z, const long long i, const gpu_indexer _ind) {
#line 1 "squared_diff"
z = (x - y) * (x - y)
#line 8 "libgpu:squared_diff"
;
}
static void gpu_elements(const gpu_elementwise_call* gpu_call, long gpu_begin, long gpu_end) {
    const gpu_indexer gpu_ind = {gpu_call->size};
    const T* const gpu_p0 = (const T*)gpu_call->arguments[0].array.data;
    const T gpu_c1 = *(const T*)gpu_call->arguments[1].scalar;
    T* const gpu_p2 = (T*)gpu_call->arguments[2].array.data;
    GPU_INDEPENDENT
    for (long gpu_i = gpu_begin; gpu_i < gpu_end; ++gpu_i) gpu_body(gpu_p0[gpu_i], gpu_c1, gpu_p2[gpu_i], gpu_i, gpu_ind);
}
static const gpu_parameter gpu_parameter_list[] = {
    {"x", sizeof(T), true, true, false},
    {"y", sizeof(T), false, true, false},
    {"z", sizeof(T), true, false, false},
};
GPU_ELEMENTWISE_MODULE("squared_diff", 3)
