#include "libgpu/generated.hpp"
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
struct gpu_inputs {
    const float* gpu_p0;
    long gpu_r0, gpu_k0;
    const float* gpu_p1;
    long gpu_r1, gpu_k1;
    float gpu_c2;
    long gpu_first;
    gpu_indexer gpu_in_ind, gpu_out_ind;
    GPU_INLINE explicit gpu_inputs(const gpu_reduction_call* gpu_call) {
        gpu_r0 = gpu_call->arguments[0].array.strides[2];
        gpu_k0 = gpu_call->arguments[0].array.strides[1];
        gpu_r1 = gpu_call->arguments[1].array.strides[2];
        gpu_k1 = gpu_call->arguments[1].array.strides[1];
        gpu_c2 = *(const float*)gpu_call->arguments[2].scalar;
        gpu_in_ind = {gpu_call->outputs * gpu_call->reduced};
        gpu_out_ind = {gpu_call->outputs};
    }
    GPU_INLINE void seek(const gpu_reduction_call* gpu_call, const gpu_position<2>& gpu_kept, const gpu_position<1>& gpu_at,
                         long gpu_output, long gpu_r) {
        gpu_p0 = (const float*)gpu_call->arguments[0].array.data + gpu_kept.offset(gpu_call->arguments[0].array.strides) + gpu_at.offset(gpu_call->arguments[0].array.strides + 2);
        gpu_p1 = (const float*)gpu_call->arguments[1].array.data + gpu_kept.offset(gpu_call->arguments[1].array.strides) + gpu_at.offset(gpu_call->arguments[1].array.strides + 2);
        gpu_first = gpu_r;
    }
    template <bool gpu_unit> GPU_INLINE gpu_value along(long gpu_k) const { return gpu_map(gpu_p0[gpu_unit ? gpu_k : gpu_k * gpu_r0], gpu_p1[gpu_unit ? gpu_k : gpu_k * gpu_r1], gpu_c2, gpu_in_ind, gpu_out_ind, gpu_first + gpu_k); }
    template <bool gpu_unit> GPU_INLINE gpu_value across(long gpu_k) const { return gpu_map(gpu_p0[gpu_unit ? gpu_k : gpu_k * gpu_k0], gpu_p1[gpu_unit ? gpu_k : gpu_k * gpu_k1], gpu_c2, gpu_in_ind, gpu_out_ind, gpu_first); }
    GPU_INLINE static gpu_value reduce(gpu_value gpu_a, gpu_value gpu_b) { return gpu_reduce(gpu_a, gpu_b); }
    GPU_INLINE bool unit_along() const { return true && gpu_r0 == 1 && gpu_r1 == 1; }
    GPU_INLINE bool unit_across() const { return true && gpu_k0 == 1 && gpu_k1 == 1; }
};
static void gpu_finish(const gpu_reduction_call* gpu_call, long gpu_begin, long gpu_end) {
    const float* const gpu_p0 = (const float*)gpu_call->arguments[0].array.data;
    const float* const gpu_p1 = (const float*)gpu_call->arguments[1].array.data;
    const float gpu_c2 = *(const float*)gpu_call->arguments[2].scalar;
    float* const gpu_p3 = (float*)gpu_call->arguments[3].array.data;
    gpu_position<2> gpu_kept;
    for (long gpu_o = gpu_begin; gpu_o < gpu_end; ++gpu_o) {
        gpu_kept.set(gpu_o, gpu_call->kept);
        const gpu_value gpu_a = gpu_combine<gpu_inputs>((gpu_value*)gpu_call->partials + (gpu_o - gpu_call->base) * gpu_call->groups, gpu_call->groups);
        gpu_post(gpu_a, gpu_c2, gpu_p3[gpu_kept.offset(gpu_call->arguments[3].array.strides)], {gpu_call->outputs * gpu_call->reduced}, {gpu_call->outputs});
    }
}
static const gpu_parameter gpu_parameter_list[] = {
    {"x", sizeof(float), true, true, true},
    {"w", sizeof(float), true, true, true},
    {"s", sizeof(float), false, true, false},
    {"y", sizeof(float), true, false, true},
};
static constexpr auto gpu_rows = gpu_reduce_rows<gpu_value, gpu_inputs, 2, 1>;
static constexpr auto gpu_columns = gpu_reduce_columns<gpu_value, gpu_inputs, 2, 1>;
GPU_REDUCTION_MODULE("largest", 4)
