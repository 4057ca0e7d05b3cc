// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gpu/check.hpp>
#include <gpu/kernel_options.hpp>

// One kernel of the gallery: a .cu file whose first lines say how it is run and what must come of it. README.md has the
// format.
namespace gallery {

/// The header of a kernel file can't be read; the message has file and line.
class FormatError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// `array: float x[1000] = random 7`
struct ArraySpec {
    enum class Filling { zeros, ones, ramp, modulo, random, uninitialized };
    std::string name;
    std::string type;         ///< of an element: "float", "long long"
    int components = 1;       ///< 4 for an array of float4, whose type is then "float"
    std::int64_t length = 0;  ///< elements, components counted singly
    Filling filling = Filling::zeros;
    std::int64_t number = 0;  ///< modulo: the divisor; random: the seed
    std::int64_t below = 0;   ///< random integers are in [0, below)
    bool scratch = false;     ///< its values after the launch don't matter
};

/// An argument of a launch: an array, a number, or a struct of numbers, as bytes.
struct ArgumentSpec {
    std::string array;  ///< empty for the others
    std::vector<std::byte> bytes;
};

/// `launch: scale<<<4, 256>>>(x, y, 1000, 2.5f)`
struct LaunchSpec {
    std::string kernel;
    gpu::Dim3 grid, block;
    std::size_t shared = 0;
    std::vector<ArgumentSpec> arguments;
};

/// `finding: missing barrier, lines 14 17, variable tile`
struct FindingSpec {
    gpu::FindingKind kind{};
    std::vector<int> lines;  ///< the finding's is one of them, and its text names all ...
    bool any_line = false;   ///< ... unless it is written `line one of 14 15`
    std::string variable;    ///< empty: none ("-" in the file)
};

/// `check: y = scale(x, 2.5) within 2 eps`
struct CheckSpec {
    std::string array, reference;
    std::vector<std::string> arguments;
    double within = 0;  ///< times the type's epsilon and the size of what was added up; 0: exactly
};

/// `counts: global_sectors / global_requests = 32`
struct CountSpec {
    std::string count, per;  ///< `per` may be empty
    double value = 0;
};

struct KernelFile {
    std::string path, name;  ///< name: "buggy/no_guard.cu"
    std::string text;        ///< all of it: a finding's line is the file's
    std::string sentence;    ///< what it is
    std::vector<ArraySpec> arrays;
    std::vector<LaunchSpec> launches;
    std::optional<FindingSpec> finding;
    std::vector<CheckSpec> checks;
    std::vector<CountSpec> counts;
    std::string not_on_gpu;  ///< why it must never run on a GPU
    bool strict_barriers = false;  ///< as gpu::CheckOptions::strict_barriers
    bool is_for_gcc = false;       ///< what clang compiles doesn't tell this mistake

    [[nodiscard]] const ArraySpec& array(const std::string& wanted) const;
};

/// Reads one file. @throws FormatError
[[nodiscard]] KernelFile read_kernel_file(const std::filesystem::path& path);
/// Reads a text as if it stood in that file. @throws FormatError
[[nodiscard]] KernelFile parse_kernel_file(const std::string& path, const std::string& text);

/// The kind that gpu::to_string spells so.
[[nodiscard]] std::optional<gpu::FindingKind> finding_kind(const std::string& spelling);

/// A count of WorkCounts by its name, or nothing.
[[nodiscard]] std::optional<std::uint64_t> count_named(const gpu::WorkCounts& work, const std::string& name);

}  // namespace gallery
