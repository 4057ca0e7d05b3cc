// SPDX-License-Identifier: MIT
// <cooperative_groups.h>: blocks, tiles of up to 32 threads, threads that happen to run together, and the grid of a
// cooperative launch.

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

// The common part of tiles and coalesced groups. G has mask(), lane_of(rank) and thread_rank().
template <class G> struct gpu_lanes {
    GPU_INLINE const G& self() const { return (const G&)*this; }
    GPU_INLINE void sync(GPU_LINE) const { __syncwarp(self().gpu_mask(), line); }
    GPU_INLINE unsigned size() const { return num_threads(); }
    GPU_INLINE unsigned num_threads() const { return self().gpu_size(); }
    // The threads that haven't ended, one bit each.
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

// A tile of several warps. Its threads wait as a whole block does, so all tiles of the block must arrive: they share
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
        if (place < gpu_block_threads())
            gpu_copy_value(__builtin_addressof(value), gpu_values_of_tiles() + place * 32, sizeof(T));
        __syncthreads(line);
        return value;
    }
    GPU_INLINE int any(int predicate, GPU_LINE) const { return counted(predicate != 0, line) != 0; }
    GPU_INLINE int all(int predicate, GPU_LINE) const { return counted(predicate == 0, line) == 0; }
    // Bits of the tile's threads can't describe those of another warp: none has ended, or the barrier is wrong.
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
// Sizes other than powers of 2 up to 32 are undefined, on a GPU, too.
GPU_INLINE thread_group tiled_partition(const thread_group&, unsigned size) { return gpu_tile_of(size); }
template <unsigned Size, class P> GPU_INLINE thread_block_tile<Size, P, false>::operator thread_group() const {
    return gpu_tile_of(Size);
}

// CUDA doesn't guarantee which threads run together: see __activemask().
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
