// SPDX-License-Identifier: MIT
// The prelude of elementwise and reduction kernels in check mode. Their elements are threads here, in blocks of 256, so
// that they are watched and counted like raw kernels. This applies only to the learner's text: libgpu's own code around
// it reads its memory in unwatched functions.

#pragma GCC system_header
#include "libgpu/types.hpp"
#define GPU_CHECKED 1
#include "libgpu/check.hpp"
#include "libgpu/math.hpp"
#include "libgpu/math_more.hpp"
#include "libgpu/positions.hpp"
#define GPU_CHECKED_MODULE(gpu_name, gpu_count, gpu_accumulator) \
    static gpu_thread_state* gpu_state_of_thread() { return &gpu_state; } \
    static void gpu_whole_thread(void* const* arguments) { /* no call in it becomes a jump out of the kernel */ \
        gpu_thread(arguments); \
        asm volatile("" ::: "memory"); \
    } \
    extern "C" __attribute__((__visibility__("default"), __used__)) const gpu_module libgpu_module = {GPU_ABI, \
        gpu_module_fiber, gpu_name, gpu_parameter_list, gpu_count, "", "", nullptr, nullptr, gpu_state_of_thread, \
        gpu_whole_thread, nullptr, gpu_accumulator, nullptr, nullptr, nullptr, &gpu_checks};
static __thread gpu_thread_state gpu_state;
#define gpu_calls (gpu_state.calls)

// After the kernel's arguments, a launch passes a description of the whole call.
template <class Call> GPU_UNCHECKED const Call* gpu_call_of(void* const* arguments, int count) {
    return (const Call*)arguments[count];
}
template <class T> GPU_UNCHECKED T gpu_scalar(const gpu_elementwise_call* call, int k) {
    return *(const T*)call->arguments[k].scalar;
}
template <class T> GPU_UNCHECKED T gpu_scalar(const gpu_checked_reduction* c, int k) {
    return *(const T*)c->call.arguments[k].scalar;
}

template <class Raw> GPU_UNCHECKED Raw gpu_raw_from(const gpu_argument& argument) {
    Raw raw;
    raw.gpu_data = (decltype(raw.gpu_data))argument.array.data;
    for (int axis = 0; axis < 8; ++axis) {
        raw.gpu_strides[axis] = argument.array.strides[axis];
        raw.gpu_lengths[axis] = argument.array.lengths[axis];
    }
    return raw;
}
template <class Raw> GPU_UNCHECKED Raw gpu_raw_argument(const gpu_elementwise_call* call, int k) {
    return gpu_raw_from<Raw>(call->arguments[k]);
}
template <class Raw> GPU_UNCHECKED Raw gpu_raw_argument(const gpu_checked_reduction* c, int k) {
    return gpu_raw_from<Raw>(c->call.arguments[k]);
}
GPU_UNCHECKED static gpu_indexer gpu_all_of(const gpu_checked_reduction* c) { return {c->outputs * c->call.reduced}; }
GPU_UNCHECKED static gpu_indexer gpu_results_of(const gpu_checked_reduction* c) { return {c->outputs}; }
template <int Rank> GPU_UNCHECKED gpu_placed_indexer gpu_place_of(const gpu_elementwise_call* call, long i) {
    return gpu_place_at<Rank>(call->size, i, call->shape);
}

GPU_UNCHECKED static long gpu_this_element() { return gpu_state.block.x * 256l + gpu_state.thread.x; }
GPU_UNCHECKED static long gpu_size_of(const gpu_elementwise_call* call) { return call->size; }
template <class T, int Rank, bool IsStrided>
GPU_UNCHECKED T* gpu_element_at(const gpu_elementwise_call* call, int k, long i) {
    T* const data = (T*)call->arguments[k].array.data;
    if (!IsStrided) return data + i;
    gpu_position<Rank> at;
    at.set(i, call->shape);
    return data + at.offset(call->arguments[k].array.strides);
}

template <class T, int Kept, int Reduced, bool IsStrided>
GPU_UNCHECKED T* gpu_input(const gpu_checked_reduction* c, int k, long output, long r) {
    T* const data = (T*)c->call.arguments[k].array.data;
    if (!IsStrided) return data + output * c->call.reduced + r;
    const long* const strides = c->call.arguments[k].array.strides;
    gpu_position<Kept> kept;
    kept.set(output, c->call.kept);
    gpu_position<Reduced> at;
    at.set(r, c->call.reduced_shape);
    return data + kept.offset(strides) + at.offset(strides + Kept);
}
template <class T, int Kept, bool IsStrided>
GPU_UNCHECKED T* gpu_result(const gpu_checked_reduction* c, int k, long output) {
    T* const data = (T*)c->call.arguments[k].array.data;
    if (!IsStrided) return data + output;
    gpu_position<Kept> kept;
    kept.set(output, c->call.kept);
    return data + kept.offset(c->call.arguments[k].array.strides);
}

// Values that a block's threads exchange, in two alternating rounds: so one barrier per round suffices.
template <class V> struct gpu_told {
    static __thread __attribute__((aligned(16))) unsigned char bytes[2][256 * sizeof(V)];
};
template <class V> __thread __attribute__((aligned(16))) unsigned char gpu_told<V>::bytes[2][256 * sizeof(V)];
template <class V> GPU_UNCHECKED void gpu_tell(int half, int thread, V value) {
    ((V*)gpu_told<V>::bytes[half])[thread] = value;
}
template <class V> GPU_UNCHECKED V gpu_heard(int half, int thread) { return ((V*)gpu_told<V>::bytes[half])[thread]; }
template <class V>
GPU_UNCHECKED void gpu_set_partial(const gpu_checked_reduction* c, long output, long group, V value) {
    ((V*)c->call.partials)[output * c->call.groups + group] = value;
}
template <class V> GPU_UNCHECKED V gpu_partial(const gpu_checked_reduction* c, long output, long group) {
    return ((V*)c->call.partials)[output * c->call.groups + group];
}
#if defined(__clang__)
__attribute__((convergent))
#endif
GPU_UNCHECKED static void gpu_meet() { GPU_HOST(barrier)(gpu_state.scheduler, 0); }

// This thread's share of the work: constant while it runs.
struct gpu_work {
    int thread, slot, lane, lanes;
    long output, group, step, rounds, groups, group_size, reduced;
    bool works, waits;
};
GPU_UNCHECKED static gpu_work gpu_find_work(const gpu_checked_reduction* c) {
    const int thread = (int)gpu_state.thread.x, slot = thread % c->width;
    const long output = gpu_state.block.x * (256l / c->width) + thread / c->width;
    const long step = c->width > c->lanes ? c->width / c->lanes : 1;
    return {thread, slot, slot % c->lanes, c->lanes, output, slot / c->lanes, step, (c->call.groups + step - 1) / step,
             c->call.groups, c->group_size, c->call.reduced, output < c->outputs, c->width > 1};
}

// The tree of generated.hpp, thread by thread: element k of a group goes to lane k % lanes, lanes are combined
// pairwise, then groups are.
template <class V, class Kernel> GPU_INLINE void gpu_reduce_checked(const gpu_checked_reduction* c) {
    const gpu_work work = gpu_find_work(c);
    long group = work.group;
    for (long round = 0; round < work.rounds; ++round, group += work.step) {
        const long begin = group * work.group_size;
        const long end = begin + work.group_size < work.reduced ? begin + work.group_size : work.reduced;
        V a{};
        bool any = false;
        for (long r = begin + work.lane; work.works && r < end; r += work.lanes) {
            const V value = Kernel::map(c, work.output, r);
            a = any ? Kernel::reduce(a, value) : value;
            any = true;
        }
        const int me = work.thread, half = (int)(round & 1);
        if (any) gpu_tell<V>(half, me, a);
        if (work.waits) gpu_meet();
        if (!any || work.lane != 0) continue;
        const long used = end - begin < work.lanes ? end - begin : work.lanes;
        if (used < work.lanes) {
            for (int w = 1; w < used; w *= 2)
                for (int l = 0; l + w < used; l += 2 * w)
                    gpu_tell<V>(half, me + l,
                                Kernel::reduce(gpu_heard<V>(half, me + l), gpu_heard<V>(half, me + l + w)));
        } else {
            for (int w = work.lanes / 2; w > 0; w /= 2)
                for (int l = 0; l < w; ++l)
                    gpu_tell<V>(half, me + l,
                                Kernel::reduce(gpu_heard<V>(half, me + l), gpu_heard<V>(half, me + l + w)));
        }
        gpu_set_partial<V>(c, work.output, group, gpu_heard<V>(half, me));
    }
    if (work.step > 1) gpu_meet();
    if (!work.works || work.slot != 0) return;
    for (long w = 1; w < work.groups; w *= 2)
        for (long k = 0; k + w < work.groups; k += 2 * w)
            gpu_set_partial<V>(c, work.output, k,
                               Kernel::reduce(gpu_partial<V>(c, work.output, k),
                                              gpu_partial<V>(c, work.output, k + w)));
    Kernel::finish(c, work.output, work.groups > 0 ? gpu_partial<V>(c, work.output, 0) : V{}, work.groups > 0);
}
