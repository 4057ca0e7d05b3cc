// SPDX-License-Identifier: MIT
#include "host/prelude/prelude.hpp"

// Barriers and warp operations, for every mode in which threads can wait. A mode's own file defines what they are made
// of before it includes this: gpu_barrier, gpu_barrier_count, gpu_part_barrier, gpu_grid_barrier,
// gpu_warp_instruction, gpu_active_lanes and gpu_yield.
namespace gpu::detail::host::text {

// A line number tells one barrier from another, not the return address: compilers copy calls.
const char sync[] = R"gpu(
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
// Whoever sleeps waits for another thread: it is their turn.
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
// CUDA has these for int, unsigned, long, long long, float and double; what converts to int, does.
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
)gpu";

// In kernels that may read a place until another thread changes it: every loop lets the other threads of its block run
// now and then. The macros are for the learner's text alone.
const char turns[] = R"gpu(
#pragma GCC system_header
static __thread unsigned gpu_turns;
__attribute__((noinline)) static void gpu_next_turn() { gpu_yield(); }
GPU_INLINE constexpr bool gpu_turn() {
    if (!__builtin_is_constant_evaluated() && __builtin_expect(++gpu_turns % 256 == 0, 0)) gpu_next_turn();
    return false;
}
#define while(...) while (gpu_turn(), (__VA_ARGS__))
#define for(...) for (__VA_ARGS__) if (gpu_turn()) {} else
)gpu";

// CUDA's atomic functions and fences. Relaxed, as on a GPU; each executed one is counted.

const char atomics[] = R"gpu(
#pragma GCC system_header
// gpu_count_atomic() comes from the mode's own file.
// The overloads are CUDA's: there is no atomicSub of 64 bits, no atomicAdd of long long, and none takes long.
#define GPU_ATOMIC(name, T, builtin) \
    GPU_INLINE T name(T* p, T v) { gpu_count_atomic(); return builtin(p, v, __ATOMIC_RELAXED); }
#define GPU_ATOMIC_ALL(T) \
    GPU_ATOMIC(atomicAnd, T, __atomic_fetch_and) GPU_ATOMIC(atomicOr, T, __atomic_fetch_or) \
    GPU_ATOMIC(atomicXor, T, __atomic_fetch_xor) \
    GPU_INLINE T atomicMin(T* p, T v) { \
        gpu_count_atomic(); \
        T old = __atomic_load_n(p, __ATOMIC_RELAXED); \
        while (v < old && !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {} \
        return old; \
    } \
    GPU_INLINE T atomicMax(T* p, T v) { \
        gpu_count_atomic(); \
        T old = __atomic_load_n(p, __ATOMIC_RELAXED); \
        while (old < v && !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {} \
        return old; \
    }
#define GPU_ATOMIC_CAS(T) \
    GPU_INLINE T atomicCAS(T* p, T expected, T v) { \
        gpu_count_atomic(); \
        __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return expected; \
    }
#define GPU_ATOMIC_ADD(T) \
    GPU_ATOMIC(atomicAdd, T, __atomic_fetch_add) GPU_ATOMIC(atomicExch, T, __atomic_exchange_n) GPU_ATOMIC_CAS(T)
GPU_ATOMIC_ALL(int) GPU_ATOMIC_ALL(unsigned) GPU_ATOMIC_ALL(long long) GPU_ATOMIC_ALL(unsigned long long)
GPU_ATOMIC_ADD(int) GPU_ATOMIC_ADD(unsigned) GPU_ATOMIC_ADD(unsigned long long)
GPU_ATOMIC(atomicSub, int, __atomic_fetch_sub) GPU_ATOMIC(atomicSub, unsigned, __atomic_fetch_sub)
GPU_ATOMIC_CAS(unsigned short)
#undef GPU_ATOMIC
#undef GPU_ATOMIC_ALL
#undef GPU_ATOMIC_CAS
#undef GPU_ATOMIC_ADD
#define GPU_ATOMIC_FLOAT(T, I) \
    GPU_INLINE T atomicAdd(T* p, T v) { \
        gpu_count_atomic(); \
        T old, sum; \
        __atomic_load(p, &old, __ATOMIC_RELAXED); \
        do sum = old + v; while (!__atomic_compare_exchange((I*)p, (I*)&old, (I*)&sum, true, \
                                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
        return old; \
    }
typedef int __attribute__((may_alias)) gpu_int_bits;
typedef long long __attribute__((may_alias)) gpu_long_bits;
GPU_ATOMIC_FLOAT(float, gpu_int_bits) GPU_ATOMIC_FLOAT(double, gpu_long_bits)
#undef GPU_ATOMIC_FLOAT
GPU_INLINE float atomicExch(float* p, float v) {
    gpu_count_atomic();
    float old;
    __atomic_exchange(p, &v, &old, __ATOMIC_RELAXED);
    return old;
}
GPU_INLINE unsigned atomicInc(unsigned* p, unsigned limit) {
    gpu_count_atomic();
    unsigned old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, old >= limit ? 0u : old + 1u, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    return old;
}
GPU_INLINE unsigned atomicDec(unsigned* p, unsigned limit) {
    gpu_count_atomic();
    unsigned old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, old == 0u || old > limit ? limit : old - 1u, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    return old;
}
// Only check mode tells the scopes apart.
#ifndef gpu_block_scope
#define gpu_block_scope()
#endif
#define GPU_ATOMIC_SCOPES(f) \
    template <class... A> GPU_INLINE auto f##_block(A... a) -> decltype(f(a...)) { \
        gpu_block_scope(); \
        return f(a...); \
    } \
    template <class... A> GPU_INLINE auto f##_system(A... a) -> decltype(f(a...)) { return f(a...); }
GPU_ATOMIC_SCOPES(atomicAdd) GPU_ATOMIC_SCOPES(atomicSub) GPU_ATOMIC_SCOPES(atomicExch) GPU_ATOMIC_SCOPES(atomicMin)
GPU_ATOMIC_SCOPES(atomicMax) GPU_ATOMIC_SCOPES(atomicInc) GPU_ATOMIC_SCOPES(atomicDec) GPU_ATOMIC_SCOPES(atomicCAS)
GPU_ATOMIC_SCOPES(atomicAnd) GPU_ATOMIC_SCOPES(atomicOr) GPU_ATOMIC_SCOPES(atomicXor)
#undef GPU_ATOMIC_SCOPES
GPU_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
GPU_INLINE void __threadfence_block() { __atomic_thread_fence(__ATOMIC_ACQ_REL); }  // check mode tells it by this
GPU_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
template <class T> GPU_INLINE T __ldg(const T* p) { return *p; }
)gpu";

// cooperative_groups.h and cooperative_groups/reduce.h of the host backend: blocks, tiles of up to 32 threads, and the
// threads that happen to run together, and grids whose launch is cooperative.

const char groups[] = R"gpu(
#pragma GCC system_header
#ifndef GPU_GROUPS
#define GPU_GROUPS
#include "libgpu/intrinsics.hpp"
namespace cooperative_groups {
GPU_INLINE unsigned gpu_block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
GPU_INLINE unsigned gpu_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
GPU_INLINE unsigned gpu_lane() { return gpu_rank() % 32; }
GPU_INLINE unsigned gpu_first_lanes(unsigned count) { return count >= 32 ? 0xffffffffu : (1u << count) - 1; }
// A value of any plain type, from another lane of a mask.
template <class T>
GPU_CONVERGENT T gpu_moved_value(int operation, unsigned mask, T value, int argument, int width, int line) {
    static_assert(sizeof(T) <= 32, "a group moves values of at most 32 bytes");
    unsigned long long words[(sizeof(T) + 7) / 8] = {};
    __builtin_memcpy(words, __builtin_addressof(value), sizeof value);
    for (unsigned long long& word : words) word = gpu_warp(operation, mask, word, (argument & 0xff) | width << 8, line);
    __builtin_memcpy(__builtin_addressof(value), words, sizeof value);
    return value;
}

class thread_block;
// Some threads of a warp, or (mask 0) the block.
class thread_group {
public:
    GPU_INLINE thread_group(const thread_block&) : mask_(0), first_(0), size_(gpu_block_threads()) {}
    GPU_INLINE void sync(GPU_LINE) const { mask_ == 0 ? __syncthreads(line) : __syncwarp(mask_, line); }
    GPU_INLINE unsigned long long size() const { return size_; }
    GPU_INLINE unsigned long long num_threads() const { return size_; }
    GPU_INLINE unsigned long long thread_rank() const {
        return mask_ == 0 ? gpu_rank() : (unsigned)__popc(mask_ & gpu_first_lanes(gpu_lane()));
    }
    unsigned gpu_mask() const { return mask_; }

protected:
    GPU_INLINE thread_group(unsigned mask, unsigned first, unsigned size) : mask_(mask), first_(first), size_(size) {}
    friend thread_group gpu_tile_of(unsigned size);
    unsigned mask_, first_, size_;
};

class thread_block {
public:
    static GPU_INLINE void sync(GPU_LINE) { __syncthreads(line); }
    static GPU_INLINE unsigned thread_rank() { return gpu_rank(); }
    static GPU_INLINE unsigned size() { return gpu_block_threads(); }
    static GPU_INLINE unsigned num_threads() { return gpu_block_threads(); }
    static GPU_INLINE dim3 group_index() { return dim3(blockIdx); }
    static GPU_INLINE dim3 thread_index() { return dim3(threadIdx); }
    static GPU_INLINE dim3 group_dim() { return dim3(blockDim); }
    static GPU_INLINE dim3 dim_threads() { return dim3(blockDim); }
};
GPU_INLINE thread_block this_thread_block() { return thread_block(); }

// What tiles and coalesced groups share. G has mask(), lane_of(rank) and thread_rank().
template <class G> struct gpu_lanes {
    GPU_INLINE const G& self() const { return (const G&)*this; }
    GPU_INLINE void sync(GPU_LINE) const { __syncwarp(self().gpu_mask(), line); }
    GPU_INLINE unsigned size() const { return num_threads(); }
    GPU_INLINE unsigned num_threads() const { return self().gpu_size(); }
    // The threads that haven't ended, as a bit each.
    GPU_INLINE unsigned gpu_there(int line) const { return ballot(1, line); }
    GPU_INLINE int any(int predicate, GPU_LINE) const { return __any_sync(self().gpu_mask(), predicate, line); }
    GPU_INLINE int all(int predicate, GPU_LINE) const { return __all_sync(self().gpu_mask(), predicate, line); }
    GPU_INLINE unsigned ballot(int predicate, GPU_LINE) const {
        return self().gpu_ranks(__ballot_sync(self().gpu_mask(), predicate, line));
    }
    template <class T> GPU_INLINE unsigned match_any(T value, GPU_LINE) const {
        return self().gpu_ranks(__match_any_sync(self().gpu_mask(), value, line));
    }
    template <class T> GPU_INLINE unsigned match_all(T value, int& predicate, GPU_LINE) const {
        return self().gpu_ranks(__match_all_sync(self().gpu_mask(), value, &predicate, line));
    }
    template <class T> GPU_INLINE T shfl(T value, int rank, GPU_LINE) const {
        return gpu_moved_value(gpu_warp_index, self().gpu_mask(), value, self().gpu_lane_of(rank), 32, line);
    }
    template <class T> GPU_INLINE T shfl_up(T value, unsigned by, GPU_LINE) const {
        const unsigned rank = self().thread_rank();
        return shfl(value, (int)(rank >= by ? rank - by : rank), line);
    }
    template <class T> GPU_INLINE T shfl_down(T value, unsigned by, GPU_LINE) const {
        const unsigned rank = self().thread_rank();
        return shfl(value, (int)(rank + by < num_threads() ? rank + by : rank), line);
    }
};

// A tile of several warps. Its threads wait as a whole block does, so that all tiles of the block must come: they share
// one memory, through which values move.
GPU_UNCHECKED inline unsigned char* gpu_values_of_tiles() {
    static __thread __attribute__((aligned(16))) unsigned char values[1024 * 32];
    return values;
}
GPU_UNCHECKED inline void gpu_copy_value(void* to, const void* from, unsigned bytes) {
    for (unsigned k = 0; k < bytes; ++k) ((volatile unsigned char*)to)[k] = ((const volatile unsigned char*)from)[k];
}
template <unsigned Size, bool Large = (Size > 32)> class gpu_large_tile {
    static_assert(Size <= 512 && (Size & (Size - 1)) == 0, "a tile has 2^k threads, and at most 512");
public:
    GPU_INLINE gpu_large_tile(unsigned group, unsigned groups) : group_(group), groups_(groups) {}
    static GPU_INLINE void sync(GPU_LINE) { __syncthreads(line); }
    static GPU_INLINE unsigned thread_rank() { return gpu_rank() % Size; }
    static GPU_INLINE unsigned num_threads() { return Size; }
    static GPU_INLINE unsigned size() { return Size; }
    GPU_INLINE unsigned meta_group_rank() const { return group_; }
    GPU_INLINE unsigned meta_group_size() const { return groups_; }
    template <class T> GPU_INLINE T shfl(T value, int rank, GPU_LINE) const {
        static_assert(sizeof(T) <= 32, "a group moves values of at most 32 bytes");
        const unsigned place = gpu_rank() / Size * Size + (unsigned)rank % Size;
        gpu_copy_value(gpu_values_of_tiles() + gpu_rank() * 32, __builtin_addressof(value), sizeof(T));
        __syncthreads(line);
        if (place < gpu_block_threads()) gpu_copy_value(__builtin_addressof(value), gpu_values_of_tiles() + place * 32, sizeof(T));
        __syncthreads(line);
        return value;
    }
    GPU_INLINE int any(int predicate, GPU_LINE) const { return counted(predicate != 0, line) != 0; }
    GPU_INLINE int all(int predicate, GPU_LINE) const { return counted(predicate == 0, line) == 0; }
    // A bit of the tile's threads says nothing of those of another warp: none has ended, or the barrier is wrong.
    static GPU_INLINE unsigned gpu_there(int) { return 0xffffffffu; }

private:
    GPU_INLINE unsigned counted(unsigned yes, int line) const {
        unsigned sum = yes;
        for (unsigned by = 1; by < Size; by *= 2) sum += shfl(sum, (int)(thread_rank() ^ by), line);
        return sum;
    }
    unsigned group_, groups_;
};
template <unsigned Size, class Parent = void, bool Large = (Size > 32)> class thread_block_tile;
template <unsigned Size, class Parent>
class thread_block_tile<Size, Parent, true> : public gpu_large_tile<Size> {
public:
    using gpu_large_tile<Size>::gpu_large_tile;
};
// What a GPU needs for them.
template <unsigned Threads> struct block_tile_memory { char gpu_nothing; };
template <unsigned Threads> GPU_INLINE thread_block this_thread_block(block_tile_memory<Threads>&) {
    return thread_block();
}

template <unsigned Size, class Parent>
class thread_block_tile<Size, Parent, false> : public gpu_lanes<thread_block_tile<Size, Parent>> {
    static_assert(Size <= 32 && (Size & (Size - 1)) == 0 && Size > 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads, or several warps");
public:
    GPU_INLINE thread_block_tile(unsigned group, unsigned groups) : group_(group), groups_(groups) {}
    template <class P> GPU_INLINE thread_block_tile(const thread_block_tile<Size, P>& other)
        : group_(other.meta_group_rank()), groups_(other.meta_group_size()) {}
    static GPU_INLINE unsigned thread_rank() { return gpu_lane() % Size; }
    GPU_INLINE unsigned meta_group_rank() const { return group_; }
    GPU_INLINE unsigned meta_group_size() const { return groups_; }
    template <class T> GPU_INLINE T shfl_xor(T value, unsigned by, GPU_LINE) const {
        const unsigned rank = thread_rank() ^ by;
        return this->shfl(value, (int)(rank < Size ? rank : thread_rank()), line);
    }
    GPU_INLINE operator thread_group() const;
    static GPU_INLINE unsigned gpu_size() { return Size; }
    static GPU_INLINE unsigned gpu_start() { return gpu_lane() / Size * Size; }
    static GPU_INLINE unsigned gpu_mask() { return gpu_first_lanes(Size) << gpu_start(); }
    static GPU_INLINE unsigned gpu_ranks(unsigned lanes) { return lanes >> gpu_start(); }
    static GPU_INLINE int gpu_lane_of(int rank) { return (int)gpu_start() + (int)((unsigned)rank % Size); }

private:
    unsigned group_, groups_;
};
template <unsigned Size> GPU_INLINE thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
    return {gpu_rank() / Size, (gpu_block_threads() + Size - 1) / Size};
}
template <unsigned Size, unsigned Outer, class P>
GPU_INLINE thread_block_tile<Size, thread_block_tile<Outer, P>> tiled_partition(const thread_block_tile<Outer, P>&) {
    static_assert(Size <= Outer, "a tile is cut into smaller ones");
    return {gpu_rank() % Outer / Size, Outer / Size};
}
GPU_INLINE thread_group gpu_tile_of(unsigned size) {
    const unsigned start = gpu_lane() / size * size;
    return thread_group(gpu_first_lanes(size) << start, start, size);
}
// A size that is no power of 2 up to 32 has no meaning; on a GPU neither.
GPU_INLINE thread_group tiled_partition(const thread_group&, unsigned size) { return gpu_tile_of(size); }
template <unsigned Size, class P> GPU_INLINE thread_block_tile<Size, P, false>::operator thread_group() const {
    return gpu_tile_of(Size);
}

// Which threads run together is not promised by CUDA: see __activemask().
class coalesced_group : public gpu_lanes<coalesced_group> {
public:
    GPU_INLINE explicit coalesced_group(unsigned mask, unsigned group = 0, unsigned groups = 1)
        : mask_(mask), group_(group), groups_(groups) {}
    GPU_INLINE unsigned thread_rank() const { return (unsigned)__popc(mask_ & gpu_first_lanes(gpu_lane())); }
    GPU_INLINE unsigned meta_group_rank() const { return group_; }
    GPU_INLINE unsigned meta_group_size() const { return groups_; }
    GPU_INLINE unsigned gpu_size() const { return (unsigned)__popc(mask_); }
    GPU_INLINE unsigned gpu_mask() const { return mask_; }
    GPU_INLINE unsigned gpu_ranks(unsigned lanes) const {
        unsigned ranks = 0, rank = 0;
        for (unsigned left = mask_; left != 0; left &= left - 1, ++rank)
            if ((lanes & left & -left) != 0) ranks |= 1u << rank;
        return ranks;
    }
    GPU_INLINE int gpu_lane_of(int rank) const { return (int)(__fns(mask_, 0, rank + 1) % 32); }

private:
    unsigned mask_, group_, groups_;
};
GPU_INLINE coalesced_group coalesced_threads(GPU_LINE) { return coalesced_group(__activemask(line)); }
template <class G, class L> GPU_INLINE coalesced_group labeled_partition(const G& group, L label, GPU_LINE) {
    return coalesced_group(__match_any_sync(group.gpu_mask(), label, line));
}
template <class G> GPU_INLINE coalesced_group binary_partition(const G& group, bool side, GPU_LINE) {
    const unsigned yes = __ballot_sync(group.gpu_mask(), side, line);
    return coalesced_group(side ? yes : group.gpu_mask() & ~yes, side, 2);
}

class grid_group {
public:
    static GPU_INLINE bool is_valid() { return gpu_grid_barrier(false, 0); }
    static GPU_INLINE void sync(GPU_LINE, const char* file = __builtin_FILE()) {
        if (!is_valid())
            gpu_fail("grid.sync() needs a cooperative launch: {.grid = ..., .block = ..., .cooperative = true}", file,
                     line, threadIdx);
        gpu_grid_barrier(true, line);
    }
    static GPU_INLINE unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    static GPU_INLINE unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static GPU_INLINE unsigned long long num_threads() { return num_blocks() * gpu_block_threads(); }
    static GPU_INLINE unsigned long long size() { return num_threads(); }
    static GPU_INLINE unsigned long long thread_rank() { return block_rank() * gpu_block_threads() + gpu_rank(); }
    static GPU_INLINE dim3 group_dim() { return dim3(gridDim); }
    static GPU_INLINE dim3 dim_blocks() { return dim3(gridDim); }
    static GPU_INLINE dim3 block_index() { return dim3(blockIdx); }
};
GPU_INLINE grid_group this_grid() { return grid_group(); }
#define GPU_NO_GROUP(name, what) \
    struct gpu_no_##name { void sync() const; }; \
    __attribute__((unavailable(what " can't run on the host backend"))) gpu_no_##name name();
GPU_NO_GROUP(this_multi_grid, "grids over several GPUs") GPU_NO_GROUP(this_cluster, "clusters of blocks")
#undef GPU_NO_GROUP

template <class G> GPU_INLINE void sync(const G& group, GPU_LINE) { group.sync(line); }
template <class G, class F, class... A> GPU_INLINE void invoke_one(const G& group, F&& f, A&&... arguments) {
    if (group.thread_rank() == 0) f((A&&)arguments...);
}
template <class G>
GPU_INLINE auto thread_rank(const G& group) -> decltype(group.thread_rank()) { return group.thread_rank(); }
template <class G> GPU_INLINE auto group_size(const G& group) -> decltype(group.size()) { return group.size(); }
}  // namespace cooperative_groups
#endif
)gpu";

const char groups_reduce[] = R"gpu(
#pragma GCC system_header
#ifndef GPU_GROUPS_REDUCE
#define GPU_GROUPS_REDUCE
#include "cooperative_groups.h"
namespace cooperative_groups {
#define GPU_GROUP_OPERATION(name, value) \
    template <class T = void> struct name { GPU_INLINE T operator()(T a, T b) const { return value; } }; \
    template <> struct name<void> { template <class T> GPU_INLINE T operator()(T a, T b) const { return value; } };
GPU_GROUP_OPERATION(plus, a + b) GPU_GROUP_OPERATION(less, b < a ? b : a) GPU_GROUP_OPERATION(greater, a < b ? b : a)
GPU_GROUP_OPERATION(bit_and, a & b) GPU_GROUP_OPERATION(bit_or, a | b) GPU_GROUP_OPERATION(bit_xor, a ^ b)
#undef GPU_GROUP_OPERATION
// In a fixed tree over the group's threads, and those that have ended left out.
template <class G, class T, class F> GPU_INLINE T reduce(const G& group, T value, F operation, GPU_LINE) {
    const unsigned there = group.gpu_there(line), rank = group.thread_rank();
    for (unsigned by = 1; by < group.size(); by *= 2) {
        const T other = group.shfl(value, (int)(rank + by < group.size() ? rank + by : rank), line);
        if (rank % (2 * by) == 0 && rank + by < group.size() && (there >> ((rank + by) & 31) & 1) != 0)
            value = operation(value, other);
    }
    return group.shfl(value, 0, line);
}
}  // namespace cooperative_groups
#endif
)gpu";

const char groups_scan[] = R"gpu(
#pragma GCC system_header
#ifndef GPU_GROUPS_SCAN
#define GPU_GROUPS_SCAN
#include "cooperative_groups/reduce.h"
namespace cooperative_groups {
template <class G, class T, class F> GPU_INLINE T inclusive_scan(const G& group, T value, F operation, GPU_LINE) {
    const unsigned rank = group.thread_rank();
    for (unsigned by = 1; by < group.size(); by *= 2) {
        const T other = group.shfl(value, (int)(rank >= by ? rank - by : rank), line);
        if (rank >= by) value = operation(other, value);
    }
    return value;
}
template <class G, class T> GPU_INLINE T inclusive_scan(const G& group, T value, GPU_LINE) {
    return inclusive_scan(group, value, plus<T>(), line);
}
// The first thread's is T().
template <class G, class T, class F> GPU_INLINE T exclusive_scan(const G& group, T value, F operation, GPU_LINE) {
    const unsigned rank = group.thread_rank();
    const T before = group.shfl(inclusive_scan(group, value, operation, line), (int)(rank > 0 ? rank - 1 : 0), line);
    return rank > 0 ? before : T();
}
template <class G, class T> GPU_INLINE T exclusive_scan(const G& group, T value, GPU_LINE) {
    return exclusive_scan(group, value, plus<T>(), line);
}
}  // namespace cooperative_groups
#endif
)gpu";

}  // namespace gpu::detail::host::text
