// SPDX-License-Identifier: MIT
//// barriers
__global__ void k(int* x) { __syncthreads(); x[0] = __syncthreads_count(x[1]) + __syncthreads_and(x[2]) + __syncthreads_or(x[3]); }
//// named barriers of a part of the block
__global__ void k(int* x) { __barrier_sync_count(1, 64); x[0] = 1; }
//// __barrier_sync
__global__ void k(int* x) { __shared__ int s[32]; s[threadIdx.x] = 1; __barrier_sync(0); x[0] = s[0]; }
//// __syncwarp
__global__ void k(int* x) { __syncwarp(); __syncwarp(0xffff); x[0] = 1; }
//// shuffles
__global__ void k(int* x) { int v = x[threadIdx.x]; v += __shfl_down_sync(0xffffffff, v, 16); v += __shfl_up_sync(~0u, v, 1); v += __shfl_xor_sync(0xffffffff, v, 1, 16); x[0] = __shfl_sync(0xffffffff, v, 0); }
//// shuffles of all types
__global__ void k(double* x, float f, long long l, unsigned u, unsigned long long m) { x[0] = __shfl_sync(~0u, x[1], 1) + __shfl_sync(~0u, f, 1) + __shfl_sync(~0u, l, 1) + __shfl_sync(~0u, u, 1) + __shfl_sync(~0u, m, 1); }
//// a shuffle of half
#include <cuda_fp16.h>
__global__ void k(__half* x) { x[0] = __shfl_down_sync(0xffffffff, x[1], 1); }
//// a shuffle of a char
__global__ void k(char* x) { x[0] = __shfl_sync(~0u, x[1], 1); }
//// a shuffle of a structure
struct P { int a, b; };
__global__ void k(P* x) { x[0] = __shfl_sync(~0u, x[1], 1); }
//// a shuffle of a pointer
__global__ void k(int** x) { x[0] = __shfl_sync(~0u, x[1], 1); }
//// a shuffle of float4
__global__ void k(float4* x) { x[0] = __shfl_sync(~0u, x[1], 1); }
//// votes
__global__ void k(int* x) { x[0] = __all_sync(~0u, x[1]) + __any_sync(~0u, x[2]) + __ballot_sync(~0u, x[3] > 0) + __activemask(); }
//// matches
__global__ void k(int* x, unsigned long long v) { int p; x[0] = __match_any_sync(~0u, x[1]) + __match_all_sync(~0u, v, &p) + p; }
//// reductions
__global__ void k(int* x, unsigned u) { x[0] = __reduce_add_sync(~0u, x[1]) + __reduce_max_sync(~0u, x[1]) + __reduce_min_sync(~0u, u) + __reduce_or_sync(~0u, u) + __reduce_xor_sync(~0u, u); }
//// a reduction of floats
__global__ void k(float* x) { x[0] = __reduce_add_sync(~0u, x[1]); }
//// a warp's sum in a function template
template <class T> __device__ T warp_sum(T v) { for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d); return v; }
__global__ void k(float* x, int n) { x[0] = warp_sum(x[1]) + warp_sum(n); }
//// a block's sum with warps
__global__ void k(float* x) { __shared__ float s[32]; float v = x[threadIdx.x]; for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d); if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v; __syncthreads(); if (threadIdx.x == 0) x[0] = s[0]; }
//// a barrier behind a macro
#define WAIT __syncthreads()
__global__ void k(int* x) { __shared__ int s; s = 1; WAIT; x[0] = s; }
//// blocks of cooperative groups
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) { cg::thread_block b = cg::this_thread_block(); b.sync(); x[b.thread_rank()] = b.size() + b.group_index().x + b.thread_index().y + b.num_threads(); cg::sync(b); }
//// tiles
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) { auto t = cg::tiled_partition<16>(cg::this_thread_block()); t.sync(); x[0] = t.shfl_down(x[1], 1) + t.shfl_xor(x[2], 1) + t.any(1) + t.all(0) + t.ballot(1) + t.meta_group_rank() + t.meta_group_size() + t.thread_rank() + t.size(); }
//// a tile as a parameter
#include <cooperative_groups.h>
using namespace cooperative_groups;
template <unsigned N> __device__ int sum(thread_block_tile<N> t, int v) { for (int i = t.size() / 2; i > 0; i /= 2) v += t.shfl_down(v, i); return v; }
__global__ void k(int* x) { x[0] = sum<32>(tiled_partition<32>(this_thread_block()), x[1]); }
//// a group as a parameter
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int f(cg::thread_group g) { g.sync(); return g.thread_rank() + g.size(); }
__global__ void k(int* x) { x[0] = f(cg::this_thread_block()) + f(cg::tiled_partition(cg::this_thread_block(), 8)); }
//// coalesced threads
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) { if (threadIdx.x % 2) { cg::coalesced_group g = cg::coalesced_threads(); if (g.thread_rank() == 0) atomicAdd(x, (int)g.size()); x[1] = g.shfl(3, 0); } }
//// partitions by label
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) { auto t = cg::tiled_partition<32>(cg::this_thread_block()); auto g = cg::labeled_partition(t, x[threadIdx.x]); auto h = cg::binary_partition(t, x[0] > 1); x[1] = g.size() + h.size(); }
//// cg::reduce
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(float* x) { auto t = cg::tiled_partition<32>(cg::this_thread_block()); x[0] = cg::reduce(t, x[1], cg::plus<float>()) + cg::reduce(t, x[1], cg::greater<float>()) + cg::reduce(t, x[1], [](float a, float b) { return a * b; }); }
//// cg::inclusive_scan and exclusive_scan
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) { auto t = cg::tiled_partition<32>(cg::this_thread_block()); x[0] = cg::inclusive_scan(t, x[1]) + cg::exclusive_scan(t, x[1]) + cg::inclusive_scan(t, x[1], cg::plus<int>()) + cg::exclusive_scan(t, x[1], cg::plus<int>()); }
//// cg::inclusive_scan of coalesced threads
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) { if (threadIdx.x % 3) x[0] = cg::inclusive_scan(cg::coalesced_threads(), x[1]); }
//// a tile of several warps
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(float* x) { auto t = cg::tiled_partition<64>(cg::this_thread_block()); t.sync(); x[t.thread_rank()] = t.shfl(x[1], 3) + t.any(1) + t.all(0) + t.meta_group_rank() + cg::reduce(t, x[2], cg::plus<float>()); }
//// a tile of several warps with its memory
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void k(float* x) { __shared__ cg::block_tile_memory<512> memory; auto b = cg::this_thread_block(memory); auto t = cg::tiled_partition<128>(b); x[t.thread_rank()] = cg::inclusive_scan(t, x[1]); auto w = cg::tiled_partition<32>(t); x[0] = w.meta_group_rank() + w.meta_group_size(); }
//// a tile of 48
#include <cooperative_groups.h>
__global__ void k(float* x) { auto t = cooperative_groups::tiled_partition<48>(cooperative_groups::this_thread_block()); x[0] = t.size(); }
//// cg::invoke_one
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) { auto b = cg::this_thread_block(); cg::invoke_one(b, [&] { x[0] = 1; }); }
//// ranks of the grid
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) { cg::grid_group g = cg::this_grid(); x[g.thread_rank()] = g.size() + g.block_rank() + g.num_blocks(); }
//// cg::memcpy_async
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) { __shared__ int s[32]; auto b = cg::this_thread_block(); cg::memcpy_async(b, s, x, sizeof s); cg::wait(b); x[0] = s[0]; }
//// grid sync
#include <cooperative_groups.h>
__global__ void k(int* x) { cooperative_groups::this_grid().sync(); x[0] = cooperative_groups::this_grid().is_valid(); }
