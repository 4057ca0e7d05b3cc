// SPDX-License-Identifier: MIT
// Nothing: a kernel knows threadIdx, blockIdx, blockDim and gridDim; they are here for editors.
#pragma once
#include <cuda_runtime.h>
