// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

#include "property/reference.hpp"

namespace property {

/// A small generator (splitmix64). The standard library's distributions aren't the same everywhere; these are, so that
/// a case is the same one on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : state_(seed * 0x9E3779B97F4A7C15u + stream) {
        (void)next();
    }

    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    /// From `low` to `high`, both included.
    std::int64_t between(std::int64_t low, std::int64_t high) {
        const std::uint64_t count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + (count == 0 ? next() : next() % count));
    }
    int below(int count) { return static_cast<int>(next() % static_cast<std::uint64_t>(count)); }
    bool chance(int percent) { return below(100) < percent; }
    /// In [0, 1).
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
    std::uint64_t state_;
};

using Bytes = std::vector<unsigned char>;

/// A random array on the device with a random window on it, and the reference's picture of both.
struct Input {
    gpu::DType dtype = gpu::DType::float32;
    gpu::Layout layout = gpu::Layout::row_major;
    bool divisor = false;  ///< its integers are from 1 to 9
    Elements base;         ///< of the whole array
    gpu::detail::ArrayCore array;
    gpu::detail::ArrayCore window;
    Elements elements;               ///< of the window
    std::vector<std::size_t> place;  ///< of each element of the window in the base
    std::string definition;          ///< C++ that makes the array
    std::string spelling;            ///< C++ that makes the window
};

/// What kind of values are drawn.
struct Values {
    bool positive = false;  ///< and not 0
    bool special = false;   ///< infinities, NaN, subnormals, the ends of the type
    bool divisor = false;   ///< integers from 1 to 9
    bool exact = false;     ///< small multiples of 1/4
};

/// One value that the type holds exactly.
[[nodiscard]] Element draw_value(gpu::DType type, const Values& values, Random& draw);

/// The elements as the type stores them, and back.
[[nodiscard]] Bytes stored(const Elements& elements);
[[nodiscard]] Elements loaded(gpu::DType dtype, const gpu::Shape& shape, const Bytes& bytes);
/// A C++ literal: `1.5f`.
[[nodiscard]] std::string literal(gpu::DType type, const Element& value);
/// "float", "std::int8_t".
[[nodiscard]] std::string cpp_name(gpu::DType type);
[[nodiscard]] std::string braces(const gpu::Extents& shape);

/// A whole array of these elements on the device.
[[nodiscard]] gpu::detail::ArrayCore to_array(const Elements& elements, gpu::Layout layout);
[[nodiscard]] Elements to_elements(const gpu::detail::ArrayCore& core);

/// An array named `name` with a window of the wanted shape. What decides the kernel's text (steps, order of axes) comes
/// from `plan`, what doesn't (lengths, values) from `draw`.
[[nodiscard]] Input draw_input(const std::string& name, gpu::DType type, const gpu::Shape& wanted, const Values& values,
                               Random& plan, Random& draw, int max_steps = 2);

/// A random window of `wanted` shape on an array that is made for it; fills all but the elements.
void draw_window(Input& input, const std::string& name, const gpu::Shape& wanted, Random& plan, Random& draw,
                 int max_steps);

/// Lengths of axes: mostly small, sometimes 0, 1 or long. `size` is 1 (smallest) to 3.
[[nodiscard]] gpu::Shape draw_shape(int rank, Random& draw, int size);

/// One case: what was computed, and what should have been.
struct Trial {
    std::string program;  ///< C++ that repeats it
    Elements want;
    Elements got;
};

/// A kind of cases. What decides the kernels comes from `plan`, which is the same for several cases; lengths, offsets
/// and values come from `draw`. Smaller sizes are tried when a case fails.
struct Family {
    const char* name;
    int weight;
    void (*run)(Trial& trial, Random& plan, Random& draw, int size);
};
[[nodiscard]] const std::vector<Family>& families();

void elementwise_case(Trial& trial, Random& plan, Random& draw, int size);
void assignment_case(Trial& trial, Random& plan, Random& draw, int size);
void reduction_case(Trial& trial, Random& plan, Random& draw, int size);
void window_case(Trial& trial, Random& plan, Random& draw, int size);
void indexing_case(Trial& trial, Random& plan, Random& draw, int size);
void take_put_case(Trial& trial, Random& plan, Random& draw, int size);
void round_trip_case(Trial& trial, Random& plan, Random& draw, int size);
void creation_case(Trial& trial, Random& plan, Random& draw, int size);
void in_place_case(Trial& trial, Random& plan, Random& draw, int size);
void in_place_types_case(Trial& trial, Random& plan, Random& draw, int size);
void output_case(Trial& trial, Random& plan, Random& draw, int size);
void join_case(Trial& trial, Random& plan, Random& draw, int size);
void sorting_case(Trial& trial, Random& plan, Random& draw, int size);
void file_case(Trial& trial, Random& plan, Random& draw, int size);

/// The bodies of kernels, and one of them in a random call.
[[nodiscard]] int kernel_body_count();
void kernel_case(Trial& trial, int body, Random& plan, Random& draw, int size);

/// What came of a case.
struct Verdict {
    std::string problem;  ///< empty: right
    std::int64_t judged = 0, open = 0, not_numbers = 0;
};
[[nodiscard]] Verdict judge(const Trial& trial);

/// True if `got` is a right result where `want` is wanted.
[[nodiscard]] bool agrees(gpu::DType type, const Element& got, const Element& want);

struct Options {
    std::uint64_t seed = 1;
    std::int64_t cases = 6000;
    std::int64_t only = -1;  ///< one case
    int size = 3;
    std::string dump;  ///< a file for the results
    int threads = 2;
    bool kernels = false;  ///< elementwise and reduction kernels, instead of everything else
    std::int64_t print = 0;  ///< this many programs, one of each plan, are shown
};
/// The program's options; the tests read them.
[[nodiscard]] Options& options();

struct Summary {
    std::int64_t cases = 0, wrong = 0, judged = 0, open = 0, not_numbers = 0;
    std::vector<std::string> failures;  ///< with the program that repeats each
};
[[nodiscard]] Summary run_cases(const Options& options);

/// Runs one case by its number. Never throws.
[[nodiscard]] Verdict run_case(const Options& options, std::int64_t number, int size, Trial& trial);

/// Compares two files that --dump wrote, on two machines or backends. Prints a report; true if they agree.
[[nodiscard]] bool compare_dumps(const std::string& first, const std::string& second);
void write_dump(const std::string& path, const Options& options, const std::vector<std::string>& lines);
[[nodiscard]] std::string dump_line(std::int64_t number, const Trial& trial);

}  // namespace property
