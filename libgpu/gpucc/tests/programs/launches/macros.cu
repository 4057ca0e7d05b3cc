// SPDX-License-Identifier: MIT
// Launches in macros, macros in launches, and signs that only look like launches.
#include <cstdio>
#include <iostream>
#include <sstream>

#define LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)
#define LAUNCH_CHECKED(kernel, config, args)                                   \
    do {                                                                       \
        kernel<<<config>>> args;                                               \
        if (cudaGetLastError() != cudaSuccess) printf("%s failed\n", #kernel); \
    } while (0)
#define CONFIG(n) ((n) + 31) / 32, 32
#define COMMA ,
#define DEFINE_KERNEL(name, op)                                     \
    __global__ void name##_kernel(int* x, int by) {                 \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;        \
        x[i] = x[i] op by;                                          \
    }                                                               \
    static void name(int* x, int by, int n) { name##_kernel<<<CONFIG(n)>>>(x, by); }
#define SHIFT_IN_TEMPLATE(bits) (1 << (bits))
#define DISPATCH(n, kernel, ...)                        \
    switch (n) {                                        \
        case 1: kernel<1><<<1, 64>>>(__VA_ARGS__); break; \
        case 2: kernel<2><<<1, 64>>>(__VA_ARGS__); break; \
        default: kernel<0><<<1, 64>>>(__VA_ARGS__);       \
    }

DEFINE_KERNEL(plus, +)
DEFINE_KERNEL(times, *)
DEFINE_KERNEL(left, <<)

template <int N>
__global__ void add(int* x) { x[threadIdx.x] += N; }
template <int A, bool B>
__global__ void add_if(int* x) { if (B) x[threadIdx.x] += A; }
__global__ void clear(int* x) { x[threadIdx.x] = 0; }  // launch it as clear<<<1, 64>>>(x);

struct Stream {
    std::ostringstream text;
};
template <class T>
Stream& operator<<(Stream& to, const T& value) {
    to.text << value;
    return to;
}

int main() {
    const int n = 64;
    int *x, host[n];
    cudaMalloc(&x, sizeof host);
    LAUNCH(clear, 1, n, x);
    LAUNCH(add<5>, 1, dim3(n), x);
    LAUNCH_CHECKED(add<7>, 1 COMMA n, (x));
    plus(x, 3, n);
    times(x, 2, n);
    left(x, 1, n);
    add<1 << (3)><<<1, 1 << 6>>>(x);
    add<SHIFT_IN_TEMPLATE(4)><<<1, n>>>(x);
    add_if<(8 >> 2), (3 > 2)><<<1 << 0, (128 >> 1)>>>(x);
    for (int k = 0; k < 3; ++k) DISPATCH(k, add, x);
    /* add<100><<<1, n>>>(x); */
    const char* const text = "add<100><<<1, 64>>>(x);";
    const char* const raw = R"(clear<<<1, 64>>>(x);)";
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    Stream out;
    out << host[0] << ' ' << host[63] << '<' << (host[0] << 2 >> 1) << "<<<" << (n >> 1) << ">>>";
    std::cout << out.text.str() << "\n" << text << " " << raw << std::endl;
    cudaFree(x);
    return 0;
}
