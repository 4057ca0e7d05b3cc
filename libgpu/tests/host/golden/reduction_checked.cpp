#include "libgpu/generated_check.hpp"
#include "libgpu/sealed.hpp"
typedef float gpu_value;
GPU_INLINE gpu_value gpu_map(const float x, const float w, const float s, const gpu_indexer _in_ind, const gpu_indexer _out_ind, const long long _J) {
    return (gpu_value)(
#line 1 "largest (map)"
x * w * s
#line 9 "libgpu:largest"
    );
}
GPU_INLINE gpu_value gpu_reduce(const gpu_value a, const gpu_value b) {
    return (gpu_value)(
#line 1 "largest (reduce)"
a > b ? a : b  // no semicolon
#line 16 "libgpu:largest"
    );
}
GPU_INLINE void gpu_post(const gpu_value a, const float s, float& y, const gpu_indexer _in_ind, const gpu_indexer _out_ind) {
#line 1 "largest (post)"
y = a / s;
#line 22 "libgpu:largest"
;
}
struct gpu_expressions {
    GPU_INLINE static gpu_value map(const gpu_checked_reduction* gpu_call, long gpu_output, long gpu_r) {
#line 1 "largest (map)"
        const float gpu_v0 = *gpu_input<const float, 2, 1, true>(gpu_call, 0, gpu_output, gpu_r);
#line 29 "libgpu:largest"
#line 1 "largest (map)"
        const float gpu_v1 = *gpu_input<const float, 2, 1, true>(gpu_call, 1, gpu_output, gpu_r);
#line 32 "libgpu:largest"
        return gpu_map(gpu_v0, gpu_v1, gpu_scalar<float>(gpu_call, 2), gpu_all_of(gpu_call), gpu_results_of(gpu_call), gpu_r);
    }
    GPU_INLINE static gpu_value reduce(gpu_value gpu_a, gpu_value gpu_b) { return gpu_reduce(gpu_a, gpu_b); }
    GPU_INLINE static void finish(const gpu_checked_reduction* gpu_call, long gpu_output, gpu_value gpu_combined, bool gpu_any) {
        const gpu_value gpu_a = gpu_combined;
        gpu_post(gpu_a, gpu_scalar<float>(gpu_call, 2), *gpu_result<float, 2, true>(gpu_call, 3, gpu_output), gpu_all_of(gpu_call), gpu_results_of(gpu_call));
    }
};
static void gpu_thread(void* const* gpu_arguments) {
    const auto* const gpu_call = gpu_call_of<gpu_checked_reduction>(gpu_arguments, 4);
    gpu_reduce_checked<gpu_value, gpu_expressions>(gpu_call);
}
static const gpu_parameter gpu_parameter_list[] = {
    {"x", sizeof(float*), true, true, true, sizeof(float)},
    {"w", sizeof(float*), true, true, true, sizeof(float)},
    {"s", sizeof(float), false, true, false, 0},
    {"y", sizeof(float*), true, false, true, sizeof(float)},
};
GPU_CHECKED_MODULE("largest", 4, sizeof(gpu_value))
