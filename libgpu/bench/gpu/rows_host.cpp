// SPDX-License-Identifier: MIT
// What a call costs the host, what a kernel costs at its first call, and copies between host and device.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>

#include "bench.hpp"
#include "checks.hpp"

namespace bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

const gpu::ElementwiseKernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff");
const gpu::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
const gpu::RawKernel<void(const float*, const float*, float*, long long)> add(
    R"(extern "C" __global__ void small_add(const float* a, const float* b, float* c, long long n) {
    long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
})",
    "small_add");

/// In the table arrays are so small that the device has next to nothing to do.
struct Small {
    explicit Small(std::int64_t n)
        : x(gpu::random::uniform<float>({n})), y(gpu::random::uniform<float>({n})), z(gpu::empty<float>({n})) {}
    Floats x, y, z, one;
    float value = 0;
};
constexpr std::int64_t small = 10;
using Call = void (*)(Small&);
using Wrong = std::string (*)(const Small&);

/// Seconds of the host for one call on n elements: bursts that no queue is too short for, nor the device busy with for
/// long; it catches up in between.
template <class F>
double host_seconds(std::int64_t n, const F& call) {
    constexpr int bursts = 11;
    const auto calls = static_cast<int>(std::clamp<std::int64_t>((std::int64_t{1} << 32) / n, 4, 200));
    std::vector<double> seconds;
    for (int burst = 0; burst <= bursts; ++burst) {
        gpu::synchronize();
        const auto start = Clock::now();
        for (int k = 0; k < calls; ++k) call();
        if (burst > 0) seconds.push_back(seconds_since(start) / calls);  // the first one compiles
    }
    gpu::synchronize();
    return median(std::move(seconds));
}

Row host(const std::string& name, Call call, Wrong wrong, bool grows = false) {
    return {name,
            [=](Bench&, std::int64_t n) {
                const auto a = std::make_shared<Small>(n);
                return Case{.wrong = [=] { return wrong(*a); },
                            .seconds = [=] { return host_seconds(n, [&] { call(*a); }); }};
            },
            grows, small};
}

std::string right_difference(const Small& a) { return wrong_elements(Function::squared_difference, a.x, a.y, a.z); }
std::string right_sum_of_both(const Small& a) { return wrong_elements(Function::sum, a.x, a.y, a.z); }
std::string right_expression(const Small& a) { return wrong_elements(Function::square_plus_twice, a.x, a.y, a.z); }
std::string right_norm(const Small& a) { return wrong_sums(Function::square, a.x, a.x, a.one, {.root = true}); }
std::string right_sum(const Small& a) { return wrong_sums(Function::copy, a.x, a.x, a.one); }
std::string right_item(const Small& a) {
    double sum = 0;
    for (const float value : gpu::to_host(a.x)) sum += static_cast<double>(value);
    return std::fabs(sum - static_cast<double>(a.value)) <= 1e-5 ? "" : "the sum is " + std::to_string(a.value);
}

Row empty(const std::string& name, std::int64_t n) {
    return {name,
            [=](Bench&, std::int64_t) {
                return Case{.wrong = [] { return std::string(); },
                            .seconds = [=] {
                                return host_seconds(small, [&] { const Floats x = gpu::empty<float>({n}); });
                            }};
            },
            false, n};
}

/// The first call of kernels whose text was never compiled before: each has a number of its own.
using FirstCall = void (*)(Small&, const std::string& number);
Row first_call(const std::string& name, FirstCall call, double (*expected)(double x, double number)) {
    return {name,
            [=](Bench&, std::int64_t) {
                const auto a = std::make_shared<Small>(small);
                const auto number = std::make_shared<int>(0);
                const auto seconds = [=] {
                    static std::mt19937 engine{std::random_device{}()};
                    constexpr int kernels = 5;
                    std::vector<double> taken;
                    for (int k = 0; k <= kernels; ++k) {
                        *number = static_cast<int>(engine() >> 12);
                        gpu::synchronize();
                        const auto start = Clock::now();
                        call(*a, std::to_string(*number));
                        gpu::synchronize();
                        if (k > 0) taken.push_back(seconds_since(start));  // the first one opens the compiler
                    }
                    return median(std::move(taken));
                };
                const auto wrong = [=]() -> std::string {
                    const std::vector<float> x = gpu::to_host(a->x), z = gpu::to_host(a->z);
                    const double value = expected(static_cast<double>(x[0]), *number);
                    return std::fabs(static_cast<double>(z[0]) - value) <= 1e-5 * std::fabs(value) ? "" : "wrong value";
                };
                return Case{.wrong = wrong, .seconds = seconds};
            },
            false, 10};
}

void first_elementwise(Small& a, const std::string& number) {
    gpu::ElementwiseKernel("T x", "T z", "z = x + " + number, "fresh")(a.x, gpu::out(a.z));
}
void first_reduction(Small& a, const std::string& number) {
    const gpu::ReductionKernel kernel("T x", "T y", "x", "a + b", "y = a + " + number, "0", "fresh");
    kernel(a.x(gpu::slice(0, 1)), gpu::out(a.z(0)));
}
void first_raw(Small& a, const std::string& number) {
    const gpu::RawKernel<void(const float*, float*)> kernel(
        "__global__ void fresh(const float* x, float* z) { z[threadIdx.x] = x[threadIdx.x] + " + number + "; }\n",
        "fresh");
    kernel({.grid = 1, .block = 10}, a.x, a.z);
}
double plus(double x, double number) { return x + number; }

/// Ordinary or page-locked host memory, in the direction that the row names.
template <class Host>
Row copy(const std::string& name, bool to_device) {
    return {name,
            [=](Bench& bench, std::int64_t n) {
                struct Copied {
                    explicit Copied(std::int64_t n)
                        : host(static_cast<std::size_t>(n)), x(gpu::random::uniform<float>({n})) {}
                    Host host;
                    Floats x;
                };
                const auto a = std::make_shared<Copied>(n);
                const Floats fresh = gpu::random::uniform<float>({n});
                if (to_device) fresh.copy_to(a->host);
                const auto call = [=] {
                    if (to_device) {
                        a->x.copy_from(a->host);
                    } else {
                        a->x.copy_to(a->host);
                    }
                };
                const auto wrong = [=]() -> std::string {
                    const std::vector<float> there = gpu::to_host(a->x);
                    return std::memcmp(there.data(), a->host.data(), there.size() * sizeof(float)) == 0
                               ? ""
                               : "host and device differ";
                };
                return Case{.call = call,
                            .wrong = wrong,
                            .bytes = 4.0 * static_cast<double>(n),
                            .limit = bench.on_gpu() ? (to_device ? Limit::to_device : Limit::to_host) : Limit::none};
            },
            true, 0, std::int64_t{1} << 28};
}

}  // namespace

std::vector<Row> host_rows() {
    return {
        host(
            "calls/elementwise", [](Small& a) { squared_diff(a.x, a.y, gpu::out(a.z)); }, right_difference, true),
        host(
            "calls/reduction", [](Small& a) { a.one = l2norm(a.x); }, right_norm, true),
        host(
            "calls/raw", [](Small& a) { add({.grid = 1, .block = 32}, a.x, a.y, a.z, 10LL); }, right_sum_of_both),
        host(
            "calls/expression", [](Small& a) { a.z = Floats(a.x + a.y); }, right_sum_of_both, true),
        host(
            "calls/longer_expression", [](Small& a) { a.z = gpu::pow(a.x, 2) + 2.F * a.y; }, right_expression),
        host(
            "calls/sum", [](Small& a) { a.one = gpu::sum(a.x); }, right_sum, true),
        host(
            "calls/item", [](Small& a) { a.value = gpu::sum(a.x).item(); }, right_item),
        empty("calls/empty_10", 10),
        empty("calls/empty_1000000", 1000000),
        first_call("compile/elementwise", first_elementwise, plus),
        first_call("compile/reduction", first_reduction, plus),
        first_call("compile/raw", first_raw, plus),
        copy<std::vector<float>>("copies/pageable_to_device", true),
        copy<std::vector<float>>("copies/pageable_to_host", false),
        copy<gpu::Pinned<float>>("copies/pinned_to_device", true),
        copy<gpu::Pinned<float>>("copies/pinned_to_host", false),
    };
}

}  // namespace bench
