// SPDX-License-Identifier: MIT
// Proves that the stand-in does what its users count on: the static CUDA runtime loads it and reports error 35.
#include <cstdio>

#include <cuda_runtime_api.h>

int main() {
    int driver = -1;
    int runtime = -1;
    int count = -1;
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    const cudaError_t error = cudaGetDeviceCount(&count);
    std::printf("driver %d, runtime %d: error %d (%s)\n", driver, runtime, error, cudaGetErrorString(error));
    return error == cudaErrorInsufficientDriver && driver == 11000 ? 0 : 1;
}
