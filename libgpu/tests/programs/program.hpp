// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

// Programs after the techniques that CUDA's samples and Rodinia teach: kernels in kernels/TOPIC/*.cu, their host parts
// and serial references in TOPIC.cpp.
namespace programs {

/// One run of a program: its kernels, and what is wrong with what they gave.
class Run {
public:
    explicit Run(gpu::RawModule kernels) : kernels_(std::move(kernels)) {}

    /// A program asks for all its kernels before it launches one: they are compiled together.
    template <class Signature>
    [[nodiscard]] gpu::RawKernel<Signature> kernel(const std::string& name) const {
        return kernels_.kernel<Signature>(name);
    }
    /// A variable that its kernels share.
    template <class T>
    [[nodiscard]] gpu::View<T> symbol(const std::string& name) const {
        return kernels_.symbol<T>(name);
    }
    /// The array's elements must be these.
    template <class T>
    void equal(const std::string& name, const gpu::Array<T>& got, const std::vector<T>& want) {
        const std::vector<T> all = gpu::to_host(got);
        compare(name, {all.begin(), all.end()}, {want.begin(), want.end()}, 0);
    }
    /// The array's elements must be these, within so many roundings of `size`, or of the largest if that is larger.
    template <class T>
    void close(const std::string& name, const gpu::Array<T>& got, const std::vector<double>& want, double roundings,
               double size = 0) {
        const std::vector<T> all = gpu::to_host(got);
        for (const double value : want) size = size < value ? value : size < -value ? -value : size;
        compare(name, {all.begin(), all.end()}, want, roundings * size * (sizeof(T) == 4 ? 0x1p-23 : 0x1p-52));
    }
    [[nodiscard]] const std::string& wrong() const noexcept { return wrong_; }

private:
    void compare(const std::string& name, const std::vector<double>& got, const std::vector<double>& want,
                 double tolerance);

    gpu::RawModule kernels_;
    std::string wrong_;
};

struct Program {
    std::string file;       ///< of its kernels: "scan/blelloch.cu"
    void (*run)(Run& run);  ///< ends whatever its kernels do: also when a barrier was removed from them
};

std::vector<Program> reduce_programs();
std::vector<Program> scan_programs();
std::vector<Program> sort_programs();
std::vector<Program> graph_programs();
std::vector<Program> stencil_programs();
std::vector<Program> linear_programs();
std::vector<Program> image_programs();
std::vector<Program> misc_programs();

/// All of them, topic by topic.
[[nodiscard]] std::vector<Program> all_programs();
/// The text of a file in kernels/.
[[nodiscard]] std::string kernel_text(const std::string& file);

/// A line of a table: "scan/blelloch.cu | 2 | the reason".
using Row = std::vector<std::string>;
/// The rows of a table in this folder; what begins with '#' is a comment.
[[nodiscard]] std::vector<Row> table(const std::string& file);

// What several host parts need.

/// In [-1, 1), with 22 bits behind the point.
[[nodiscard]] std::vector<float> random_floats(std::size_t count, unsigned seed);
/// In [0, below).
[[nodiscard]] std::vector<int> random_ints(std::size_t count, unsigned seed, int below);
/// So many blocks of this size cover n.
[[nodiscard]] constexpr int blocks(std::int64_t n, int size) { return static_cast<int>((n + size - 1) / size); }
/// An index in row-major order.
[[nodiscard]] constexpr std::size_t at(int row, int columns, int column) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
}
[[nodiscard]] constexpr std::size_t length(int n) { return static_cast<std::size_t>(n); }

}  // namespace programs
