// SPDX-License-Identifier: MIT
// Data, strides and lengths have ArrayArgument's layout. On a GPU, a 32-bit division is much faster than a 64-bit one.

template <class gpu_T, int gpu_rank, bool gpu_dense> struct gpu_raw_array {
    gpu_T* gpu_data;
    long long gpu_strides[8], gpu_lengths[8];
    enum { ndim = gpu_rank };
    __device__ __forceinline__ gpu_T& operator[](long long gpu_j) const {
        if (gpu_dense) return gpu_data[gpu_j];
        long long gpu_at = 0;
        for (int gpu_axis = gpu_rank - 1; gpu_axis > 0; --gpu_axis) {
            const long long gpu_length = gpu_lengths[gpu_axis];
            const long long gpu_rest = ((unsigned long long)(gpu_j | gpu_length) >> 32) == 0
                                           ? (long long)((unsigned)gpu_j / (unsigned)gpu_length)
                                           : gpu_j / gpu_length;
            gpu_at += (gpu_j - gpu_rest * gpu_length) * gpu_strides[gpu_axis];
            gpu_j = gpu_rest;
        }
        return gpu_data[gpu_rank > 0 ? gpu_at + gpu_j * gpu_strides[0] : gpu_j];
    }
    template <int gpu_count>
    __device__ __forceinline__ gpu_T& operator[](const long long (&gpu_place)[gpu_count]) const {
        static_assert(gpu_count == gpu_rank, "y[{i, j}] of a raw array takes as many indices as the array has axes");
        long long gpu_at = 0;
        for (int gpu_axis = 0; gpu_axis < gpu_rank; ++gpu_axis) gpu_at += gpu_place[gpu_axis] * gpu_strides[gpu_axis];
        return gpu_data[gpu_at];
    }
    __device__ __forceinline__ long long size() const {
        long long gpu_count = 1;
        for (int gpu_axis = 0; gpu_axis < gpu_rank; ++gpu_axis) gpu_count *= gpu_lengths[gpu_axis];
        return gpu_count;
    }
    __device__ __forceinline__ const long long* shape() const { return gpu_lengths; }
    __device__ __forceinline__ const long long* strides() const { return gpu_strides; }
};
