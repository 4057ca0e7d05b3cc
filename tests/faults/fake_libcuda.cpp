// SPDX-License-Identifier: MIT
// A stand-in for libcuda.so.1 that plays a driver older than the toolkit: it answers every call politely and as
// version 11.0. The CUDA runtime then reports error 35, "driver version is insufficient for CUDA runtime version".
//
// Use: LD_LIBRARY_PATH=build/<preset>/fake. FAKE_CUDA_VERSION=13000 plays another version.
#include <cstdint>
#include <cstdlib>

namespace {
int version_played() {
    const char* text = std::getenv("FAKE_CUDA_VERSION");
    return text ? std::atoi(text) : 11000;
}
int not_here() { return 100; }   // CUDA_ERROR_NO_DEVICE
}  // namespace

extern "C" {
int cuInit(unsigned) { return 0; }

int cuDriverGetVersion(int* version) {
    *version = version_played();
    return 0;
}

int cuDeviceGetCount(int* count) {
    *count = 0;
    return 0;
}

int cuGetErrorString(int, const char** text) {
    *text = "an error of the stand-in driver";
    return 0;
}

int cuGetErrorName(int, const char** text) {
    *text = "STAND_IN";
    return 0;
}

// The runtime asks for all of its entry points by name; what isn't played above is a function that reports "no device".
int cuGetProcAddress(const char* symbol, void** function, int, std::uint64_t);
int cuGetProcAddress_v2(const char* symbol, void** function, int cuda_version, std::uint64_t flags, int* status);
}

namespace {
void* find(const char* symbol) {
    struct Entry {
        const char* name;
        void* function;
    };
    const Entry entries[] = {
        {"cuInit", reinterpret_cast<void*>(&cuInit)},
        {"cuDriverGetVersion", reinterpret_cast<void*>(&cuDriverGetVersion)},
        {"cuDeviceGetCount", reinterpret_cast<void*>(&cuDeviceGetCount)},
        {"cuGetErrorString", reinterpret_cast<void*>(&cuGetErrorString)},
        {"cuGetErrorName", reinterpret_cast<void*>(&cuGetErrorName)},
        {"cuGetProcAddress", reinterpret_cast<void*>(&cuGetProcAddress_v2)},
    };
    for (const Entry& entry : entries) {
        const char* a = entry.name;
        const char* b = symbol;
        while (*a && *a == *b) ++a, ++b;
        if (*a == *b) return entry.function;
    }
    return reinterpret_cast<void*>(&not_here);
}
}  // namespace

extern "C" {
int cuGetProcAddress(const char* symbol, void** function, int, std::uint64_t) {
    *function = find(symbol);
    return 0;
}

int cuGetProcAddress_v2(const char* symbol, void** function, int, std::uint64_t, int* status) {
    *function = find(symbol);
    if (status) *status = 0;   // CU_GET_PROC_ADDRESS_SUCCESS
    return 0;
}
}
