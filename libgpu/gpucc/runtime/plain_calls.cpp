// SPDX-License-Identifier: MIT
#include <cuda_runtime_api.h>

// The functions that programs hand on by their address, as deleters: nobody says where these calls are.

cudaError_t(cudaFree)(void* pointer) { return gpuccFree(pointer, "", 0); }
cudaError_t(cudaFreeHost)(void* pointer) { return gpuccFreeHost(pointer, "", 0); }
cudaError_t(cudaHostUnregister)(void* pointer) { return gpuccHostUnregister(pointer, "", 0); }
cudaError_t(cudaStreamDestroy)(cudaStream_t stream) { return gpuccStreamDestroy(stream, "", 0); }
cudaError_t(cudaStreamSynchronize)(cudaStream_t stream) { return gpuccStreamSynchronize(stream, "", 0); }
cudaError_t(cudaEventDestroy)(cudaEvent_t event) { return gpuccEventDestroy(event, "", 0); }
cudaError_t(cudaEventSynchronize)(cudaEvent_t event) { return gpuccEventSynchronize(event, "", 0); }
cudaError_t(cudaDeviceSynchronize)() { return gpuccDeviceSynchronize("", 0); }
cudaError_t(cudaDeviceReset)() { return gpuccDeviceReset("", 0); }
