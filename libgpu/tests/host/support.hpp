// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/error.hpp>

#include "backend/backend.hpp"
#include "counts.hpp"
#include "support/environment_guard.hpp"
#include "support/messages.hpp"

// What the tests of the host backend share: they drive it through the seam, as the rest of libgpu does.
namespace support {

using gpu::detail::Backend;
using gpu::detail::LaunchShape;
using gpu::detail::LoadedKernel;
using gpu::detail::Parameter;

/// A backend of its own with this many workers.
inline std::unique_ptr<Backend> backend_with(int workers) {
    const EnvironmentGuard guard("LIBGPU_HOST_WORKERS", std::to_string(workers).c_str());
    return gpu::detail::make_host_backend();
}

/// The backend that most tests share: two workers, so that blocks really run side by side.
inline Backend& backend() {
    static Backend& shared = *backend_with(2).release();
    return shared;
}

/// An array on a backend.
template <class T>
class Buffer {
public:
    explicit Buffer(std::size_t count, T value = T(), Backend& where = backend())
        : where_(where), count_(count), data_(static_cast<T*>(where.allocate(0, count * sizeof(T), nullptr))) {
        where.hand_out(0, data_);
        for (std::size_t k = 0; k < count; ++k) data_[k] = value;
    }
    explicit Buffer(const std::vector<T>& values, Backend& where = backend()) : Buffer(values.size(), T(), where) {
        std::copy(values.begin(), values.end(), data_);
    }
    ~Buffer() { where_.deallocate(0, data_, count_ * sizeof(T)); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    [[nodiscard]] T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return count_; }
    T& operator[](std::size_t k) const { return data_[k]; }
    [[nodiscard]] std::vector<T> values() const { return std::vector<T>(data_, data_ + count_); }

private:
    Backend& where_;
    std::size_t count_;
    T* data_;
};

/// Generates, compiles and loads; a compile error fails the test with the compiler's words.
template <class Text>
std::shared_ptr<LoadedKernel> build(const Text& text, Backend& where = backend()) {
    const auto source = where.generate(text);
    try {
        return where.load(0, where.compile(0, source), source);
    } catch (const gpu::detail::CompileFailure& failure) {
        throw gpu::Error("kernel " + text.name + " does not compile:\n" + failure.log + "\n" + source.text);
    }
}

inline gpu::detail::RawText raw_text(const std::string& name, const std::string& source,
                                     const std::string& signature = "", const std::string& file = "test.cu",
                                     int line = 1) {
    return {.name = name, .source = {source, file, line}, .signature = signature, .options = {}};
}

inline std::shared_ptr<LoadedKernel> build_raw(const std::string& name, const std::string& source,
                                               Backend& where = backend()) {
    return build(raw_text(name, source), where);
}

/// The compiler's log for a raw kernel that must not compile.
inline std::string compile_log(const gpu::detail::RawText& text, Backend& where = backend()) {
    try {
        (void)where.compile(0, where.generate(text));
    } catch (const gpu::detail::CompileFailure& failure) {
        return failure.log;
    }
    return "it compiled";
}

inline LaunchShape shape(unsigned grid, unsigned block, std::size_t shared = 0) {
    return {.grid = {.x = grid}, .block = {.x = block}, .shared_bytes = shared};
}

/// Puts a raw kernel into a stream, with values: pointers and numbers of exactly the parameters' types.
template <class... A>
void launch_in(Backend& where, void* stream, LoadedKernel& kernel, const LaunchShape& launch, A... arguments) {
    void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
    where.launch(0, kernel, {.over = launch, .values = {pointers, sizeof...(A)}}, stream);
}
/// The same in the default stream, and waits for it.
template <class... A>
void launch_on(Backend& where, LoadedKernel& kernel, const LaunchShape& launch, A... arguments) {
    launch_in(where, nullptr, kernel, launch, arguments...);
    where.synchronize_stream(0, nullptr);
}
template <class... A>
void launch(LoadedKernel& kernel, const LaunchShape& shape, A... arguments) {
    launch_on(backend(), kernel, shape, arguments...);
}

/// The message of the LaunchError that `f` must throw.
template <class F>
std::string launch_error(F&& f) {
    return error_of<gpu::LaunchError>(f);
}

inline std::uint64_t barriers() { return gpu::detail::counters().read().barriers; }
inline std::uint64_t atomics() { return gpu::detail::counters().read().atomics; }

inline Parameter input(std::string type, std::string name, bool strided = false) {
    return {Parameter::Role::input, std::move(type), std::move(name), strided};
}
inline Parameter output(std::string type, std::string name, bool strided = false) {
    return {Parameter::Role::output, std::move(type), std::move(name), strided};
}
inline Parameter scalar(std::string type, std::string name) {
    return {Parameter::Role::scalar, std::move(type), std::move(name), false};
}

/// An argument that is an array, with its strides.
template <class T>
gpu::detail::Argument array_argument(const T* data, std::initializer_list<std::int64_t> strides = {}) {
    gpu::detail::Argument argument;
    argument.array.data = const_cast<T*>(data);
    std::copy(strides.begin(), strides.end(), argument.array.strides);
    return argument;
}
template <class T>
gpu::detail::Argument scalar_argument(T value) {
    gpu::detail::Argument argument;
    argument.is_array = false;
    std::memcpy(argument.scalar, &value, sizeof value);
    return argument;
}

}  // namespace support
