// SPDX-License-Identifier: MIT
// The position of an element.

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

// The index along each axis of a shape, the last one fastest.
template <int Rank> struct gpu_position {
    long at[Rank > 0 ? Rank : 1];
    GPU_INLINE void set(long index, const long* shape) {
        for (int axis = Rank - 1; axis > 0; --axis) { at[axis] = index % shape[axis]; index /= shape[axis]; }
        at[0] = index;
    }
    // After a step along the last axis, at most to its end.
    GPU_INLINE void carry(const long* shape) {
        for (int axis = Rank - 1; axis > 0 && at[axis] == shape[axis]; --axis) { at[axis] = 0; ++at[axis - 1]; }
    }
    GPU_INLINE long offset(const long* strides) const {
        long sum = 0;
        for (int axis = 0; axis < Rank; ++axis) sum += at[axis] * strides[axis];
        return sum;
    }
};
