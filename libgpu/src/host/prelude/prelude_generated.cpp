// SPDX-License-Identifier: MIT
#include "host/prelude/prelude.hpp"

// The part of the prelude that elementwise and reduction kernels get.
namespace gpu::detail::host::text {

// Where an element stands.
const char positions[] = R"gpu(
#pragma GCC system_header
struct gpu_indexer {
    long long count;
    GPU_INLINE long long size() const { return count; }
};

// The same with the index along each axis.
struct gpu_axis_indices {
    long long at[8];
    GPU_INLINE long long operator[](int axis) const { return at[axis]; }
};
struct gpu_placed_indexer {
    long long count;
    gpu_axis_indices place;
    GPU_INLINE long long size() const { return count; }
    GPU_INLINE const gpu_axis_indices& get() const { return place; }
};
template <int Rank> GPU_INLINE gpu_placed_indexer gpu_place_at(long long count, long long index, const long* shape) {
    gpu_placed_indexer made = {count, {}};
    for (int axis = Rank - 1; axis > 0; --axis) { made.place.at[axis] = index % shape[axis]; index /= shape[axis]; }
    made.place.at[0] = index;
    return made;
}

// Where an index stands along each axis of a shape, the last one fastest.
template <int Rank> struct gpu_position {
    long at[Rank > 0 ? Rank : 1];
    GPU_INLINE void set(long index, const long* shape) {
        for (int axis = Rank - 1; axis > 0; --axis) { at[axis] = index % shape[axis]; index /= shape[axis]; }
        at[0] = index;
    }
    // After moving along the last axis, at most to its end.
    GPU_INLINE void carry(const long* shape) {
        for (int axis = Rank - 1; axis > 0 && at[axis] == shape[axis]; --axis) { at[axis] = 0; ++at[axis - 1]; }
    }
    GPU_INLINE long offset(const long* strides) const {
        long sum = 0;
        for (int axis = 0; axis < Rank; ++axis) sum += at[axis] * strides[axis];
        return sum;
    }
};
)gpu";

// For elementwise and reduction kernels that name an atomic function. Nobody counts there, but in check mode.
const char generated_atomics[] = R"gpu(
#pragma GCC system_header
#ifdef GPU_CHECKED
GPU_UNCHECKED static void gpu_count_atomic() {
    ++gpu_state.atomics;
    GPU_CHECK(atomic_begins)();
}
#else
GPU_INLINE void gpu_count_atomic() {}
#endif
#include "libgpu/atomics.hpp"
)gpu";

const char generated[] = R"gpu(
#pragma GCC system_header
#include "libgpu/types.hpp"
#include "libgpu/math.hpp"
#include "libgpu/math_more.hpp"
#include "libgpu/positions.hpp"
#define GPU_UNCHECKED
static const gpu_host_calls* gpu_calls;
#define GPU_EXPORT extern "C" __attribute__((__visibility__("default"), __used__))
#define GPU_ELEMENTWISE_MODULE(gpu_name, gpu_count) \
    GPU_EXPORT const gpu_module libgpu_module = {GPU_ABI, gpu_module_elementwise, gpu_name, gpu_parameter_list, \
        gpu_count, "", "", nullptr, nullptr, nullptr, nullptr, gpu_elements, 0, nullptr, nullptr, nullptr, nullptr, \
        &gpu_calls};
#define GPU_REDUCTION_MODULE(gpu_name, gpu_count) \
    GPU_EXPORT const gpu_module libgpu_module = {GPU_ABI, gpu_module_reduction, gpu_name, gpu_parameter_list, \
        gpu_count, "", "", nullptr, nullptr, nullptr, nullptr, nullptr, sizeof(gpu_value), gpu_rows, gpu_columns, \
        gpu_finish, nullptr, &gpu_calls};

// A reduction's tree is the same for any number of workers and any strides along the row: element k of a group goes to
// lane k % lanes, and every 64 rounds of all lanes, so that no chain of additions gets long, the lanes are added to a
// second row of them. At last lanes are combined pairwise, then groups are (in gpu_finish).
template <class V, class Inputs> struct gpu_lanes {
    static constexpr int count = sizeof(V) <= 4 ? 64 : sizeof(V) <= 8 ? 32 : 16;
    static constexpr long strip = 64 * count;
    V lane[count], sums[count];
    long done = 0;

    GPU_INLINE void add(const Inputs& in, long run) {
        for (long k = 0; k < run;) {
            const long at = done % strip;
            if (at == 0 && done > 0) put_aside(count);
            const long here = run - k < strip - at ? run - k : strip - at;
            add_part(in, k, k + here, at);
            k += here;
            done += here;
        }
    }
    // Whole rounds of all lanes are fast, most of all where inputs lie side by side; the rest goes one by one.
    GPU_INLINE void add_part(const Inputs& in, long begin, long end, long at) {
        long k = begin;
        if (end - begin >= count) {
            if (at % count != 0) {
                k += count - at % count;
                one_by_one(in, begin, k, at);
            }
            if (in.unit_along()) {
                if (at == 0) {
                    GPU_UNROLL
                    for (int l = 0; l < count; ++l) lane[l] = in.template along<true>(k + l);
                    k += count;
                }
                for (; k + count <= end; k += count) {
                    GPU_UNROLL
                    for (int l = 0; l < count; ++l) lane[l] = Inputs::reduce(lane[l], in.template along<true>(k + l));
                }
            } else {
                k = strided_rounds(in, k, end, at == 0);
            }
        }
        if (k < end) one_by_one(in, k, end, at + k - begin);
    }
    __attribute__((noinline)) long strided_rounds(const Inputs& in, long k, long end, bool first) {
        if (first) {
            for (int l = 0; l < count; ++l) lane[l] = in.template along<false>(k + l);
            k += count;
        }
        for (; k + count <= end; k += count)
            for (int l = 0; l < count; ++l) lane[l] = Inputs::reduce(lane[l], in.template along<false>(k + l));
        return k;
    }
    __attribute__((noinline)) void one_by_one(const Inputs& in, long begin, long end, long at) {
        int l = (int)(at % count);
        for (long k = begin; k < end; ++k, ++at) {
            const V value = in.template along<false>(k);
            lane[l] = at < count ? value : Inputs::reduce(lane[l], value);
            if (++l == count) l = 0;
        }
    }
    // A strip's lanes, of which the last strip may have fewer.
    GPU_INLINE void put_aside(int lanes) {
        if (done <= strip) {
            for (int l = 0; l < lanes; ++l) sums[l] = lane[l];
        } else {
            for (int l = 0; l < lanes; ++l) sums[l] = Inputs::reduce(sums[l], lane[l]);
        }
    }
    GPU_INLINE V total() {
        if (done < count) return few();
        if (done <= strip) return folded<count / 2>(lane);
        const long last = (done - 1) % strip + 1;
        put_aside(last < count ? (int)last : count);
        return folded<count / 2>(sums);
    }
    // Of a known width each: a few instructions on whole registers.
    template <int Width> GPU_INLINE static V folded(V* row) {
        for (int l = 0; l < Width; ++l) row[l] = Inputs::reduce(row[l], row[l + Width]);
        if constexpr (Width > 1) return folded<Width / 2>(row);
        else return row[0];
    }
    __attribute__((noinline)) V few() {
        for (long w = 1; w < done; w *= 2)
            for (long l = 0; l + w < done; l += 2 * w) lane[l] = Inputs::reduce(lane[l], lane[l + w]);
        return lane[0];
    }
};

// Partial results of `count` outputs over [begin, end) of the reduced range, one output after the other.
template <class V, class Inputs, int Kept, int Reduced>
static void gpu_reduce_rows(const gpu_reduction_call* call, long output, long count, long group, long begin, long end) {
    Inputs in(call);
    gpu_position<Kept> kept;
    kept.set(output, call->kept);
    V* to = (V*)call->partials + (output - call->base) * call->groups + group;
    for (long k = 0; k < count; ++k, to += call->groups) {
        gpu_position<Reduced> at;
        at.set(begin, call->reduced_shape);
        gpu_lanes<V, Inputs> lanes;
        for (long r = begin; r < end;) {
            const long left = call->reduced_shape[Reduced - 1] - at.at[Reduced - 1];
            const long run = left < end - r ? left : end - r;
            in.seek(call, kept, at, output + k, r);
            lanes.add(in, run);
            r += run;
            at.at[Reduced - 1] += run;
            at.carry(call->reduced_shape);
        }
        *to = lanes.total();
        if (Kept > 0) { ++kept.at[Kept > 0 ? Kept - 1 : 0]; kept.carry(call->kept); }
    }
}

// The same, side by side: for outputs whose inputs are neighbours. At most 1024, all in one row of the kept axes.
template <class V, class Inputs, int Kept, int Reduced>
static void gpu_reduce_columns(const gpu_reduction_call* call, long output, long count, long group, long begin,
                               long end) {
    Inputs in(call);
    gpu_position<Kept> kept;
    kept.set(output, call->kept);
    gpu_position<Reduced> at;
    at.set(begin, call->reduced_shape);
    V sums[1024];
    for (long r = begin; r < end; ++r) {
        in.seek(call, kept, at, output, r);
        if (r == begin) {
            for (long k = 0; k < count; ++k) sums[k] = in.template across<false>(k);
        } else if (in.unit_across()) {
            for (long k = 0; k < count; ++k) sums[k] = Inputs::reduce(sums[k], in.template across<true>(k));
        } else {
            for (long k = 0; k < count; ++k) sums[k] = Inputs::reduce(sums[k], in.template across<false>(k));
        }
        ++at.at[Reduced - 1];
        at.carry(call->reduced_shape);
    }
    V* const to = (V*)call->partials + (output - call->base) * call->groups + group;
    for (long k = 0; k < count; ++k) to[k * call->groups] = sums[k];
}

// Combines the groups of one output, pairwise.
template <class Inputs, class V> GPU_INLINE V gpu_combine(V* partials, long groups) {
    for (long w = 1; w < groups; w *= 2)
        for (long k = 0; k + w < groups; k += 2 * w) partials[k] = Inputs::reduce(partials[k], partials[k + w]);
    return partials[0];
}
)gpu";

// The part of the prelude that elementwise and reduction kernels get in check mode. Their elements are threads here, in
// blocks of 256, so that they are watched and counted as raw kernels are. Only the learner's text is: what libgpu does
// around it reads its own memory in functions that nobody watches.

const char generated_check[] = R"gpu(
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

// After the arguments of the kernel's parameters, a launch passes what it knows of the whole call.
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

// What a block's threads tell each other, two rounds at a time: so one barrier a round is enough.
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

// Where this thread works: nothing of it changes while it runs.
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
)gpu";

}  // namespace gpu::detail::host::text
