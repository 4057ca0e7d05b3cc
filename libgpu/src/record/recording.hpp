// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backend/backend.hpp"

// A call as the work that it asked of the host backend, step by step. Memory, kernels and modules have numbers.
namespace gpu::detail::record {

/// Not more than this in one recording.
inline constexpr std::size_t most_bytes = std::size_t{32} << 20, most_steps = 100'000;

/// A place in a piece of memory.
struct Place {
    std::uint64_t memory = 0, offset = 0;
};

/// Inside an argument's bytes: an address, which is another one in each process.
struct Address {
    std::uint64_t at = 0;
    Place to;
};

/// An argument of a raw kernel.
struct RawArgument {
    std::string bytes;
    std::vector<Address> addresses;
};

/// An argument of a generated kernel.
struct GeneratedArgument {
    Argument argument;                ///< its address is none
    bool is_null = true;              ///< an array's
    Place array;
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
/// Host bytes to the device: those of an argument of the call, or others.
struct CopiedUp {
    Place to;
    bool is_argument = false, is_counted = true;
    std::uint64_t argument = 0, offset = 0, bytes = 0;
    std::string other;                ///< where it isn't an argument
};
struct CopiedDown {
    Place from;
    std::uint64_t bytes = 0;
    bool is_counted = true;
};
struct CopiedOnDevice {
    Place to, from;
    std::uint64_t bytes = 0;
    bool is_counted = true;
};
struct Filled {
    Place to;
    std::uint64_t bytes = 0;
    unsigned char byte = 0;
};
struct Waited {};
/// What follows was done in check mode, up to CheckEnded. Each comes once.
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

/// What was written, with every form checked, but no number, place or size: that is the replay's.
/// @throws RecordingError
std::vector<Step> from_bytes(std::string_view bytes);

}  // namespace gpu::detail::record
