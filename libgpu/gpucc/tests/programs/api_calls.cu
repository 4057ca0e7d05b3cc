// SPDX-License-Identifier: MIT
// What else programs call: memory in rows and slices, pools, limits, peers, occupancy, streams, errors.
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        const cudaError_t error = (call);                                                \
        if (error != cudaSuccess) printf("%d: %s\n", __LINE__, cudaGetErrorName(error)); \
    } while (0)

__global__ void number(cudaPitchedPtr memory, int width, int height, int depth) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    if (x >= width || y >= height || z >= depth) return;
    char* slice = (char*)memory.ptr + z * memory.pitch * height;
    int* row = (int*)(slice + y * memory.pitch);
    row[x] = 100 * z + 10 * y + x;
}
__global__ void __launch_bounds__(256) tile(float* x) {
    __shared__ float part[256];
    part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = part[255 - threadIdx.x];
}
__global__ void dynamic(float* x) {
    extern __shared__ float part[];
    part[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = 2 * part[threadIdx.x];
}

int main() {
    // Three axes.
    const int width = 5, height = 3, depth = 2;
    const cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
    cudaPitchedPtr memory;
    CHECK(cudaMalloc3D(&memory, extent));
    printf("pitch %d, %zu x %zu\n", int(memory.pitch >= width * sizeof(int)), memory.xsize, memory.ysize);
    CHECK(cudaMemset3D(memory, 0, extent));
    number<<<depth, dim3(8, 4)>>>(memory, width, height, depth);
    int host[depth][height][width];
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcPtr = memory;
    copy.dstPtr = make_cudaPitchedPtr(host, width * sizeof(int), width * sizeof(int), height);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    printf("%d %d %d\n", host[0][0][0], host[0][2][4], host[1][1][3]);
    int inner[2][2];
    copy.srcPos = make_cudaPos(sizeof(int), 1, 1);
    copy.dstPtr = make_cudaPitchedPtr(inner, 2 * sizeof(int), 2 * sizeof(int), 2);
    copy.extent = make_cudaExtent(2 * sizeof(int), 2, 1);
    CHECK(cudaMemcpy3D(&copy));
    printf("%d %d %d %d\n", inner[0][0], inner[0][1], inner[1][0], inner[1][1]);
    CHECK(cudaFree(memory.ptr));

    // Rows, asynchronously.
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    size_t pitch;
    char *rows, back[2][4];
    CHECK(cudaMallocPitch(&rows, &pitch, 4, 2));
    CHECK(cudaMemset2DAsync(rows, pitch, 'a', 4, 2, stream));
    CHECK(cudaMemset2DAsync(rows + pitch, pitch, 'b', 2, 1, stream));
    CHECK(cudaMemcpy2DAsync(back, 4, rows, pitch, 4, 2, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("%.4s %.4s\n", back[0], back[1]);
    CHECK(cudaFree(rows));
    unsigned flags;
    CHECK(cudaStreamGetFlags(stream, &flags));
    printf("flags %u\n", flags);

    // A pool.
    cudaMemPool_t pool;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    unsigned long long threshold = 1 << 20, kept = 0;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
    float* x;
    CHECK(cudaMallocAsync(&x, 256 * sizeof(float), stream));
    CHECK(cudaMemsetAsync(x, 0, 256 * sizeof(float), stream));
    tile<<<1, 256, 0, stream>>>(x);
    CHECK(cudaFreeAsync(x, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("threshold %llu\n", kept);
    CHECK(cudaStreamDestroy(stream));

    // Limits, kernels, occupancy.
    size_t limit = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, tile));
    printf("stack %zu, shared %zu\n", limit, attributes.sharedSizeBytes);
    int grid = 0, block = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, dynamic, 0, 512));
    printf("block %d, %d\n", block, int(grid > 0));
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, dynamic,
                                                         [](int threads) { return threads * sizeof(float); }));
    printf("block %d\n", block);

    // Devices and errors.
    int can = -1, device = -1;
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 0));
    char bus[32];
    CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    CHECK(cudaDeviceGetByPCIBusId(&device, bus));
    printf("peer %d, device %d\n", can, device);
    printf("%s %s\n", cudaGetErrorName(cudaDeviceEnablePeerAccess(0, 0)),
           cudaGetErrorString(cudaErrorStreamCaptureUnsupported));
    const cudaError_t seen = cudaPeekAtLastError(), taken = cudaGetLastError();
    printf("%s, %s, then %s\n", cudaGetErrorName(seen), cudaGetErrorName(taken), cudaGetErrorName(cudaGetLastError()));
    printf("%s %s\n", cudaGetErrorName(cudaErrorMisalignedAddress), cudaGetErrorString(cudaErrorMisalignedAddress));
    int driver = 0, runtime = 0;
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    printf("versions %d\n", int(driver >= runtime && runtime >= 13000));
    int* managed;
    CHECK(cudaMallocManaged(&managed, 1000 * sizeof(int)));
    cudaMemLocation place = {cudaMemLocationTypeDevice, 0};
    CHECK(cudaMemAdvise(managed, 1000 * sizeof(int), cudaMemAdviseSetReadMostly, place));
    CHECK(cudaMemPrefetchAsync(managed, 1000 * sizeof(int), place, 0, 0));
    CHECK(cudaDeviceSynchronize());
    managed[999] = 7;
    printf("managed %d\n", managed[999]);
    CHECK(cudaFree(managed));
    return 0;
}
