// SPDX-License-Identifier: MIT
// cuRAND's host interface: Philox' numbers on the device and on the host, and what their distributions say.
#include <cuda_runtime.h>
#include <curand.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                                            \
    do {                                                                                       \
        const curandStatus_t status = (call);                                                  \
        if (status != CURAND_STATUS_SUCCESS) printf("%d: status %d\n", __LINE__, int(status)); \
    } while (0)

template <typename T>
std::vector<T> of_device(const T* device, int n) {
    std::vector<T> host(n);
    cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
}
// True if mean and standard deviation are as expected, within five standard errors.
template <typename T>
bool is_like(const std::vector<T>& values, double mean, double stddev) {
    double sum = 0, squares = 0;
    for (const T value : values) sum += value;
    const double found = sum / values.size();
    for (const T value : values) squares += (value - found) * (value - found);
    const double spread = std::sqrt(squares / values.size()), error = 5 * stddev / std::sqrt(double(values.size()));
    return std::fabs(found - mean) <= error && std::fabs(spread - stddev) <= error;
}

int main() {
    const int n = 300000;  // more than 65536 groups of four
    unsigned* bits;
    float* floats;
    double* doubles;
    cudaMalloc(&bits, n * sizeof *bits);
    cudaMalloc(&floats, n * sizeof *floats);
    cudaMalloc(&doubles, n * sizeof *doubles);
    curandGenerator_t generator;
    CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1234ULL));
    CHECK(curandGenerate(generator, bits, n));
    const std::vector<unsigned> words = of_device(bits, n);
    printf("%u %u %u %u, %u %u\n", words[0], words[1], words[5], words[262143], words[262144], words[n - 1]);
    CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1234ULL));
    CHECK(curandSetGeneratorOffset(generator, 0));
    CHECK(curandGenerateUniform(generator, floats, n));
    std::vector<float> uniform = of_device(floats, n);
    printf("%.6f %.6f %.6f\n", uniform[0], uniform[1], uniform[262144]);
    bool in_range = true;
    for (const float x : uniform) in_range = in_range && x > 0 && x <= 1;
    printf("uniform: in (0, 1] %d, like %d\n", int(in_range), int(is_like(uniform, 0.5, std::sqrt(1.0 / 12))));
    CHECK(curandGenerateNormal(generator, floats, n, 2.0f, 3.0f));
    CHECK(curandGenerateUniformDouble(generator, doubles, n));
    printf("normal %d, double %d\n", int(is_like(of_device(floats, n), 2, 3)),
           int(is_like(of_device(doubles, n), 0.5, std::sqrt(1.0 / 12))));
    CHECK(curandGenerateNormalDouble(generator, doubles, n, -1.0, 0.5));
    CHECK(curandGeneratePoisson(generator, bits, n, 4.0));
    printf("normal double %d, Poisson %d\n", int(is_like(of_device(doubles, n), -1, 0.5)),
           int(is_like(of_device(bits, n), 4, 2)));
    CHECK(curandDestroyGenerator(generator));

    // The default generator, on the host.
    curandGenerator_t host_generator;
    std::vector<float> host(n), again(n);
    CHECK(curandCreateGeneratorHost(&host_generator, CURAND_RNG_PSEUDO_DEFAULT));
    CHECK(curandSetPseudoRandomGeneratorSeed(host_generator, 42ULL));
    CHECK(curandGenerateUniform(host_generator, host.data(), n));
    CHECK(curandSetPseudoRandomGeneratorSeed(host_generator, 42ULL));
    CHECK(curandSetGeneratorOffset(host_generator, 0));
    CHECK(curandGenerateUniform(host_generator, again.data(), n));
    printf("default: like %d, the same again %d\n", int(is_like(host, 0.5, std::sqrt(1.0 / 12))), int(host == again));
    CHECK(curandDestroyGenerator(host_generator));
    cudaFree(bits);
    cudaFree(floats);
    cudaFree(doubles);
    return 0;
}
