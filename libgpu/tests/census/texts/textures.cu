// SPDX-License-Identifier: MIT
//// tex1Dfetch
__global__ void k(float* x, cudaTextureObject_t t) { x[0] = tex1Dfetch<float>(t, 0); }
//// tex1D and tex2D
__global__ void k(float* x, cudaTextureObject_t t) { x[0] = tex1D<float>(t, 0.5f) + tex2D<float>(t, 1, 2.5f); }
//// a pointer for the result
__global__ void k(float* x, cudaTextureObject_t t) {
    float4 v;
    tex2D(&v, t, 0.5f, 0.5f);
    tex1D(x, t, 1.5f);
    tex1Dfetch(x + 1, t, 7);
    x[2] = v.w;
}
//// all types of texels
template <class T> __device__ int size_of_texel(cudaTextureObject_t t) { return sizeof(tex1Dfetch<T>(t, 0)); }
__global__ void k(int* x, cudaTextureObject_t t) {
    x[0] = size_of_texel<char>(t) + size_of_texel<signed char>(t) + size_of_texel<unsigned char>(t);
    x[1] = size_of_texel<short>(t) + size_of_texel<unsigned short>(t) + size_of_texel<unsigned>(t);
    x[2] = size_of_texel<char1>(t) + size_of_texel<uchar2>(t) + size_of_texel<short4>(t) + size_of_texel<ushort2>(t);
    x[3] = size_of_texel<int4>(t) + size_of_texel<uint2>(t) + size_of_texel<float2>(t) + size_of_texel<float4>(t);
}
//// texels of double
__global__ void k(double* x, cudaTextureObject_t t) { x[0] = tex1Dfetch<double>(t, 0); }
//// texels of three channels
__global__ void k(float* x, cudaTextureObject_t t) { x[0] = tex1Dfetch<float3>(t, 0).x; }
//// a handle in a structure
struct Images { cudaTextureObject_t first, second; };
__global__ void k(float* x, Images images) { x[0] = tex2D<float>(images.second, 0, 0); }
//// a handle as a number
__global__ void k(float* x, unsigned long long t) { x[0] = tex1D<float>(t, 0); }
//// a variable called texture
__global__ void k(float* x, cudaTextureObject_t texture) { x[0] = tex1D<float>(texture, 0); }
//// a function of one's own called tex
__device__ float tex(int i) { return i; }
__global__ void k(float* x) { x[0] = tex(2); }
//// no type for the result
__global__ void k(float* x, cudaTextureObject_t t) { x[0] = tex1D(t, 0.5f); }
