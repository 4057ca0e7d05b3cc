// SPDX-License-Identifier: MIT
// Turns each of a block's counts in shared memory into the sum of those before it. All threads of the block call it.
template <class T> __device__ __forceinline__ void sum_before(T* counts, int size) {
    __syncthreads();
    if (threadIdx.x < 32) {
        const int lane = (int)threadIdx.x;
        T sum = 0;
        for (int k = 0; k < size; k += 32) {
            const bool is_in = k + lane < size;
            const T own = is_in ? counts[k + lane] : 0;
            T up_to = own;
            for (int step = 1; step < 32; step *= 2) {
                const T other = __shfl_up_sync(0xffffffffu, up_to, step);
                if (lane >= step) up_to += other;
            }
            if (is_in) counts[k + lane] = sum + up_to - own;
            sum += __shfl_sync(0xffffffffu, up_to, 31);
        }
    }
    __syncthreads();
}
