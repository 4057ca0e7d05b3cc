// SPDX-License-Identifier: MIT
//// primitives
#include <cuda_pipeline.h>
__global__ void k(int* x) { __shared__ int s[4]; __pipeline_memcpy_async(s, x, 16); __pipeline_commit(); __pipeline_wait_prior(0); x[0] = s[1]; }
//// primitives alone, with zeros
#include <cuda_pipeline_primitives.h>
__global__ void k(const int* __restrict__ x, int* y) { __shared__ int4 s; __pipeline_memcpy_async(&s, x, sizeof s, 4); __pipeline_commit(); __pipeline_wait_prior(3); y[0] = s.x; }
//// a size that isn't one of theirs
#include <cuda_pipeline.h>
__global__ void k(int* x) { __shared__ int s[4]; __pipeline_memcpy_async(s, x, 12); }
//// primitives without a header
__global__ void k(int* x) { __shared__ int s[4]; __pipeline_memcpy_async(s, x, 16); }
//// five arguments
#include <cuda_pipeline.h>
__global__ void k(int* x) { __shared__ int s[4]; __pipeline_memcpy_async(s, x, 16, 0, x, 3); }
//// a group, in bytes
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(int* x) { __shared__ int s[32]; auto b = cg::this_thread_block(); cg::memcpy_async(b, s, x, sizeof s); cg::wait_prior<0>(b); x[0] = s[0]; }
//// a group, in elements
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(float* x) { __shared__ float s[32]; auto b = cg::this_thread_block(); cg::memcpy_async(b, s, 32, x, 64); cg::wait(b); x[0] = s[0]; }
//// a tile and a coalesced group
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(float* x) { __shared__ float s[32]; auto t = cg::tiled_partition<16>(cg::this_thread_block()); cg::memcpy_async(t, s, x, 64); cg::wait(t); auto c = cg::coalesced_threads(); cg::memcpy_async(c, s, x, 64); cg::wait(c); x[0] = s[0]; }
//// a grid
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(float* x) { __shared__ float s[32]; cg::memcpy_async(cg::this_grid(), s, x, 64); x[0] = s[0]; }
//// two types
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(float* x) { __shared__ int s[32]; cg::memcpy_async(cg::this_thread_block(), s, x, 64); x[0] = s[0]; }
//// void pointers of a group
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(float* x) { __shared__ int s[32]; cg::memcpy_async(cg::this_thread_block(), (void*)s, (const void*)x, 64); x[0] = s[0]; }
//// a pipeline of a thread
#include <cuda/pipeline>
__global__ void k(int* x) { __shared__ int s[4]; auto p = cuda::make_pipeline(); p.producer_acquire(); cuda::memcpy_async(s, x, 4, p); p.producer_commit(); p.consumer_wait(); x[1] = s[0]; p.consumer_release(); p.quit(); }
//// its type, and waiting for all but some
#include <cuda/pipeline>
__global__ void k(int* x) { __shared__ int s[4]; cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline(); cuda::memcpy_async(s, x, cuda::aligned_size_t<4>(4), p); p.producer_commit(); cuda::pipeline_consumer_wait_prior<0>(p); x[1] = s[0]; }
//// a pipeline that is copied
#include <cuda/pipeline>
__global__ void k(int* x) { auto p = cuda::make_pipeline(); auto q = p; q.producer_commit(); }
//// a pipeline that is moved
#include <cuda/pipeline>
#include <cuda/std/utility>
__global__ void k(int* x) { auto p = cuda::make_pipeline(); auto q = cuda::std::move(p); q.producer_commit(); }
//// a pipeline of a block
#include <cooperative_groups.h>
#include <cuda/pipeline>
__global__ void k(int* x) { __shared__ int s[64]; __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state; auto b = cooperative_groups::this_thread_block(); auto p = cuda::make_pipeline(b, &state); p.producer_acquire(); cuda::memcpy_async(b, s, x, 4, p); p.producer_commit(); p.consumer_wait(); x[1] = s[0]; p.consumer_release(); }
//// a pipeline with roles
#include <cooperative_groups.h>
#include <cuda/pipeline>
__global__ void k(int* x) { __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state; auto b = cooperative_groups::this_thread_block(); auto p = cuda::make_pipeline(b, &state, threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer); auto q = cuda::make_pipeline(b, &state, 32); p.quit(); x[0] = q.quit(); }
//// a pipeline in a function
#include <cuda/pipeline>
template <cuda::thread_scope S> __device__ void f(cuda::pipeline<S>& p, int* s, const int* x) { p.producer_acquire(); cuda::memcpy_async(s, x, 4, p); p.producer_commit(); }
__global__ void k(int* x) { __shared__ int s[4]; auto p = cuda::make_pipeline(); f(p, s, x); p.consumer_wait(); }
//// a type with a copy constructor
#include <cuda/pipeline>
struct P { int a; __device__ P(const P& p) : a(p.a) {} };
__global__ void k(P* x) { auto p = cuda::make_pipeline(); cuda::memcpy_async(x, x + 1, sizeof(P), p); }
//// a barrier
#include <cuda/barrier>
__global__ void k(int* x) { __shared__ cuda::barrier<cuda::thread_scope_block> b; if (threadIdx.x == 0) init(&b, blockDim.x); __syncthreads(); b.arrive_and_wait(); b.wait(b.arrive()); b.arrive_and_drop(); x[0] = b.max(); }
//// its token
#include <cuda/barrier>
#include <cuda/std/utility>
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void k(int* x) { __shared__ barrier b; init(&b, 1); barrier::arrival_token t = b.arrive(); b.wait(cuda::std::move(t)); auto u = b.arrive(1); b.wait_parity(true); x[0] = u; }
//// its token without a move
#include <cuda/barrier>
__global__ void k(int* x) { __shared__ cuda::barrier<cuda::thread_scope_block> b; auto t = b.arrive(); b.wait(t); }
//// a barrier that is copied
#include <cuda/barrier>
__global__ void k(int* x) { __shared__ cuda::barrier<cuda::thread_scope_block> b; auto c = b; }
//// a barrier of one's own
#include <cuda/barrier>
__global__ void k(int* x) { cuda::barrier<cuda::thread_scope_thread> b(1); b.arrive_and_wait(); }
//// a copy that a barrier waits for
#include <cooperative_groups.h>
#include <cuda/barrier>
__global__ void k(int* x) { __shared__ int s[64]; __shared__ cuda::barrier<cuda::thread_scope_block> b; auto g = cooperative_groups::this_thread_block(); cuda::memcpy_async(g, s, x, sizeof s, b); cuda::memcpy_async(s, x, 4, b); cuda::memcpy_async(g, (void*)s, (void*)x, cuda::aligned_size_t<4>(4), b); b.arrive_and_wait(); x[0] = s[1]; }
//// a barrier in dynamic shared memory
#include <cuda/barrier>
extern __shared__ unsigned char bytes[];
__global__ void k(int* x) { auto* b = (cuda::barrier<cuda::thread_scope_block>*)bytes; if (threadIdx.x == 0) init(b, 32); __syncthreads(); b->arrive_and_wait(); }
//// the size of a barrier
#include <cuda/barrier>
static_assert(sizeof(cuda::barrier<cuda::thread_scope_block>) == 8 && alignof(cuda::barrier<cuda::thread_scope_block>) == 8, "");
__global__ void k(int* x) { x[0] = 1; }
//// a barrier of the grid
#include <cuda/barrier>
__device__ cuda::barrier<cuda::thread_scope_device> b;
__global__ void k(int* x) { b.arrive_and_wait(); }
//// a barrier that calls a function
#include <cuda/barrier>
struct F { __device__ void operator()() noexcept {} };
__global__ void k(int* x) { __shared__ cuda::barrier<cuda::thread_scope_block, F> b; b.arrive_and_wait(); }
//// a copy that counts on a barrier
#include <cuda/barrier>
__global__ void k(int* x) { __shared__ alignas(16) int s[4]; __shared__ cuda::barrier<cuda::thread_scope_block> b; cuda::device::memcpy_async_tx(s, x, cuda::aligned_size_t<16>(16), b); b.wait(cuda::device::barrier_arrive_tx(b, 1, 16)); }
//// a pipeline that ends on a barrier
#include <cuda/pipeline>
__global__ void k(int* x) { __shared__ cuda::barrier<cuda::thread_scope_block> b; auto p = cuda::make_pipeline(); cuda::pipeline_producer_commit(p, b); }
