// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdio>

#include <gpu/device.hpp>
#include <gpu/gpu.hpp>

/// A stream's work stops at the gate until it is opened: what comes behind has certainly not been done yet. Nothing may
/// be allocated, loaded or freed while it is closed: a GPU may wait for all work to do that.
class Gate {
public:
    Gate()
        : kernel_(R"(
__global__ void gate(const int* open) { while (*(const volatile int*)open == 0) { } }
)",
                  "gate"),
          open_(1) {
        std::atomic_ref(open_[0]).store(1);
        close_in({});  // compiled and loaded
        gpu::synchronize();
        std::atomic_ref(open_[0]).store(0);
    }
    ~Gate() {
        open();
        try {
            gpu::synchronize();
        } catch (const gpu::Error&) {}
    }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    void close_in(gpu::StreamRef stream) {
        kernel_({.grid = 1, .block = 1, .stream = stream}, static_cast<const int*>(open_.data()));
    }
    void open() { std::atomic_ref(open_[0]).store(1); }

private:
    gpu::RawKernel<void(const int*)> kernel_;
    gpu::Pinned<int> open_;
};

/// True if the active backend has two devices; says which test is skipped otherwise.
inline bool two_devices(const char* test) {
    if (gpu::Device::count() >= 2) return true;
    std::printf("SKIP: %s: there is one device only\n", test);
    return false;
}
