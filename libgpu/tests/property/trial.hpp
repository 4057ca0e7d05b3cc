// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "property/input.hpp"

namespace property {

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
