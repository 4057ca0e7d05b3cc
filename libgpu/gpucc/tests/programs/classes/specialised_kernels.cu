// SPDX-License-Identifier: MIT
// Overloaded kernels, specialised templates, default arguments, shared memory of any type by a specialised class.
#include <cstdio>

template <typename T>
struct SharedMemory {
    __device__ inline operator T*() {
        extern __shared__ int shared_words[];
        return reinterpret_cast<T*>(shared_words);
    }
};
template <>
struct SharedMemory<double> {
    __device__ inline operator double*() {
        extern __shared__ double shared_doubles[];
        return shared_doubles;
    }
};

template <typename T>
__global__ void reverse(T* data, int n = 8) {
    T* const s = SharedMemory<T>();
    if (threadIdx.x < n) s[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < n) data[threadIdx.x] = s[n - 1 - threadIdx.x];
}

template <typename T>
struct Name {
    __host__ __device__ static int code() { return 0; }
};
template <>
struct Name<float> {
    __host__ __device__ static int code() { return 1; }
};
template <typename T>
struct Name<T*> {
    __host__ __device__ static int code() { return 10 + Name<T>::code(); }
};

template <typename T, int Step = 2>
__global__ void identify(int* out, T) {
    out[0] = Name<T>::code() * Step;
}
template <>
__global__ void identify<char, 2>(int* out, char value) {
    out[0] = 100 + value;
}

__global__ void set(int* out, int value) { *out = value; }
__global__ void set(int* out, double value) { *out = int(value * 10); }
__global__ void set(int* out, int a, int b) { *out = a * b; }

int one(const int* device) {
    int host;
    cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
    return host;
}

template <typename T>
void show_reversed(const char* name) {
    T host[8], *device;
    for (int i = 0; i < 8; ++i) host[i] = T(i * i);
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<T><<<1, 32, 8 * sizeof(T)>>>(device);
    reverse<<<1, 32, 8 * sizeof(T)>>>(device, 4);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s:", name);
    for (T x : host) printf(" %g", double(x));
    printf("\n");
    cudaFree(device);
}

int main() {
    show_reversed<int>("int");
    show_reversed<double>("double");
    show_reversed<unsigned char>("unsigned char");
    int* out;
    cudaMalloc(&out, sizeof(int));
    identify<<<1, 1>>>(out, 1.5f);
    printf("float %d", one(out));
    identify<float*, 5><<<1, 1>>>(out, nullptr);
    printf(", float* %d", one(out));
    identify<<<1, 1>>>(out, 'A');
    printf(", char %d\n", one(out));
    set<<<1, 1>>>(out, 7);
    printf("set %d", one(out));
    set<<<1, 1>>>(out, 7.5);
    printf(" %d", one(out));
    set<<<1, 1>>>(out, 6, 9);
    printf(" %d\n", one(out));
    cudaFree(out);
    return 0;
}
