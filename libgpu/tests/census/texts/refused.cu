// SPDX-License-Identifier: MIT
//// inline PTX
__global__ void k(int* x) { int lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); x[0] = lane; }
//// textures of three axes
__global__ void k(float* x, cudaTextureObject_t t) { x[0] = tex3D<float>(t, 0, 0, 0); }
//// layers of textures
__global__ void k(float* x, cudaTextureObject_t t) { x[0] = tex2DLayered<float>(t, 0, 0, 0); }
//// surfaces
__global__ void k(float* x, cudaSurfaceObject_t s) { surf1Dread(x, s, 0); }
//// tensor cores
#include <mma.h>
__global__ void k(float* x) { nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f; x[0] = f.x[0]; }
//// a kernel that launches a kernel
__global__ void f(int* x) { x[0] = 1; }
__global__ void k(int* x) { f<<<1, 1>>>(x); }
//// cudaMalloc
__global__ void k(int* x) { cudaMalloc((void**)&x, 4); }
//// __managed__
__managed__ int n;
__global__ void k(int* x) { x[0] = n; }
//// clusters
#include <cooperative_groups.h>
__global__ void k(int* x) { cooperative_groups::this_cluster().sync(); x[0] = 1; }
//// shuffles without a mask
__global__ void k(int* x) { x[0] = __shfl_down(x[1], 1); }
//// votes without a mask
__global__ void k(int* x) { x[0] = __any(x[1]) + __all(x[2]) + __ballot(x[3]); }
//// address spaces
__global__ void k(int* x) { x[0] = __isShared(x); }
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
