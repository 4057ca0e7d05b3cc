// SPDX-License-Identifier: MIT
//// atomicAdd of all types
__global__ void k(int* a, unsigned* b, unsigned long long* c, float* d, double* e) { atomicAdd(a, 1); atomicAdd(b, 1u); atomicAdd(c, 1ull); atomicAdd(d, 1.0f); atomicAdd(e, 1.0); }
//// atomicAdd of an element
__global__ void k(int* x, const int* y) { atomicAdd(&x[y[threadIdx.x]], 1); }
//// atomicAdd of float with an int
__global__ void k(float* x) { atomicAdd(x, 1); }
//// atomicSub, Inc, Dec
__global__ void k(int* a, unsigned* b) { atomicSub(a, 1); atomicSub(b, 1u); atomicInc(b, 10u); atomicDec(b, 10u); }
//// atomicMin and Max
__global__ void k(int* a, unsigned* b, long long* c, unsigned long long* d) { atomicMin(a, 1); atomicMax(b, 1u); atomicMin(c, 1ll); atomicMax(d, 1ull); }
//// atomicExch and CAS
__global__ void k(int* a, float* b, unsigned long long* c, unsigned short* d) { atomicExch(a, 1); atomicExch(b, 1.0f); atomicCAS(a, 1, 2); atomicCAS(c, 1ull, 2ull); atomicCAS(d, (unsigned short)1, (unsigned short)2); }
//// atomicAnd, Or, Xor
__global__ void k(int* a, unsigned* b, unsigned long long* c) { atomicAnd(a, 1); atomicOr(b, 1u); atomicXor(c, 1ull); }
//// in a block and in the system
__global__ void k(int* a, float* b) { atomicAdd_block(a, 1); atomicAdd_system(b, 1.0f); atomicCAS_block(a, 1, 2); atomicMax_system(a, 3); }
//// in shared memory
__global__ void k(int* x) { __shared__ int s[32]; s[threadIdx.x] = 0; __syncthreads(); atomicAdd(&s[x[threadIdx.x] % 32], 1); __syncthreads(); atomicAdd(x, s[0]); }
//// of half
#include <cuda_fp16.h>
__global__ void k(__half* x, __half2* y) { atomicAdd(x, __float2half(1)); atomicAdd(y, __float2half2_rn(1)); }
//// of bf16
#include <cuda_bf16.h>
__global__ void k(__nv_bfloat16* x, __nv_bfloat162* y) { atomicAdd(x, __float2bfloat16(1)); atomicAdd(y, __float2bfloat162_rn(1)); }
//// a maximum of floats by a compare and swap
__device__ float atomicMax(float* p, float v) { int* q = (int*)p; int old = *q, seen; do { seen = old; if (__int_as_float(seen) >= v) break; old = atomicCAS(q, seen, __float_as_int(v)); } while (seen != old); return __int_as_float(old); }
__global__ void k(float* x) { atomicMax(x, 3.0f); }
//// fences
__global__ void k(volatile int* x) { x[0] = 1; __threadfence(); x[1] = 2; __threadfence_block(); __threadfence_system(); }
//// of a const
__global__ void k(const int* x) { atomicAdd(x, 1); }
//// of a double maximum
__global__ void k(double* x) { atomicMax(x, 1.0); }
//// of a char
__global__ void k(char* x) { atomicAdd(x, 1); }
//// of size_t
__global__ void k(size_t* x) { atomicAdd(x, 1); }
//// of float4
__global__ void k(float4* x) { atomicAdd(x, make_float4(1, 2, 3, 4)); }
//// of long
__global__ void k(long* x) { atomicAdd(x, 1l); }
//// cuda::atomic
#include <cuda/atomic>
__device__ cuda::atomic<int, cuda::thread_scope_device> n{3};
__global__ void k(int* x) { x[0] = n.fetch_add(1, cuda::memory_order_relaxed) + n++ + n.load(); n = 4; cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block); }
//// cuda::atomic in shared memory
#include <cuda/atomic>
__global__ void k(int* x) { __shared__ cuda::atomic<int, cuda::thread_scope_block> s; if (threadIdx.x == 0) s = 0; __syncthreads(); s.fetch_max(threadIdx.x); s.wait(0); s.notify_one(); x[0] = s; }
//// cuda::atomic of 16 bytes
#include <cuda/atomic>
__global__ void k(int4* x) { cuda::atomic_ref<int4> a(x[0]); a.store(a.load()); }
//// cuda::std::atomic and flags
#include <cuda/std/atomic>
__global__ void k(int* x) { cuda::std::atomic_int a(1); cuda::std::atomic_flag f; f.clear(); x[0] = a + f.test_and_set(); cuda::std::atomic_thread_fence(cuda::std::memory_order_acquire); }
