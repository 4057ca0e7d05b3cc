// SPDX-License-Identifier: MIT
//// inline PTX
__global__ void k(int* x) { int lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); x[0] = lane; }
//// textures
__global__ void k(float* x, cudaTextureObject_t t) { x[0] = tex1Dfetch<float>(t, 0); }
//// surfaces
__global__ void k(float* x, cudaSurfaceObject_t s) { surf1Dread(x, s, 0); }
//// tensor cores
#include <mma.h>
__global__ void k(float* x) { nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f; x[0] = f.x[0]; }
//// a kernel that launches a kernel
__global__ void f(int* x) { x[0] = 1; }
__global__ void k(int* x) { f<<<1, 1>>>(x); }
//// malloc and free
__global__ void k(int* x) { int* p = (int*)malloc(16); p[0] = 1; x[0] = p[0]; free(p); }
//// cudaMalloc
__global__ void k(int* x) { cudaMalloc((void**)&x, 4); }
//// __managed__
__managed__ int n;
__global__ void k(int* x) { x[0] = n; }
//// grid sync
#include <cooperative_groups.h>
__global__ void k(int* x) { cooperative_groups::this_grid().sync(); x[0] = 1; }
//// clusters
#include <cooperative_groups.h>
__global__ void k(int* x) { cooperative_groups::this_cluster().sync(); x[0] = 1; }
//// shuffles without a mask
__global__ void k(int* x) { x[0] = __shfl_down(x[1], 1); }
//// votes without a mask
__global__ void k(int* x) { x[0] = __any(x[1]) + __all(x[2]) + __ballot(x[3]); }
//// address spaces
__global__ void k(int* x) { x[0] = __isShared(x); }
//// asynchronous copies
#include <cuda_pipeline.h>
__global__ void k(int* x) { __shared__ int s[4]; __pipeline_memcpy_async(s, x, 16); __pipeline_commit(); __pipeline_wait_prior(0); }
//// named barriers of a part of the block
__global__ void k(int* x) { __barrier_sync_count(1, 64); x[0] = 1; }
//// __brkpt
__global__ void k(int* x) { __brkpt(); x[0] = 1; }
//// std::vector
__global__ void k(int* x) { std::vector<int> v; x[0] = v.size(); }
//// cout
__global__ void k(int* x) { std::cout << x[0]; }
//// the old texture reference
texture<float, 1> t;
__global__ void k(float* x) { x[0] = tex1Dfetch(t, 0); }
//// file output
__global__ void k(int* x) { fprintf(stderr, "%d", x[0]); }
//// exit
__global__ void k(int* x) { exit(1); }
