// SPDX-License-Identifier: MIT
// Pictures in pitched memory: colour to grey, a box filter, rows copied in two dimensions, a part of a picture set.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define checkCuda(ans) \
    { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char* file, int line, bool abort = true) {
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}

template <class T>
__device__ T* row_of(T* base, size_t pitch, int row) {
    return (T*)((char*)base + row * pitch);
}

__global__ void to_grey(const uchar4* in, size_t in_pitch, unsigned char* out, size_t out_pitch, int width,
                        int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const uchar4 p = row_of(const_cast<uchar4*>(in), in_pitch, y)[x];
    row_of(out, out_pitch, y)[x] = (unsigned char)((p.x * 77 + p.y * 150 + p.z * 29) >> 8);
}

__global__ void blur(const unsigned char* in, unsigned char* out, size_t pitch, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int v = max(y - 1, 0); v <= min(y + 1, height - 1); ++v)
        for (int u = max(x - 1, 0); u <= min(x + 1, width - 1); ++u, ++count) sum += in[v * pitch + u];
    out[y * pitch + x] = sum / count;
}

int main() {
    const int width = 75, height = 50;
    std::vector<uchar4> picture(width * height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) picture[y * width + x] = make_uchar4(x * 3, y * 5, (x * y) % 256, 255);
    uchar4* colours;
    unsigned char *grey, *blurred;
    size_t colour_pitch, pitch, other_pitch;
    checkCuda(cudaMallocPitch(&colours, &colour_pitch, width * sizeof(uchar4), height));
    checkCuda(cudaMallocPitch((void**)&grey, &pitch, width, height));
    checkCuda(cudaMallocPitch((void**)&blurred, &other_pitch, width, height));
    printf("pitches: %s\n", colour_pitch >= width * sizeof(uchar4) && colour_pitch % 32 == 0 && pitch == other_pitch
                                ? "wide enough, aligned"
                                : "WRONG");
    checkCuda(cudaMemcpy2D(colours, colour_pitch, picture.data(), width * sizeof(uchar4), width * sizeof(uchar4),
                           height, cudaMemcpyHostToDevice));
    const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    to_grey<<<grid, block>>>(colours, colour_pitch, grey, pitch, width, height);
    checkCuda(cudaPeekAtLastError());
    checkCuda(cudaMemset2D(grey + 10 * pitch + 20, pitch, 200, 8, 4));
    blur<<<grid, block>>>(grey, blurred, pitch, width, height);
    checkCuda(cudaDeviceSynchronize());
    std::vector<unsigned char> out(width * height);
    checkCuda(cudaMemcpy2D(out.data(), width, blurred, pitch, width, height, cudaMemcpyDeviceToHost));
    unsigned sum = 0;
    for (size_t i = 0; i < out.size(); ++i) sum = sum * 31 + out[i];
    printf("corner %d, set part %d, checksum %08x\n", out[0], out[11 * width + 24], sum);
    checkCuda(cudaFree(colours));
    checkCuda(cudaFree(grey));
    checkCuda(cudaFree(blurred));
    return 0;
}
