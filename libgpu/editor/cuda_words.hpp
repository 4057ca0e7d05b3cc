// SPDX-License-Identifier: MIT
#pragma once

// CUDA's words for editors: clangd reads this file before a .cu file, and so completes and explains them on machines
// without CUDA. Nothing is built with it. The files in libgpu/ are the host backend's own (write_headers copies them);
// what stands here is what each of its modes defines for itself, and what a reader likes to have explained.

#include "libgpu/types.hpp"
#include "libgpu/vectors.hpp"

// --- qualifiers: an editor shows their definition --------------------------------------------------------------------
#define __global__ __attribute__((annotate("a kernel: called by the host, run by each thread of the grid")))
#define __shared__ __attribute__((annotate("shared memory: one for each block, seen by all its threads")))
#undef __constant__
#define __constant__ __attribute__((annotate("constant memory: the same for all threads, which only read it")))

// --- where a thread is -----------------------------------------------------------------------------------------------
/// This thread's place in its block: .x, .y and .z, each from 0 up to that of blockDim.
extern const uint3 threadIdx;
/// This block's place in the grid: .x, .y and .z, each from 0 up to that of gridDim.
extern const uint3 blockIdx;
/// The number of threads of a block in each direction.
extern const dim3 blockDim;
/// The number of blocks of the grid in each direction.
extern const dim3 gridDim;
/// The number of threads of a warp: 32.
static const int warpSize = 32;

// --- what the host backend's files count on --------------------------------------------------------------------------
#define GPU_UNCHECKED
#define GPU_LINE int line = __builtin_LINE()
void gpu_count_atomic();
unsigned long long gpu_warp(int operation, unsigned mask, unsigned long long value, int argument, int line);
bool gpu_grid_barrier(bool waits, int line);
void gpu_yield();
[[noreturn]] void gpu_fail(const char* what, const char* file, int line, uint3 thread);
extern const gpu_host_calls* gpu_calls;
void* operator new(size_t, void* place) noexcept;
#include "libgpu/math.hpp"
#include "libgpu/math_more.hpp"
#include "libgpu/atomics.hpp"
#include "libgpu/intrinsics.hpp"
#include "libgpu/simd.hpp"
#include "libgpu/special.hpp"
#include "libgpu/classes.hpp"
#include "libgpu/texture.hpp"

// A kernel gets complex numbers only if its text names them. In another one `real` may be a type of its own, so the
// functions stand in a namespace, where they are found by their arguments.
namespace libgpu_complex {
using ::abs, ::cos, ::cosh, ::exp, ::log, ::pow, ::sin, ::sinh, ::sqrt, ::tan, ::tanh;
#include "libgpu/complex.hpp"
}  // namespace libgpu_complex
using libgpu_complex::complex;

// --- barriers --------------------------------------------------------------------------------------------------------
/// Waits until all threads of the block have come here; what they wrote before it, all of them see after it. Every
/// thread of the block must reach it: not in a branch that some don't take, nor behind a return.
void __syncthreads();
/// As __syncthreads(); returns for how many threads of the block the predicate isn't 0.
int __syncthreads_count(int predicate);
/// As __syncthreads(); returns 1 if the predicate isn't 0 for any thread of the block, else 0.
int __syncthreads_or(int predicate);
/// As __syncthreads(); returns 1 if the predicate isn't 0 for all threads of the block, else 0.
int __syncthreads_and(int predicate);
/// As __syncthreads(), for the barrier with this number.
void __barrier_sync(unsigned barrier);
/// Waits at the barrier with this number, 0 to 15, until so many threads have come there, whole warps.
void __barrier_sync_count(unsigned barrier, unsigned threads);
/// Waits until the lanes in the mask have come here; what they wrote before it, all of them see after it.
void __syncwarp(unsigned mask = 0xffffffffu);
/// The lanes of this warp that happen to run together now; not all that will come here, so it is no mask for a shuffle.
unsigned __activemask();
/// Lets other threads run for about so many nanoseconds.
void __nanosleep(unsigned nanoseconds);

// --- a warp's threads exchange values --------------------------------------------------------------------------------
/// The value that the lane `source` gives. All lanes in the mask must call it together. Within groups of `width` lanes.
template <class T> T __shfl_sync(unsigned mask, T value, int source, int width = 32);
/// The value of the lane `delta` below; the lowest lanes get their own. All lanes in the mask must call it together.
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32);
/// The value of the lane `delta` above; the highest lanes get their own. All lanes in the mask must call it together.
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32);
/// The value of the lane whose number is this one's XOR `lane_mask`. All lanes in the mask must call it together.
template <class T> T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32);
/// A bit for each lane in the mask: 1 where the predicate isn't 0.
unsigned __ballot_sync(unsigned mask, int predicate);
/// 1 if the predicate isn't 0 for any lane in the mask, else 0.
int __any_sync(unsigned mask, int predicate);
/// 1 if the predicate isn't 0 for all lanes in the mask, else 0.
int __all_sync(unsigned mask, int predicate);
/// The lanes in the mask that have the same value as this one.
template <class T> unsigned __match_any_sync(unsigned mask, T value);
/// The mask if all its lanes have the same value, and *predicate = 1; else 0, and *predicate = 0.
template <class T> unsigned __match_all_sync(unsigned mask, T value, int* predicate);
/// The sum over the lanes in the mask, for each of them.
int __reduce_add_sync(unsigned mask, int value);
/// The sum over the lanes in the mask, for each of them.
unsigned __reduce_add_sync(unsigned mask, unsigned value);
/// The least value of the lanes in the mask, for each of them.
int __reduce_min_sync(unsigned mask, int value);
/// The least value of the lanes in the mask, for each of them.
unsigned __reduce_min_sync(unsigned mask, unsigned value);
/// The largest value of the lanes in the mask, for each of them.
int __reduce_max_sync(unsigned mask, int value);
/// The largest value of the lanes in the mask, for each of them.
unsigned __reduce_max_sync(unsigned mask, unsigned value);
/// The bits that are 1 in all lanes in the mask, for each of them.
unsigned __reduce_and_sync(unsigned mask, unsigned value);
/// The bits that are 1 in any lane in the mask, for each of them.
unsigned __reduce_or_sync(unsigned mask, unsigned value);
/// The XOR over the lanes in the mask, for each of them.
unsigned __reduce_xor_sync(unsigned mask, unsigned value);

// --- atomics: declared above for all their types, explained here -----------------------------------------------------
/// Adds v to *p in one step that no other thread gets in between; returns the old value.
int atomicAdd(int* p, int v);
/// Adds v to *p in one step that no other thread gets in between; returns the old value.
unsigned atomicAdd(unsigned* p, unsigned v);
/// Adds v to *p in one step that no other thread gets in between; returns the old value.
unsigned long long atomicAdd(unsigned long long* p, unsigned long long v);
/// Adds v to *p in one step that no other thread gets in between; returns the old value.
float atomicAdd(float* p, float v);
/// Adds v to *p in one step that no other thread gets in between; returns the old value.
double atomicAdd(double* p, double v);
/// Subtracts v from *p in one step; returns the old value.
int atomicSub(int* p, int v);
/// Subtracts v from *p in one step; returns the old value.
unsigned atomicSub(unsigned* p, unsigned v);
/// Makes *p the lesser of *p and v in one step; returns the old value.
int atomicMin(int* p, int v);
/// Makes *p the lesser of *p and v in one step; returns the old value.
unsigned atomicMin(unsigned* p, unsigned v);
/// Makes *p the larger of *p and v in one step; returns the old value.
int atomicMax(int* p, int v);
/// Makes *p the larger of *p and v in one step; returns the old value.
unsigned atomicMax(unsigned* p, unsigned v);
/// Writes v to *p in one step; returns the old value.
int atomicExch(int* p, int v);
/// Writes v to *p in one step; returns the old value.
unsigned atomicExch(unsigned* p, unsigned v);
/// Writes v to *p in one step; returns the old value.
float atomicExch(float* p, float v);
/// Writes v to *p if *p is `expected`, in one step; returns the old value: it was `expected` if v was written.
int atomicCAS(int* p, int expected, int v);
/// Writes v to *p if *p is `expected`, in one step; returns the old value: it was `expected` if v was written.
unsigned atomicCAS(unsigned* p, unsigned expected, unsigned v);
/// Writes v to *p if *p is `expected`, in one step; returns the old value: it was `expected` if v was written.
unsigned long long atomicCAS(unsigned long long* p, unsigned long long expected, unsigned long long v);
/// Adds 1 to *p, from `limit` on goes back to 0, in one step; returns the old value.
unsigned atomicInc(unsigned* p, unsigned limit);
/// Subtracts 1 from *p, goes from 0 back to `limit`, in one step; returns the old value.
unsigned atomicDec(unsigned* p, unsigned limit);

// --- memory ----------------------------------------------------------------------------------------------------------
/// What this thread wrote before it, every thread of the grid sees before what it writes after it. It waits for nobody.
void __threadfence();
/// As __threadfence(), for the threads of the block.
void __threadfence_block();
/// As __threadfence(), for the host and other GPUs as well.
void __threadfence_system();
/// Reads *p through the cache for data that no thread writes while the kernel runs.
template <class T> T __ldg(const T* p);

/// So many bytes of the kernels' heap, which has 8 MB, until free() is called; nullptr if not enough is left.
void* malloc(size_t bytes);
/// Gives back what malloc() gave, in this kernel or in another.
void free(void* data);

// --- looking into a kernel -------------------------------------------------------------------------------------------
/// Prints from a kernel; shown under the verdict. Of many threads let one print: if (i == 0) printf("%f\n", x[0]);
__attribute__((format(printf, 1, 2))) int printf(const char* format, ...);
/// Ends the kernel with an error.
void __trap();
/// Ends the kernel, with file and line, if the condition is false.
#define assert(condition) ((condition) ? (void)0 : __trap())
typedef long clock_t;
/// A counter that goes up with time.
clock_t clock();
/// A counter that goes up with time.
long long clock64();

// What cooperative_groups.h calls: with the line, by which the host backend tells barriers apart.
namespace cooperative_groups {
void __syncthreads(int line);
void __syncwarp(unsigned mask, int line);
unsigned __activemask(int line);
unsigned __ballot_sync(unsigned mask, int predicate, int line);
int __any_sync(unsigned mask, int predicate, int line);
int __all_sync(unsigned mask, int predicate, int line);
int __syncthreads_count(int predicate, int line);
template <class T> unsigned __match_any_sync(unsigned mask, T value, int line);
template <class T> unsigned __match_all_sync(unsigned mask, T value, int* predicate, int line);
}  // namespace cooperative_groups

// clangd before 19 completes and explains no function whose name begins with "__", but such macros.
#if __clang_major__ < 19
#define __syncthreads /* waits until all threads of the block are here, and see what they wrote */ __syncthreads
#define __syncthreads_count /* as __syncthreads(); for how many threads the predicate isn't 0 */ __syncthreads_count
#define __syncthreads_or /* as __syncthreads(); 1 if the predicate isn't 0 for any thread, else 0 */ __syncthreads_or
#define __syncthreads_and /* as __syncthreads(); 1 if the predicate isn't 0 for all threads, else 0 */ __syncthreads_and
#define __syncwarp /* (mask): waits until these lanes are here, and see what they wrote */ __syncwarp
#define __activemask /* (): the lanes that happen to run together now */ __activemask
#define __shfl_sync /* (mask, value, source): the value that lane `source` gives */ __shfl_sync
#define __shfl_up_sync /* (mask, value, delta): the value of the lane `delta` below */ __shfl_up_sync
#define __shfl_down_sync /* (mask, value, delta): the value of the lane `delta` above */ __shfl_down_sync
#define __shfl_xor_sync /* (mask, value, m): the value of the lane whose number is this one's XOR m */ __shfl_xor_sync
#define __ballot_sync /* (mask, predicate): a bit for each lane, 1 where the predicate isn't 0 */ __ballot_sync
#define __any_sync /* (mask, predicate): 1 if it isn't 0 for any of these lanes */ __any_sync
#define __all_sync /* (mask, predicate): 1 if it isn't 0 for all of these lanes */ __all_sync
#define __match_any_sync /* (mask, value): the lanes with the same value */ __match_any_sync
#define __match_all_sync /* (mask, value, &predicate): the mask if all have the same value */ __match_all_sync
#define __reduce_add_sync /* (mask, value): the sum over these lanes */ __reduce_add_sync
#define __reduce_min_sync /* (mask, value): the least value of these lanes */ __reduce_min_sync
#define __reduce_max_sync /* (mask, value): the largest value of these lanes */ __reduce_max_sync
#define __threadfence /* what was written before it, all see before what is written after it */ __threadfence
#define __threadfence_block /* as __threadfence(), for the threads of the block */ __threadfence_block
#define __ldg /* (p): reads *p, which no thread writes while the kernel runs */ __ldg
#endif
