// SPDX-License-Identifier: MIT
#pragma once

// What CUDA has and gpucc hasn't: a program that uses it is refused with a sentence.
#define GPUCC_ABSENT(name, why)                \
    template <class... A>                      \
    cudaError_t name(A&&...) {                 \
        static_assert(sizeof...(A) > 99, why); \
        return cudaErrorNotSupported;          \
    }

typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef struct cudaArray* cudaArray_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef struct CUmemPoolHandle_st* cudaMemPool_t;
struct cudaIpcMemHandle_t {
    char reserved[64];
};
struct cudaChannelFormatDesc;
struct cudaResourceDesc;
struct cudaTextureDesc;
struct cudaGraphicsResource;

#define GPUCC_NO_GRAPHS \
    "CUDA graphs aren't in gpucc: launch the kernels in a stream; gpu::GraphCapture of libgpu records them"
GPUCC_ABSENT(cudaGraphCreate, GPUCC_NO_GRAPHS)
GPUCC_ABSENT(cudaGraphInstantiate, GPUCC_NO_GRAPHS)
GPUCC_ABSENT(cudaGraphLaunch, GPUCC_NO_GRAPHS)
GPUCC_ABSENT(cudaGraphDestroy, GPUCC_NO_GRAPHS)
GPUCC_ABSENT(cudaGraphExecDestroy, GPUCC_NO_GRAPHS)
GPUCC_ABSENT(cudaGraphAddKernelNode, GPUCC_NO_GRAPHS)
GPUCC_ABSENT(cudaStreamBeginCapture, GPUCC_NO_GRAPHS)
GPUCC_ABSENT(cudaStreamEndCapture, GPUCC_NO_GRAPHS)

#define GPUCC_NO_TEXTURES \
    "textures and CUDA arrays aren't in gpucc: read the array by its pointer, or use gpu::Texture of libgpu"
GPUCC_ABSENT(cudaMallocArray, GPUCC_NO_TEXTURES)
GPUCC_ABSENT(cudaMalloc3DArray, GPUCC_NO_TEXTURES)
GPUCC_ABSENT(cudaFreeArray, GPUCC_NO_TEXTURES)
GPUCC_ABSENT(cudaMemcpyToArray, GPUCC_NO_TEXTURES)
GPUCC_ABSENT(cudaMemcpy2DToArray, GPUCC_NO_TEXTURES)
GPUCC_ABSENT(cudaCreateTextureObject, GPUCC_NO_TEXTURES)
GPUCC_ABSENT(cudaDestroyTextureObject, GPUCC_NO_TEXTURES)
GPUCC_ABSENT(cudaCreateSurfaceObject, GPUCC_NO_TEXTURES)
GPUCC_ABSENT(cudaDestroySurfaceObject, GPUCC_NO_TEXTURES)
GPUCC_ABSENT(cudaBindTexture, "texture references are gone from CUDA: read the array by its pointer")
GPUCC_ABSENT(cudaBindTextureToArray, "texture references are gone from CUDA: read the array by its pointer")
GPUCC_ABSENT(cudaUnbindTexture, "texture references are gone from CUDA: read the array by its pointer")

#define GPUCC_NO_GRAPHICS "OpenGL needs a GPU: write the picture to a file"
GPUCC_ABSENT(cudaGraphicsGLRegisterBuffer, GPUCC_NO_GRAPHICS)
GPUCC_ABSENT(cudaGraphicsMapResources, GPUCC_NO_GRAPHICS)
GPUCC_ABSENT(cudaGraphicsUnmapResources, GPUCC_NO_GRAPHICS)
GPUCC_ABSENT(cudaGraphicsResourceGetMappedPointer, GPUCC_NO_GRAPHICS)
GPUCC_ABSENT(cudaGraphicsUnregisterResource, GPUCC_NO_GRAPHICS)

#define GPUCC_NO_PROCESSES "memory that processes share (IPC) isn't in gpucc: use threads of one process"
GPUCC_ABSENT(cudaIpcGetMemHandle, GPUCC_NO_PROCESSES)
GPUCC_ABSENT(cudaIpcOpenMemHandle, GPUCC_NO_PROCESSES)
GPUCC_ABSENT(cudaIpcCloseMemHandle, GPUCC_NO_PROCESSES)

GPUCC_ABSENT(cudaMalloc3D,
             "cudaMalloc3D isn't in gpucc: cudaMallocPitch(&p, &pitch, width, height * depth) gives the same rows")
GPUCC_ABSENT(cudaMemcpy3D, "cudaMemcpy3D isn't in gpucc: cudaMemcpy2D copies height * depth rows at once")
GPUCC_ABSENT(cudaMemset3D, "cudaMemset3D isn't in gpucc: cudaMemset2D sets height * depth rows at once")
GPUCC_ABSENT(cudaMemPoolCreate, "memory pools of your own aren't in gpucc: cudaMallocAsync uses the device's")
GPUCC_ABSENT(cudaDeviceGetDefaultMemPool, "memory pools aren't in gpucc: cudaMallocAsync needs no settings")
GPUCC_ABSENT(cudaMemPoolSetAttribute, "memory pools aren't in gpucc: cudaMallocAsync needs no settings")
GPUCC_ABSENT(cudaLaunchKernelExC,
             "launches with attributes aren't in gpucc: kernel<<<grid, block, shared, stream>>>(...)")
GPUCC_ABSENT(cudaLaunchKernelEx,
             "launches with attributes aren't in gpucc: kernel<<<grid, block, shared, stream>>>(...)")
GPUCC_ABSENT(cudaLaunchCooperativeKernelMultiDevice,
             "CUDA 13 has removed it: cudaLaunchCooperativeKernel() for each device")
GPUCC_ABSENT(cudaFuncSetSharedMemConfig, "CUDA 13 has removed it: leave it out, banks have four bytes")
