// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

// cuRAND's host interface: generators Philox4_32_10 and XORWOW. Philox' numbers are cuRAND's; XORWOW's have the same
// distribution, in an order of their own.

typedef struct curandGenerator_st* curandGenerator_t;
typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
    CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

GPUCC_API curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type, GPUCC_PLACE);
/// Writes to host memory.
GPUCC_API curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type, GPUCC_PLACE);
GPUCC_API curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
GPUCC_API curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed);
GPUCC_API curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
GPUCC_API curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
GPUCC_API curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
GPUCC_API curandStatus_t curandGetVersion(int* version);
GPUCC_API curandStatus_t curandGenerateSeeds(curandGenerator_t generator);
GPUCC_API curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* numbers, size_t count, GPUCC_PLACE);
/// In (0, 1].
GPUCC_API curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* numbers, size_t count, GPUCC_PLACE);
GPUCC_API curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* numbers, size_t count,
                                                     GPUCC_PLACE);
/// The count must be even.
GPUCC_API curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* numbers, size_t count, float mean,
                                              float stddev, GPUCC_PLACE);
GPUCC_API curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* numbers, size_t count,
                                                    double mean, double stddev, GPUCC_PLACE);
GPUCC_API curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* numbers, size_t count, float mean,
                                                 float stddev, GPUCC_PLACE);
GPUCC_API curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* numbers, size_t count,
                                                       double mean, double stddev, GPUCC_PLACE);
/// The distribution, not cuRAND's own numbers.
GPUCC_API curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* numbers, size_t count,
                                               double mean, GPUCC_PLACE);
