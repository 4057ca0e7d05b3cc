// SPDX-License-Identifier: MIT
// The prelude of elementwise and reduction kernels.

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

// True for accumulators that say, by settles(), that a later one can't replace them: the first of the largest elements.
template <class V> auto gpu_settling(int) -> decltype(((const V*)nullptr)->settles(*(const V*)nullptr));
template <class V> void* gpu_settling(long);

// A reduction's tree is the same for any number of workers and any strides along the row: element k of a group goes to
// lane k % lanes and, every 64 rounds of all lanes, to keep chains of additions short, the lanes are added to a second
// row of lanes. Finally lanes are combined pairwise, then groups are (in gpu_finish).
template <class V, class Inputs> struct gpu_lanes {
    static constexpr int count = sizeof(V) <= 4 ? 64 : sizeof(V) <= 8 ? 32 : 16;
    static constexpr long strip = 64 * count;
    static constexpr bool settles = sizeof(gpu_settling<V>(0)) == sizeof(bool);
    V lane[count], sums[count];
    long done = 0;

    // The order doesn't matter, so one accumulator does.
    GPU_INLINE void add_settling(const Inputs& in, long run) {
        long k = 0;
        if (done == 0) lane[0] = in.template along<false>(k++);
        done += run;
        V best = lane[0];
        constexpr int stretch = 128;
        if (in.unit_along())
            for (; k + stretch <= run; k += stretch) {
                int open = 0;
                for (int l = 0; l < stretch; ++l) open |= !best.settles(in.template along<true>(k + l));
                if (open)
                    for (int l = 0; l < stretch; ++l) best = Inputs::reduce(best, in.template along<true>(k + l));
            }
        for (; k < run; ++k) best = Inputs::reduce(best, in.template along<false>(k));
        lane[0] = best;
    }
    GPU_INLINE void add(const Inputs& in, long run) {
        if constexpr (settles) {
            add_settling(in, run);
            return;
        }
        for (long k = 0; k < run;) {
            const long at = done % strip;
            if (at == 0 && done > 0) put_aside(count);
            const long here = run - k < strip - at ? run - k : strip - at;
            add_part(in, k, k + here, at);
            k += here;
            done += here;
        }
    }
    // Complete rounds of all lanes are fast, especially for contiguous inputs; the rest is done one by one.
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
    // A strip's lanes; the last strip may have fewer.
    GPU_INLINE void put_aside(int lanes) {
        if (done <= strip) {
            for (int l = 0; l < lanes; ++l) sums[l] = lane[l];
        } else {
            for (int l = 0; l < lanes; ++l) sums[l] = Inputs::reduce(sums[l], lane[l]);
        }
    }
    GPU_INLINE V total() {
        if constexpr (settles) return lane[0];
        if (done < count) return few();
        if (done <= strip) return folded<count / 2>(lane);
        const long last = (done - 1) % strip + 1;
        put_aside(last < count ? (int)last : count);
        return folded<count / 2>(sums);
    }
    // With a known width: a few instructions on whole registers.
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
