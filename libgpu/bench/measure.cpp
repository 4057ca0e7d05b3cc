// SPDX-License-Identifier: MIT
#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

namespace bench {

namespace {

// CPU time of all threads instead of time that passes: for tuning on a machine that others use.
bool counts_cpu_time() {
    static const bool wanted = std::getenv("GPU_BENCH_CPU_TIME") != nullptr;
    return wanted;
}

double now_ms() {
    if (counts_cpu_time()) return static_cast<double>(std::clock()) * 1000.0 / CLOCKS_PER_SEC;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::milli>(now).count();
}

}  // namespace

double time_ms(const std::function<void()>& f) {
    const double start = now_ms();
    f();
    return now_ms() - start;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double median_ms(int times, const std::function<void()>& f) {
    f();
    std::vector<double> ms;
    for (int k = 0; k < times; ++k) ms.push_back(time_ms(f));
    return median(ms);
}

Comparison compare(int times, const std::function<void()>& ours, const std::function<void()>& theirs) {
    ours();
    theirs();
    std::vector<double> our_ms, their_ms, ratios;
    for (int k = 0; k < times; ++k) {
        our_ms.push_back(time_ms(ours));
        their_ms.push_back(time_ms(theirs));
        ratios.push_back(their_ms.back() / our_ms.back());
    }
    return {median(our_ms), median(their_ms), median(ratios)};
}

std::string note(const Comparison& times) { return digits(times.ours_ms) + " ms, " + digits(times.theirs_ms) + " ms"; }

std::vector<float> random_floats(std::size_t count) {
    static std::mt19937 engine{std::random_device{}()};
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(engine() >> 8) / 8388608.0f - 1.0f;
    return values;
}

void expect(const char* what, bool right) {
    if (right) return;
    std::fprintf(stderr, "%s: wrong result\n", what);
    std::exit(1);
}

bool near(double a, double b, double allowed) { return std::fabs(a - b) <= allowed; }

std::string digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text,
                  value >= 100   ? "%.0f"
                  : value >= 10  ? "%.1f"
                  : value >= 0.1 ? "%.2f"
                                 : "%.4f",
                  value);
    return text;
}

}  // namespace bench
