// SPDX-License-Identifier: MIT
// cuBLAS: vectors, matrices with leading dimensions and transposes, batches, halves; numbers on the host and on the
// device. All values are whole, so that no order of sums matters.
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                                                            \
    do {                                                                                       \
        const cublasStatus_t status = (call);                                                  \
        if (status != CUBLAS_STATUS_SUCCESS) printf("%d: status %d\n", __LINE__, int(status)); \
    } while (0)

template <typename T>
T* on_device(const std::vector<T>& host) {
    T* device = nullptr;
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}
template <typename T>
void show(const char* name, const T* device, int n) {
    std::vector<T> host(n);
    cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
    printf("%s:", name);
    for (const T& value : host) printf(" %g", double(float(value)));
    printf("\n");
}
template <typename T>
std::vector<T> numbers(int n, int step = 1) {
    std::vector<T> values(n);
    for (int k = 0; k < n; ++k) values[k] = T(float((k * step + 1) % 7 - 3));
    return values;
}

static void vectors(cublasHandle_t handle) {
    const int n = 10;
    float *x = on_device(numbers<float>(n)), *y = on_device(numbers<float>(2 * n, 3));
    const float alpha = 2;
    float dot = 0, sum = 0, length = 0;
    int largest = 0, smallest = 0;
    CHECK(cublasSaxpy(handle, n, &alpha, x, 1, y, 2));
    show("axpy", y, 2 * n);
    CHECK(cublasSdot(handle, n, x, 1, y, 2, &dot));
    CHECK(cublasSasum(handle, n, x, 1, &sum));
    CHECK(cublasSnrm2(handle, n, x, 1, &length));
    CHECK(cublasIsamax(handle, n, y, 1, &largest));
    CHECK(cublasIsamin(handle, n, y, 1, &smallest));
    printf("dot %g, sum of sizes %g, length %.5g, largest %d, smallest %d\n", dot, sum, length, largest, smallest);
    CHECK(cublasSscal(handle, n, &alpha, x, 1));
    CHECK(cublasSswap(handle, n, x, 1, y, 1));
    show("scaled and swapped", y, n);
    // Backwards, and a result on the device.
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    CHECK(cublasSdot(handle, 3, x, -1, y, 1, y + n));
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    show("dot on the device", y + n, 1);
    cudaFree(x);
    cudaFree(y);
}

template <typename T, typename Gemm>
void products(cublasHandle_t handle, const char* name, Gemm gemm) {
    const int m = 3, n = 4, k = 2, ld = 5;
    T *a = on_device(numbers<T>(ld * ld)), *b = on_device(numbers<T>(ld * ld, 2)),
      *c = on_device(numbers<T>(ld * n, 5));
    const T alpha = 2, beta = -1, none = 0;
    CHECK(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a, ld, b, ld, &none, c, ld));
    show(name, c, ld * n);
    CHECK(gemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, a, ld, b, ld, &beta, c, ld));
    show(name, c, ld * n);
    CHECK(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, a, ld, b, ld, &beta, c, ld));
    CHECK(gemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, m, n, k, &alpha, a, ld, b, ld, &beta, c, ld));
    show(name, c, ld * n);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}

static void others(cublasHandle_t handle) {
    const int m = 4, n = 3;
    std::vector<double> host = numbers<double>(m * n, 4);
    double *a, *x = on_device(numbers<double>(m)), *y = on_device(numbers<double>(m, 2)), *c;
    cudaMalloc(&a, m * n * sizeof(double));
    cudaMalloc(&c, m * n * sizeof(double));
    CHECK(cublasSetMatrix(m, n, sizeof(double), host.data(), m, a, m));
    const double alpha = 3, beta = 2, zero = 0, one = 1;
    CHECK(cublasDgemv(handle, CUBLAS_OP_N, m, n, &alpha, a, m, x, 1, &beta, y, 1));
    show("gemv", y, m);
    CHECK(cublasDgemv(handle, CUBLAS_OP_T, m, n, &alpha, a, m, x, 1, &zero, y, 1));
    show("gemv, transposed", y, n);
    CHECK(cublasDger(handle, m, n, &alpha, x, 1, y, 1, a, m));
    show("ger", a, m * n);
    CHECK(cublasDgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, &one, a, m, &zero, c, n, c, n));
    show("transpose", c, m * n);
    CHECK(cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x, 2, 0, a, 2, 4, &zero, c, 2, 4,
                                    3));
    show("batch", c, m * n);
    CHECK(cublasGetMatrix(2, 2, sizeof(double), a, m, host.data(), 2));
    printf("corner %g %g %g %g\n", host[0], host[1], host[2], host[3]);
    cudaFree(a);
    cudaFree(c);
    cudaFree(x);
    cudaFree(y);
}

static void halves(cublasHandle_t handle) {
    half *a = on_device(numbers<half>(16)), *b = on_device(numbers<half>(16, 3));
    std::vector<half> empty(16);
    half* c = on_device(empty);
    float* d = on_device(std::vector<float>(16));
    const half one = __float2half(1), zero = __float2half(0);
    const float two = 2, none = 0;
    CHECK(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
    show("halves", c, 16);
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 4, 4, 4, &two, a, CUDA_R_16F, 4, b, CUDA_R_16F, 4, &none, d,
                       CUDA_R_32F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    show("halves to floats", d, 16);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
}

int main() {
    cublasHandle_t handle;
    cudaStream_t stream;
    CHECK(cublasCreate(&handle));
    cudaStreamCreate(&stream);
    CHECK(cublasSetStream(handle, stream));
    vectors(handle);
    products<float>(handle, "sgemm", [](auto... all) { return cublasSgemm(all...); });
    products<double>(handle, "dgemm", [](auto... all) { return cublasDgemm(all...); });
    CHECK(cublasSetStream(handle, 0));
    others(handle);
    halves(handle);
    CHECK(cublasDestroy(handle));
    cudaStreamDestroy(stream);
    return 0;
}
