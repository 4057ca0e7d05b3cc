// SPDX-License-Identifier: MIT
// Textures of linear memory, of pitched memory and of arrays: filters, addressing, normalized values and coordinates.
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        const cudaError_t error = (call);                                                \
        if (error != cudaSuccess) printf("%d: %s\n", __LINE__, cudaGetErrorName(error)); \
    } while (0)

__global__ void fetch(cudaTextureObject_t texture, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float>(texture, i - 1);
}
__global__ void line(cudaTextureObject_t texture, float* out, int n, float from, float step) {
    const int i = threadIdx.x;
    if (i < n) out[i] = tex1D<float>(texture, from + step * i);
}
__global__ void plane(cudaTextureObject_t texture, float* out, int width, int height, float x, float y, float step) {
    const int column = threadIdx.x, row = threadIdx.y;
    if (column < width && row < height)
        out[row * width + column] = tex2D<float>(texture, x + step * column, y + step * row);
}
__global__ void colours(cudaTextureObject_t texture, uchar4* out, int n) {
    const int i = threadIdx.x;
    if (i < n) {
        const uchar4 c = tex2D<uchar4>(texture, i % 2 + 0.5f, i / 2 + 0.5f);
        out[i] = make_uchar4(c.w, c.z, c.y, c.x);
    }
}
__global__ void shades(cudaTextureObject_t texture, float4* out, int n) {
    const int i = threadIdx.x;
    if (i < n) out[i] = tex2D<float4>(texture, 0.5f + 0.25f * i, 1.0f);
}

static cudaTextureObject_t texture_of(const cudaResourceDesc& resource, cudaTextureAddressMode mode,
                                      cudaTextureFilterMode filter, bool normalized,
                                      cudaTextureReadMode read = cudaReadModeElementType) {
    cudaTextureDesc options;
    memset(&options, 0, sizeof options);
    options.addressMode[0] = options.addressMode[1] = mode;
    options.filterMode = filter;
    options.readMode = read;
    options.normalizedCoords = normalized;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &options, NULL));
    return texture;
}
static void show(const char* name, const float* device, int n, int digits = 7) {
    std::vector<float> host(n);
    CHECK(cudaMemcpy(host.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%s:", name);
    for (int i = 0; i < n; ++i) printf(" %.*g", digits, host[i]);
    printf("\n");
}

int main() {
    float* out;
    CHECK(cudaMalloc(&out, 256 * sizeof(float)));

    // Linear memory: an index, 0 outside.
    const float values[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    float* memory;
    CHECK(cudaMalloc(&memory, sizeof values));
    CHECK(cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = sizeof values;
    cudaTextureObject_t texture = texture_of(resource, cudaAddressModeClamp, cudaFilterModePoint, false);
    fetch<<<1, 32>>>(texture, out, 10);
    show("tex1Dfetch", out, 10);
    CHECK(cudaMemset(memory, 0, 4));  // a texture reads the memory itself
    fetch<<<1, 32>>>(texture, out, 3);
    show("cleared", out, 3);
    CHECK(cudaDestroyTextureObject(texture));

    // An array with one axis.
    cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, 8));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, values, sizeof values, sizeof values, 1, cudaMemcpyHostToDevice));
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    struct {
        const char* name;
        cudaTextureAddressMode mode;
        cudaTextureFilterMode filter;
        bool normalized;
        float from, step;
    } lines[] = {
        {"point, clamp", cudaAddressModeClamp, cudaFilterModePoint, false, -1.5f, 1.0f},
        {"linear, clamp", cudaAddressModeClamp, cudaFilterModeLinear, false, -0.25f, 0.37f},
        {"linear, border", cudaAddressModeBorder, cudaFilterModeLinear, false, -0.7f, 0.83f},
        {"linear, fine", cudaAddressModeClamp, cudaFilterModeLinear, false, 4.5f, 0.001f},
        {"point, wrap", cudaAddressModeWrap, cudaFilterModePoint, true, -0.55f, 0.13f},
        {"linear, wrap", cudaAddressModeWrap, cudaFilterModeLinear, true, -0.55f, 0.13f},
        {"point, mirror", cudaAddressModeMirror, cudaFilterModePoint, true, -0.55f, 0.13f},
        {"linear, mirror", cudaAddressModeMirror, cudaFilterModeLinear, true, -0.55f, 0.13f},
        {"linear, border, normalized", cudaAddressModeBorder, cudaFilterModeLinear, true, -0.1f, 0.09f},
    };
    for (const auto& one : lines) {
        texture = texture_of(resource, one.mode, one.filter, one.normalized);
        line<<<1, 32>>>(texture, out, 14, one.from, one.step);
        show(one.name, out, 14);
        CHECK(cudaDestroyTextureObject(texture));
    }
    CHECK(cudaFreeArray(array));

    // An array with two axes, and the same values in pitched memory.
    const int width = 5, height = 3;
    float picture[height][width];
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) picture[row][column] = 10.0f * row + column;
    CHECK(cudaMallocArray(&array, &format, width, height));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, picture, width * sizeof(float), width * sizeof(float), height,
                              cudaMemcpyHostToDevice));
    resource.res.array.array = array;
    texture = texture_of(resource, cudaAddressModeClamp, cudaFilterModeLinear, false);
    plane<<<1, dim3(8, 4)>>>(texture, out, 6, 4, 0.3f, 0.2f, 0.71f);
    show("2-D, linear", out, 24);
    CHECK(cudaDestroyTextureObject(texture));
    texture = texture_of(resource, cudaAddressModeWrap, cudaFilterModePoint, true);
    plane<<<1, dim3(8, 4)>>>(texture, out, 6, 4, -0.31f, -0.27f, 0.33f);
    show("2-D, wrap", out, 24);
    CHECK(cudaDestroyTextureObject(texture));

    float* rows;
    size_t pitch;
    CHECK(cudaMallocPitch(&rows, &pitch, width * sizeof(float), height));
    CHECK(cudaMemcpy2DFromArray(rows, pitch, array, 0, 0, width * sizeof(float), height, cudaMemcpyDeviceToDevice));
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.desc = format;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    texture = texture_of(resource, cudaAddressModeBorder, cudaFilterModeLinear, false);
    plane<<<1, dim3(8, 4)>>>(texture, out, 6, 4, -0.2f, 0.1f, 1.01f);
    show("pitched, border", out, 24);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));

    // Colours: as bytes, and as floats in [0, 1].
    const uchar4 pixels[4] = {{255, 0, 51, 1}, {102, 204, 0, 2}, {17, 34, 68, 3}, {136, 255, 85, 4}};
    format = cudaCreateChannelDesc<uchar4>();
    printf("format %d %d %d %d, %d\n", format.x, format.y, format.z, format.w, int(format.f));
    CHECK(cudaMallocArray(&array, &format, 2, 2));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, pixels, 2 * sizeof(uchar4), 2 * sizeof(uchar4), 2, cudaMemcpyHostToDevice));
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    uchar4 back[4];
    texture = texture_of(resource, cudaAddressModeClamp, cudaFilterModePoint, false);
    colours<<<1, 32>>>(texture, (uchar4*)out, 4);
    CHECK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    for (const uchar4& c : back) printf("(%d %d %d %d)", c.x, c.y, c.z, c.w);
    printf("\n");
    CHECK(cudaDestroyTextureObject(texture));
    texture = texture_of(resource, cudaAddressModeClamp, cudaFilterModeLinear, false, cudaReadModeNormalizedFloat);
    shades<<<1, 32>>>(texture, (float4*)out, 5);
    show("shades", out, 20, 5);
    CHECK(cudaDestroyTextureObject(texture));

    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(rows));
    CHECK(cudaFree(memory));
    CHECK(cudaFree(out));
    return 0;
}
