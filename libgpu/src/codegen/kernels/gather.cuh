// SPDX-License-Identifier: MIT
// The position of an index along the axis, or -1 and a report of the fault: GatherWalk and the runtime's IndexFault as
// kernels see them. The first thread to claim the report fills it in, its kind last.

struct Fault { int claimed, kind; long long value, position, size, axis; };
struct Walk {
    long long size, shape[result_rank], array[result_rank], index[result_rank], values[result_rank];
    long long length, axis_shape[axis_rank], axis_strides[axis_rank], expected, mode, axis;
};
__device__ inline bool claims(Fault* fault) { return atomicCAS(&fault->claimed, 0, 1) == 0; }

__device__ inline void tell(Fault* fault, int kind, long long value, long long position, long long size,
                            long long axis) {
    fault->value = value;
    fault->position = position;
    fault->size = size;
    fault->axis = axis;
    __threadfence_system();
    atomicExch(&fault->kind, kind);
}

struct Place { long long array, index, values; };

// N is 32 bits wide where that suffices: division then takes a third of the time.
template <class N> __device__ inline Place place_in(N i, const Walk& walk) {
    Place place = {0, 0, 0};
#pragma unroll
    for (int k = result_rank - 1; k >= 0; --k) {
        const N length = (N)walk.shape[k], rest = k == 0 ? 0 : i / length;
        const long long at = k == 0 ? i : i - rest * length;
        i = rest;
        place.array += at * walk.array[k];
        place.index += at * walk.index[k];
        place.values += at * walk.values[k];
    }
    return place;
}

__device__ inline Place place_of(long long i, const Walk& walk) {
    return walk.size <= 0x7fffffff ? place_in((unsigned)i, walk) : place_in(i, walk);
}

__device__ inline long long along_axis(long long at, const Walk& walk) {
    long long offset = 0;
#pragma unroll
    for (int k = axis_rank - 1; k > 0; --k) {
        offset += at % walk.axis_shape[k] * walk.axis_strides[k];
        at /= walk.axis_shape[k];
    }
    return offset + at * walk.axis_strides[0];
}

__device__ inline long long resolved(I value, long long position, const Walk& walk, Fault* fault) {
    const bool is_unsigned = I(-1) > I(0);
    const bool beyond = is_unsigned && (unsigned long long)value >= (unsigned long long)walk.length;
    const long long at = (long long)value, length = walk.length;
    if (!beyond && at >= 0 && at < length) return at;
    if (walk.mode == 1) {
        if (is_unsigned) return (long long)((unsigned long long)value % (unsigned long long)length);
        const long long rest = at % length;
        return rest < 0 ? rest + length : rest;
    }
    if (walk.mode == 2) return !is_unsigned && at < 0 ? 0 : length - 1;
    if (!is_unsigned && at < 0 && at >= -length) return at + length;
    if (claims(fault)) tell(fault, is_unsigned ? 2 : 1, at, position, length, walk.axis);
    return -1;
}
