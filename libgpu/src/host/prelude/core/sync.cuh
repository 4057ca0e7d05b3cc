// SPDX-License-Identifier: MIT
// Barriers and warp operations, for every mode in which threads can wait. A mode's own file defines their building
// blocks before it includes this one: gpu_barrier, gpu_barrier_count, gpu_part_barrier, gpu_grid_barrier,
// gpu_warp_instruction, gpu_active_lanes and gpu_yield.
// Barriers are identified by line number, not return address: compilers duplicate calls.

#pragma GCC system_header
#define GPU_LINE int line = __builtin_LINE()
GPU_CONVERGENT unsigned long long gpu_warp(int operation, unsigned mask, unsigned long long value, int argument,
                                           int line) {
    return gpu_warp_instruction((unsigned long long)mask << 32 | (unsigned)operation << 16 | (unsigned)argument, value,
                                line);
}
GPU_CONVERGENT void __syncthreads(GPU_LINE) { gpu_barrier(line); }
GPU_CONVERGENT void __barrier_sync(unsigned, GPU_LINE) { gpu_barrier(line); }
GPU_CONVERGENT void __barrier_sync_count(unsigned barrier, unsigned threads, GPU_LINE,
                                         const char* file = __builtin_FILE()) {
    if (barrier > 15 || threads == 0 || threads % 32 != 0 || threads > 1024)
        gpu_fail("__barrier_sync_count() takes a barrier from 0 to 15 and a multiple of 32 threads, up to 1024", file,
                 line, threadIdx);
    gpu_part_barrier(barrier, threads, line);
}
GPU_CONVERGENT int __syncthreads_count(int predicate, GPU_LINE) {
    return (int)gpu_barrier_count(predicate != 0, line);
}
GPU_CONVERGENT int __syncthreads_or(int predicate, GPU_LINE) { return gpu_barrier_count(predicate != 0, line) != 0; }
GPU_CONVERGENT int __syncthreads_and(int predicate, GPU_LINE) { return gpu_barrier_count(predicate == 0, line) == 0; }
GPU_CONVERGENT void __syncwarp(unsigned mask = 0xffffffffu, GPU_LINE) { gpu_warp(gpu_warp_sync, mask, 0, 0, line); }
GPU_CONVERGENT unsigned __activemask(GPU_LINE) { return gpu_active_lanes(line); }
// A thread that sleeps waits for another one: let that one run.
GPU_CONVERGENT void __nanosleep(unsigned) { gpu_yield(); }

GPU_CONVERGENT unsigned __ballot_sync(unsigned mask, int predicate, GPU_LINE) {
    return (unsigned)gpu_warp(gpu_warp_ballot, mask, predicate != 0, 0, line);
}
GPU_CONVERGENT int __any_sync(unsigned mask, int predicate, GPU_LINE) {
    return gpu_warp(gpu_warp_ballot, mask, predicate != 0, 0, line) != 0;
}
GPU_CONVERGENT int __all_sync(unsigned mask, int predicate, GPU_LINE) {
    return gpu_warp(gpu_warp_ballot, mask, predicate == 0, 0, line) == 0;
}
// CUDA has these for int, unsigned, long, long long, float and double; other types are converted if possible.
template <class T> struct gpu_lane_value { static constexpr bool value = false; typedef T type; };
#define GPU_LANE_VALUE(T, Moved) \
    template <> struct gpu_lane_value<T> { static constexpr bool value = true; typedef Moved type; };
GPU_LANE_VALUE(bool, int) GPU_LANE_VALUE(char, int) GPU_LANE_VALUE(signed char, int) GPU_LANE_VALUE(unsigned char, int)
GPU_LANE_VALUE(short, int) GPU_LANE_VALUE(unsigned short, int) GPU_LANE_VALUE(int, int)
GPU_LANE_VALUE(unsigned, unsigned) GPU_LANE_VALUE(long, long) GPU_LANE_VALUE(unsigned long, unsigned long)
GPU_LANE_VALUE(long long, long long) GPU_LANE_VALUE(unsigned long long, unsigned long long)
GPU_LANE_VALUE(float, float) GPU_LANE_VALUE(double, double)
template <class T> struct gpu_moved : gpu_enable<gpu_lane_value<T>::value, typename gpu_lane_value<T>::type> {};
template <class T, bool Enum = __is_enum(T)> struct gpu_not_moved {};
template <class T> struct gpu_not_moved<T, false> : gpu_enable<!gpu_lane_value<T>::value, T> {};
template <class T>
GPU_CONVERGENT T gpu_shuffle(int operation, unsigned mask, T value, int argument, int width, int line) {
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, __builtin_addressof(value), sizeof value);
    bits = gpu_warp(operation, mask, bits, (argument & 0xff) | width << 8, line);
    __builtin_memcpy(__builtin_addressof(value), &bits, sizeof value);
    return value;
}
#define GPU_SHUFFLE(name, operation, A, argument) \
    template <class T> \
    GPU_CONVERGENT typename gpu_moved<T>::type name(unsigned mask, T value, A by, int width = 32, GPU_LINE) { \
        return gpu_shuffle(operation, mask, (typename gpu_moved<T>::type)value, argument, width, line); \
    } \
    template <class T> __attribute__((unavailable("it moves int, unsigned, long long, float, double and half; move a " \
                                                  "structure member by member, and no pointers"))) \
    typename gpu_not_moved<T>::type name(unsigned mask, T value, A by, int width = 32);
GPU_SHUFFLE(__shfl_sync, gpu_warp_index, int, by)
GPU_SHUFFLE(__shfl_up_sync, gpu_warp_up, unsigned, by > 32u ? 32 : (int)by)
GPU_SHUFFLE(__shfl_down_sync, gpu_warp_down, unsigned, by > 32u ? 32 : (int)by)
GPU_SHUFFLE(__shfl_xor_sync, gpu_warp_xor, int, by)
#undef GPU_SHUFFLE
template <class T> GPU_INLINE unsigned long long gpu_match_bits(T value) {
    const typename gpu_moved<T>::type moved = value;
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &moved, sizeof moved);
    return bits;
}
template <class T> GPU_CONVERGENT unsigned __match_any_sync(unsigned mask, T value, GPU_LINE) {
    return (unsigned)gpu_warp(gpu_warp_match, mask, gpu_match_bits(value), 0, line);
}
template <class T> GPU_CONVERGENT unsigned __match_all_sync(unsigned mask, T value, int* predicate, GPU_LINE) {
    const unsigned lanes = (unsigned)gpu_warp(gpu_warp_match_all, mask, gpu_match_bits(value), 0, line);
    *predicate = lanes != 0;
    return lanes;
}
#define GPU_REDUCE(name, T, operation) \
    GPU_CONVERGENT T name(unsigned mask, T value, GPU_LINE) { \
        return (T)gpu_warp(operation, mask, (unsigned)value, 0, line); \
    }
GPU_REDUCE(__reduce_add_sync, int, gpu_warp_add) GPU_REDUCE(__reduce_add_sync, unsigned, gpu_warp_add)
GPU_REDUCE(__reduce_min_sync, int, gpu_warp_min) GPU_REDUCE(__reduce_min_sync, unsigned, gpu_warp_min_unsigned)
GPU_REDUCE(__reduce_max_sync, int, gpu_warp_max) GPU_REDUCE(__reduce_max_sync, unsigned, gpu_warp_max_unsigned)
GPU_REDUCE(__reduce_and_sync, unsigned, gpu_warp_and) GPU_REDUCE(__reduce_or_sync, unsigned, gpu_warp_or)
GPU_REDUCE(__reduce_xor_sync, unsigned, gpu_warp_bitxor)
#undef GPU_REDUCE
