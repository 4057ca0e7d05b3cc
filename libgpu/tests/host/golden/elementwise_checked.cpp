#include "libgpu/generated_check.hpp"
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
static void gpu_thread(void* const* gpu_arguments) {
    const auto* const gpu_call = gpu_call_of<gpu_elementwise_call>(gpu_arguments, 4);
    const long gpu_i = gpu_this_element(), gpu_n = gpu_size_of(gpu_call);
    if (gpu_i >= gpu_n) return;
#line 15 "lesson.cpp"
    const T gpu_v0 = *gpu_element_at<const T, 3, true>(gpu_call, 0, gpu_i);
#line 21 "libgpu:squared_diff"
    T gpu_v2;
    int gpu_v3;
    gpu_body(gpu_v0, gpu_scalar<T>(gpu_call, 1), gpu_v2, gpu_v3, gpu_i, gpu_indexer{gpu_n});
#line 15 "lesson.cpp"
    *gpu_element_at<T, 3, true>(gpu_call, 2, gpu_i) = gpu_v2;
#line 27 "libgpu:squared_diff"
#line 16 "lesson.cpp"
    *gpu_element_at<int, 3, false>(gpu_call, 3, gpu_i) = gpu_v3;
#line 30 "libgpu:squared_diff"
}
static const gpu_parameter gpu_parameter_list[] = {
    {"x", sizeof(T*), true, true, true, sizeof(T)},
    {"y", sizeof(T), false, true, false, 0},
    {"z", sizeof(T*), true, false, true, sizeof(T)},
    {"k", sizeof(int*), true, false, false, sizeof(int)},
};
GPU_CHECKED_MODULE("squared_diff", 4, 0)
