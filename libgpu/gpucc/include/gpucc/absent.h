// SPDX-License-Identifier: MIT
#pragma once

// What CUDA has and gpucc hasn't: a program that uses it is refused with a sentence.
#define GPUCC_ABSENT(name, why)                \
    template <class... A>                      \
    cudaError_t name(A&&...) {                 \
        static_assert(sizeof...(A) > 99, why); \
        return cudaErrorNotSupported;          \
    }

struct cudaIpcMemHandle_t {
    char reserved[64];
};
struct cudaIpcEventHandle_t {
    char reserved[64];
};
struct cudaGraphicsResource;

#define GPUCC_NO_GRAPH_NODE                                                                                            \
    "this part of CUDA graphs isn't in gpucc: capture the work with cudaStreamBeginCapture(), or add kernel, memcpy, " \
    "memset and host nodes"
GPUCC_ABSENT(cudaGraphAddNode, GPUCC_NO_GRAPH_NODE)
GPUCC_ABSENT(cudaGraphAddMemAllocNode, GPUCC_NO_GRAPH_NODE)
GPUCC_ABSENT(cudaGraphAddMemFreeNode, GPUCC_NO_GRAPH_NODE)
GPUCC_ABSENT(cudaGraphAddEventRecordNode, GPUCC_NO_GRAPH_NODE)
GPUCC_ABSENT(cudaGraphAddEventWaitNode, GPUCC_NO_GRAPH_NODE)
GPUCC_ABSENT(cudaGraphAddMemcpyNodeToSymbol, GPUCC_NO_GRAPH_NODE)
GPUCC_ABSENT(cudaGraphAddMemcpyNodeFromSymbol, GPUCC_NO_GRAPH_NODE)
GPUCC_ABSENT(cudaGraphKernelNodeGetParams, GPUCC_NO_GRAPH_NODE)
GPUCC_ABSENT(cudaGraphExecMemcpyNodeSetParams, GPUCC_NO_GRAPH_NODE)
GPUCC_ABSENT(cudaGraphConditionalHandleCreate, GPUCC_NO_GRAPH_NODE)
GPUCC_ABSENT(cudaGraphDebugDotPrint, GPUCC_NO_GRAPH_NODE)
GPUCC_ABSENT(cudaStreamBeginCaptureToGraph, GPUCC_NO_GRAPH_NODE)
GPUCC_ABSENT(cudaStreamUpdateCaptureDependencies, GPUCC_NO_GRAPH_NODE)

#define GPUCC_NO_TEXTURES                                                                               \
    "of textures gpucc has those with one and two axes: put the layers or slices below one another in " \
    "a 2-D array, or read linear memory by its pointer"
GPUCC_ABSENT(cudaMalloc3DArray, GPUCC_NO_TEXTURES)
GPUCC_ABSENT(cudaMallocMipmappedArray, GPUCC_NO_TEXTURES)
GPUCC_ABSENT(cudaFreeMipmappedArray, GPUCC_NO_TEXTURES)
GPUCC_ABSENT(cudaGetMipmappedArrayLevel, GPUCC_NO_TEXTURES)
#define GPUCC_NO_SURFACES "surfaces aren't in gpucc: let the kernel write to memory of cudaMalloc()"
GPUCC_ABSENT(cudaCreateSurfaceObject, GPUCC_NO_SURFACES)
GPUCC_ABSENT(cudaDestroySurfaceObject, GPUCC_NO_SURFACES)
#define GPUCC_NO_REFERENCES                                                 \
    "texture references are gone from CUDA: make a cudaTextureObject_t by " \
    "cudaCreateTextureObject() and pass it to the kernel"
GPUCC_ABSENT(cudaBindTexture, GPUCC_NO_REFERENCES)
GPUCC_ABSENT(cudaBindTexture2D, GPUCC_NO_REFERENCES)
GPUCC_ABSENT(cudaBindTextureToArray, GPUCC_NO_REFERENCES)
GPUCC_ABSENT(cudaUnbindTexture, GPUCC_NO_REFERENCES)
GPUCC_ABSENT(cudaGetTextureReference, GPUCC_NO_REFERENCES)

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

GPUCC_ABSENT(cudaIpcGetEventHandle, GPUCC_NO_PROCESSES)
GPUCC_ABSENT(cudaIpcOpenEventHandle, GPUCC_NO_PROCESSES)
GPUCC_ABSENT(cudaMemPoolExportToShareableHandle, GPUCC_NO_PROCESSES)
GPUCC_ABSENT(cudaMemPoolImportFromShareableHandle, GPUCC_NO_PROCESSES)
GPUCC_ABSENT(cudaMemPoolExportPointer, GPUCC_NO_PROCESSES)
GPUCC_ABSENT(cudaMemPoolImportPointer, GPUCC_NO_PROCESSES)
GPUCC_ABSENT(cudaImportExternalMemory, GPUCC_NO_GRAPHICS)
GPUCC_ABSENT(cudaImportExternalSemaphore, GPUCC_NO_GRAPHICS)
GPUCC_ABSENT(cudaStreamSetAttribute, "attributes of streams are hints to a GPU: leave them out")

GPUCC_ABSENT(cudaLaunchKernelExC,
             "launches with attributes aren't in gpucc: kernel<<<grid, block, shared, stream>>>(...)")
GPUCC_ABSENT(cudaLaunchKernelEx,
             "launches with attributes aren't in gpucc: kernel<<<grid, block, shared, stream>>>(...)")
GPUCC_ABSENT(cudaLaunchCooperativeKernelMultiDevice,
             "CUDA 13 has removed it: cudaLaunchCooperativeKernel() for each device")
GPUCC_ABSENT(cudaFuncSetSharedMemConfig, "CUDA 13 has removed it: leave it out, banks have four bytes")
