// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <gpu/recording.hpp>

#include "backend/backend.hpp"

// A call as the work that it requested from the host backend, step by step. Memory, kernels and modules are numbered.
namespace gpu::detail::record {

/// The limits of one recording.
inline constexpr std::size_t max_bytes = std::size_t{32} << 20, max_steps = 100'000;

/// A place in a piece of memory.
struct MemoryOffset {
    std::uint64_t memory = 0, offset = 0;
};

/// An address inside an argument's bytes, which differs in each process.
struct Address {
    std::uint64_t at = 0;
    MemoryOffset to;
};

/// An argument of a raw kernel.
struct RawArgument {
    std::string bytes;
    std::vector<Address> addresses;
};

/// An argument of a generated kernel.
struct GeneratedArgument {
    Argument argument;                ///< without a valid address
    bool is_null = true;              ///< for an array
    MemoryOffset array;
    std::vector<Address> addresses;   ///< in a number's bytes
};

struct Allocated {
    std::uint64_t memory = 0, bytes = 0;
    bool is_shared = false;
};
struct Freed {
    std::uint64_t memory = 0;
};
struct Described {
    std::uint64_t memory = 0;
    DType elements = DType::float32;
    std::vector<std::int64_t> lengths;
};
/// Host bytes copied to the device: an argument of the call, or other bytes.
struct CopiedUp {
    MemoryOffset to;
    bool is_argument = false, is_counted = true;
    std::uint64_t argument = 0, offset = 0, bytes = 0;
    std::string other;                ///< if it isn't an argument
};
struct CopiedDown {
    MemoryOffset from;
    std::uint64_t bytes = 0;
    bool is_counted = true;
};
struct CopiedOnDevice {
    MemoryOffset to, from;
    std::uint64_t bytes = 0;
    bool is_counted = true;
};
struct Filled {
    MemoryOffset to;
    std::uint64_t bytes = 0;
    unsigned char byte = 0;
};
struct Waited {};
/// The steps in between were done in check mode. Each occurs once.
struct CheckBegan {};
struct CheckEnded {};

using KernelText = std::variant<ElementwiseText, ReductionText, RawText>;
struct Kernel {
    std::uint64_t kernel = 0;
    KernelText text;
};
struct Module {
    std::uint64_t module = 0;
    RawText text;
};
struct ModuleKernel {
    std::uint64_t kernel = 0, module = 0;
    std::string entry, name;
};
struct ModuleVariable {
    std::uint64_t memory = 0, module = 0;
    std::string name;
};

struct RawLaunch {
    std::uint64_t kernel = 0;
    LaunchShape shape;
    std::vector<RawArgument> arguments;
};
struct ElementwiseLaunch {
    std::uint64_t kernel = 0;
    std::int64_t size = 0;
    std::vector<std::int64_t> lengths;
    std::uint64_t bytes = 0;
    std::vector<GeneratedArgument> arguments;
};
struct ReductionLaunch {
    std::uint64_t kernel = 0;
    std::int64_t outputs = 0, reduced = 0;
    std::vector<std::int64_t> kept_lengths, reduced_lengths;
    std::uint64_t bytes = 0;
    int results = 1;
    std::vector<GeneratedArgument> arguments;
};

using Step = std::variant<Allocated, Freed, Described, CopiedUp, CopiedDown, CopiedOnDevice, Filled, Waited, CheckBegan,
                          CheckEnded, Kernel, Module, ModuleKernel, ModuleVariable, RawLaunch, ElementwiseLaunch,
                          ReductionLaunch>;

std::string to_bytes(std::vector<Step>& steps);

/// Parses a recording and checks its form, but no numbers, places or sizes: the replay checks those.
/// @throws RecordingError
std::vector<Step> from_bytes(std::string_view bytes);

// One description of a structure's fields both writes and reads it: see recording.cpp. Numbers take eight bytes; texts
// and lists are preceded by their length.

/// Writes consecutive fields.
class Writer {
public:
    template <class T>
    void number(const T& value) {
        const auto wide = static_cast<std::uint64_t>(value);
        bytes_.append(reinterpret_cast<const char*>(&wide), sizeof wide);
    }
    template <class E>
    void choice(const E& value, E /*last*/) {
        number(static_cast<std::uint64_t>(value));
    }
    void text(const std::string& value) {
        number(value.size());
        bytes_ += value;
    }
    template <class T, class F>
    void list(std::vector<T>& values, const F& fields) {
        number(values.size());
        for (T& value : values) fields(*this, value);
    }
    [[nodiscard]] std::string& bytes() noexcept { return bytes_; }

private:
    std::string bytes_;
};

/// Reads fields from bytes that anybody may have written. @throws RecordingError
class Reader {
public:
    explicit Reader(std::string_view bytes) noexcept : rest_(bytes) {}

    template <class T>
    void number(T& value) {
        std::uint64_t wide = 0;
        std::memcpy(&wide, take(sizeof wide).data(), sizeof wide);
        if constexpr (std::is_same_v<T, bool>) {
            if (wide > 1) refuse("a truth value that is neither 0 nor 1");
            value = wide != 0;
        } else {
            value = static_cast<T>(wide);
            if (static_cast<std::uint64_t>(value) != wide) refuse("a number that doesn't fit its type");
        }
    }
    template <class E>
    void choice(E& value, E last) {
        std::uint64_t wide = 0;
        number(wide);
        if (wide > static_cast<std::uint64_t>(last)) refuse("a choice that doesn't exist");
        value = static_cast<E>(wide);
    }
    void text(std::string& value) { value = take(length()); }
    template <class T, class F>
    void list(std::vector<T>& values, const F& fields) {
        std::uint64_t count = 0;
        number(count);
        // every element has at least one number
        if (count > rest_.size() / sizeof count) refuse("a list beyond its end");
        values.clear();
        for (std::uint64_t k = 0; k < count; ++k) fields(*this, values.emplace_back());
    }
    [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

private:
    [[noreturn]] static void refuse(const char* what) {
        throw RecordingError(std::string("the recording has ") + what);
    }
    std::string_view take(std::size_t bytes) {
        if (bytes > rest_.size()) refuse("an end in the middle of a step");
        const std::string_view taken = rest_.substr(0, bytes);
        rest_.remove_prefix(bytes);
        return taken;
    }
    std::size_t length() {
        std::uint64_t value = 0;
        number(value);
        if (value > rest_.size()) refuse("a length beyond its end");
        return static_cast<std::size_t>(value);
    }

    std::string_view rest_;
};

}  // namespace gpu::detail::record
