#include "libgpu/generated.hpp"
#include "libgpu/sealed.hpp"
typedef float T;
#line 12 "lesson.cpp"
#define HALF 0.5f
#line 7 "libgpu:squared_diff"
GPU_INLINE void gpu_body(const T x, const T y, T& z, int& k, const long long i, const gpu_indexer _ind) {
#line 15 "lesson.cpp"
z = x * HALF;
k = i
#line 12 "libgpu:squared_diff"
;
}
static void gpu_elements(const gpu_elementwise_call* gpu_call, long gpu_begin, long gpu_end) {
    const gpu_indexer gpu_ind = {gpu_call->size};
    const T* const gpu_p0 = (const T*)gpu_call->arguments[0].array.data;
    const T gpu_c1 = *(const T*)gpu_call->arguments[1].scalar;
    T* const gpu_p2 = (T*)gpu_call->arguments[2].array.data;
    int* const gpu_p3 = (int*)gpu_call->arguments[3].array.data;
    const long* const gpu_t0 = gpu_call->arguments[0].array.strides;
    const long gpu_s0 = gpu_t0[2];
    const long* const gpu_t2 = gpu_call->arguments[2].array.strides;
    const long gpu_s2 = gpu_t2[2];
    gpu_position<3> gpu_at;
    gpu_at.set(gpu_begin, gpu_call->shape);
    for (long gpu_i = gpu_begin; gpu_i < gpu_end;) {
        const long gpu_left = gpu_call->shape[2] - gpu_at.at[2];
        const long gpu_run = gpu_left < gpu_end - gpu_i ? gpu_left : gpu_end - gpu_i;
        auto* const gpu_q0 = gpu_p0 + gpu_at.offset(gpu_t0);
        auto* const gpu_q2 = gpu_p2 + gpu_at.offset(gpu_t2);
        if (gpu_s0 == 1 && gpu_s2 == 1) {
            GPU_INDEPENDENT
            for (long gpu_k = 0; gpu_k < gpu_run; ++gpu_k) gpu_body(gpu_q0[gpu_k], gpu_c1, gpu_q2[gpu_k], gpu_p3[gpu_i + gpu_k], gpu_i + gpu_k, gpu_ind);
        } else {
            GPU_INDEPENDENT
            for (long gpu_k = 0; gpu_k < gpu_run; ++gpu_k) gpu_body(gpu_q0[gpu_k * gpu_s0], gpu_c1, gpu_q2[gpu_k * gpu_s2], gpu_p3[gpu_i + gpu_k], gpu_i + gpu_k, gpu_ind);
        }
        gpu_i += gpu_run;
        gpu_at.at[2] += gpu_run;
        gpu_at.carry(gpu_call->shape);
    }
}
static const gpu_parameter gpu_parameter_list[] = {
    {"x", sizeof(T), true, true, true},
    {"y", sizeof(T), false, true, false},
    {"z", sizeof(T), true, false, true},
    {"k", sizeof(int), true, false, false},
};
GPU_ELEMENTWISE_MODULE("squared_diff", 4)
