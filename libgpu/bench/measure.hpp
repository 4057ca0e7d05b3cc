// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

// What the rows of the table share: times, ratios, random inputs.
namespace bench {

/// One line of the table.
struct Row {
    std::string what;
    double measured = 0;
    std::string unit;  ///< "x", "ms", "ns"
    double target = 0;  ///< infinite: none
    bool at_least = false;  ///< else: at most
    std::string note = {};  ///< how it was measured, the times behind a ratio

    [[nodiscard]] bool reached() const { return at_least ? measured >= target : measured <= target; }
};

/// Milliseconds of one call.
double time_ms(const std::function<void()>& f);
double median(std::vector<double> values);
/// The median of several calls, after one that isn't counted.
double median_ms(int times, const std::function<void()>& f);

/// Medians of calls in turn, and of their ratios: how many times faster `ours` is than `theirs`.
struct Comparison {
    double ours_ms = 0, theirs_ms = 0, ratio = 0;
};
Comparison compare(int times, const std::function<void()>& ours, const std::function<void()>& theirs);
std::string note(const Comparison& times);

/// Numbers in [-1, 1), other ones in each run.
std::vector<float> random_floats(std::size_t count);

/// Ends the program unless two results agree: a wrong one has no speed.
void expect(const char* what, bool right);
bool near(double a, double b, double allowed);

/// A time or ratio for people: three digits.
std::string digits(double value);

// The groups of rows. `workers` is what LIBGPU_HOST_WORKERS says in this process.
std::vector<Row> loop_rows(int workers);
std::vector<Row> function_rows(int workers);
std::vector<Row> reduction_rows(int workers);
std::vector<Row> fiber_rows();
std::vector<Row> check_rows();
std::vector<Row> compile_rows();

/// A child's part of compile_rows(): loads the kernel of that number from the cache, prints milliseconds.
void print_time_from_cache(int number);

}  // namespace bench
