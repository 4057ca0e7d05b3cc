// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "host/support.hpp"

// What the tests of streams share: kernels that wait until they are let go, so that nothing depends on time.
namespace support {

inline const char* const stream_kernels = R"(
__global__ void hold(volatile int* gate) { while (*gate == 0) { } }
__global__ void meet(volatile int* mine, volatile int* other) { *mine = 1; while (*other == 0) { } }
__global__ void step(int* x, int factor, int more) { if (threadIdx.x == 0) *x = *x * factor + more; }
__global__ void take(const int* x, int* y, int more) { if (threadIdx.x == 0) *y = *x + more; }
__global__ void fill(int* x, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = value;
}
__global__ void crash(int* x, int n) { int i = threadIdx.x; if (i <= n) x[i] = 1; }
__global__ void refuse(int value) { assert(value == 0); }
struct Wide { double numbers[5]; };
__global__ void store(double* x, Wide wide, char c) { for (int k = 0; k < 5; ++k) x[k] = wide.numbers[k] + c; }
)";

/// A kernel of the text above, built once for all tests.
inline LoadedKernel& stream_kernel(const std::string& name) {
    static std::map<std::string, std::shared_ptr<LoadedKernel>> built;
    auto& kernel = built[name];
    if (kernel == nullptr) kernel = build_raw(name, stream_kernels);
    return *kernel;
}

/// A stream for a scope.
class TestStream {
public:
    explicit TestStream(int device = 0, Backend& where = backend())
        : where_(where), device_(device), handle_(where.create_stream(device)) {}
    ~TestStream() { where_.destroy_stream(device_, handle_); }
    TestStream(const TestStream&) = delete;
    TestStream& operator=(const TestStream&) = delete;

    operator void*() const { return handle_; }  // NOLINT(google-explicit-constructor)
    void synchronize() const { where_.synchronize_stream(device_, handle_); }

private:
    Backend& where_;
    int device_;
    void* handle_;
};

/// An event for a scope.
class TestEvent {
public:
    explicit TestEvent(int device = 0, Backend& where = backend())
        : where_(where), device_(device), handle_(where.create_event(device)) {}
    ~TestEvent() { where_.destroy_event(device_, handle_); }
    TestEvent(const TestEvent&) = delete;
    TestEvent& operator=(const TestEvent&) = delete;

    operator gpu::detail::NativeEvent*() const { return handle_; }  // NOLINT(google-explicit-constructor)
    void record(void* stream) const { where_.record_event(device_, handle_, stream); }
    [[nodiscard]] bool reached() const { return where_.event_reached(device_, handle_); }
    void synchronize() const { where_.synchronize_event(device_, handle_); }

private:
    Backend& where_;
    int device_;
    gpu::detail::NativeEvent* handle_;
};

/// Holds streams back until it is opened. A thread must not wait for a held stream: it would do its work, and hold.
class Gate {
public:
    Gate() : flag_(1, 0) {}
    ~Gate() { open(); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    void hold(void* stream, int device = 0, Backend& where = backend()) const {
        int* const flag = flag_.data();
        void* arguments[] = {const_cast<int**>(&flag)};
        where.launch(device, stream_kernel("hold"), {.over = shape(1, 1), .values = arguments}, stream);
    }
    void open() const { std::atomic_ref(flag_[0]).store(1); }

private:
    Buffer<int> flag_;
};

template <class... A>
void queue(void* stream, const char* kernel, A... arguments) {
    launch_in(backend(), stream, stream_kernel(kernel), shape(1, 1), arguments...);
}

}  // namespace support
