// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "backend/backend.hpp"

// What the tests on a real GPU share: the backend behind its seam, on device 0.

using gpu::detail::Argument;
using gpu::detail::CopyKind;

/// The CUDA backend; main() has seen that it is usable.
gpu::detail::Backend& backend();

/// Device memory with the values of a vector.
template <class T>
class OnGpu {
public:
    explicit OnGpu(std::size_t n) : size_(n), data_(backend().allocate(0, n * sizeof(T), nullptr)) {}
    explicit OnGpu(const std::vector<T>& values) : OnGpu(values.size()) {
        backend().copy(0, data_, values.data(), bytes(), CopyKind::host_to_device, nullptr);
    }
    ~OnGpu() { backend().deallocate(0, data_, bytes()); }
    OnGpu(const OnGpu&) = delete;
    OnGpu& operator=(const OnGpu&) = delete;

    [[nodiscard]] T* data() const { return static_cast<T*>(data_); }
    [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }
    [[nodiscard]] std::vector<T> values() const {
        std::vector<T> result(size_);
        backend().copy(0, result.data(), data_, bytes(), CopyKind::device_to_host, nullptr);
        return result;
    }

private:
    std::size_t size_;
    void* data_;
};

template <class T>
Argument array(const T* data, std::initializer_list<std::int64_t> strides = {}) {
    Argument argument;
    argument.array.data = const_cast<T*>(data);
    std::copy(strides.begin(), strides.end(), argument.array.strides);
    if (strides.size() > 0) argument.item = sizeof(T);
    return argument;
}

template <class T>
Argument number(T value) {
    Argument argument;
    argument.is_array = false;
    std::memcpy(argument.scalar, &value, sizeof value);
    return argument;
}

inline std::shared_ptr<gpu::detail::LoadedKernel> loaded(const gpu::detail::KernelSource& source) {
    return backend().load(0, backend().compile(0, source), source);
}

/// A raw kernel from text, compiled with its signature checked.
inline std::shared_ptr<gpu::detail::LoadedKernel> raw(const char* text, const char* name, const char* signature = "") {
    return loaded(backend().generate(
        {.name = name, .source = {text, "test.cu", 1}, .signature = signature, .options = {}}));
}

template <class... A>
void launch(gpu::detail::LoadedKernel& kernel, const gpu::detail::LaunchShape& shape, void* stream, A... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    backend().launch(0, kernel, {.over = shape, .values = {pointers, sizeof...(A)}}, stream);
}

/// An elementwise kernel over this shape.
inline void launch_over(gpu::detail::LoadedKernel& kernel, const gpu::Shape& shape, std::vector<Argument> arguments,
                        void* stream = nullptr) {
    const gpu::detail::ElementwiseSpace space{.size = shape.size(), .shape = shape};
    backend().launch(0, kernel, {.over = space, .arguments = std::move(arguments)}, stream);
}

inline gpu::detail::LaunchShape line(std::uint32_t blocks, std::uint32_t threads, std::size_t shared = 0) {
    return {.grid = {blocks}, .block = {threads}, .shared_bytes = shared};
}

/// 0, 1, ... 12 in a stir: sums of them are exact.
template <class T>
std::vector<T> small_numbers(std::size_t n) {
    std::vector<T> values(n);
    for (std::size_t k = 0; k < n; ++k) values[k] = static_cast<T>((k * 7) % 13);
    return values;
}

inline gpu::detail::ReductionSpace reduction_space(gpu::Shape kept, gpu::Shape reduced) {
    return {.outputs = kept.size(), .reduced = reduced.size(), .kept = kept, .reduced_shape = reduced};
}

/// The sizes at which kernels go wrong.
inline const std::vector<std::size_t> edge_sizes{0, 1, 31, 33, 255, 257, 1009, (1 << 20) + 3};
