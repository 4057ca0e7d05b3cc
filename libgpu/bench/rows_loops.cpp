// SPDX-License-Identifier: MIT
// Kernels that need no fibers: elementwise ones against plain C++, reductions against Eigen.
#include <cmath>
#include <string>

#include <gpu/gpu.hpp>

#include "measure.hpp"
#include "plain_loops.hpp"

namespace bench {

namespace {

constexpr std::size_t count = std::size_t{1} << 24;
constexpr int rounds = 21;

std::string against(int workers) { return workers == 1 ? "serial C++" : std::to_string(workers) + " threads of C++"; }

bool same(const gpu::Array<float>& ours, const std::vector<float>& theirs) {
    const std::vector<float> values = gpu::to_host(ours);
    for (std::size_t k = 0; k < values.size(); ++k)
        if (!(near(values[k], theirs[k], 1e-6))) return false;
    return true;
}

Row speed(const std::string& what, const Comparison& times, double target) {
    return {what, times.ratio, "x", target, true, note(times)};
}

}  // namespace

std::vector<Row> loop_rows(int workers) {
    const std::vector<float> hx = random_floats(count), hy = random_floats(count);
    std::vector<float> hz(count);
    const gpu::Array<float> x = gpu::to_device(hx), y = gpu::to_device(hy);
    gpu::Array<float> z = gpu::zeros<float>({static_cast<std::int64_t>(count)});
    std::vector<Row> rows;
    const auto row = [&](const std::string& what, const auto& ours, const auto& theirs) {
        const Comparison times = compare(
            rounds,
            [&] {
                ours();
                gpu::synchronize();
            },
            theirs);
        expect(what.c_str(), same(z, hz));
        rows.push_back(speed(what + " / " + against(workers), times, 0.9));
    };

    const gpu::RawKernel<void(const float*, const float*, float*, int)> add(R"(
__global__ void add(const float* x, const float* y, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
)",
                                                                            "add");
    const auto n = static_cast<int>(count);
    row(
        "raw kernel add", [&] { add({.grid = (n + 255) / 256, .block = 256}, x, y, z, n); },
        [&] { plain::add(hx.data(), hy.data(), hz.data(), count, workers); });
    row(
        "expression x + y", [&] { z = x + y; }, [&] { plain::add(hx.data(), hy.data(), hz.data(), count, workers); });
    const gpu::ElementwiseKernel squared("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_difference");
    row(
        "elementwise kernel (x - y)²", [&] { (void)squared(x, y, gpu::out(z)); },
        [&] { plain::squared_difference(hx.data(), hy.data(), hz.data(), count, workers); });
    const gpu::ElementwiseKernel shrink("T x, T by", "T z", "z = x > by ? x - by : x < -by ? x + by : T(0)", "shrink");
    row(
        "elementwise kernel with branches", [&] { (void)shrink(x, 0.25f, gpu::out(z)); },
        [&] { plain::shrink(hx.data(), 0.25f, hz.data(), count, workers); });
    return rows;
}

std::vector<Row> function_rows(int workers) {
    std::vector<float> hx = random_floats(count);
    for (float& number : hx) number = std::fabs(number) + 0.5f;
    std::vector<float> hz(count);
    const gpu::Array<float> x = gpu::to_device(hx);
    gpu::Array<float> z = gpu::zeros<float>({static_cast<std::int64_t>(count)});
    std::vector<Row> rows;
    const std::string end = " / Eigen, " + std::to_string(workers) + (workers == 1 ? " thread" : " threads");
    const auto row = [&](const std::string& what, const auto& expression, const auto& theirs) {
        const Comparison times = compare(
            rounds,
            [&] {
                z = expression();
                gpu::synchronize();
            },
            [&] { theirs(hx.data(), hz.data(), count); });
        expect(what.c_str(), same(z, hz));
        rows.push_back(speed(what + end, times, 1 / 1.3));
    };
    row("sin(x)", [&] { return gpu::sin(x); }, plain::eigen_sin);
    row("cos(x)", [&] { return gpu::cos(x); }, plain::eigen_cos);
    row("exp(x)", [&] { return gpu::exp(x); }, plain::eigen_exp);
    row("log(x)", [&] { return gpu::log(x); }, plain::eigen_log);
    row("tanh(x)", [&] { return gpu::tanh(x); }, plain::eigen_tanh);
    row("pow(x, 1.5)", [&] { return gpu::pow(x, 1.5f); }, plain::eigen_pow);
    std::size_t ours = 0, theirs = 1;
    const Comparison times = compare(
        rounds, [&] { ours = static_cast<std::size_t>(gpu::argmax(x).item()); },
        [&] { theirs = plain::eigen_argmax(hx.data(), count); });
    expect("argmax", hx[ours] == hx[theirs]);
    rows.push_back(speed("argmax(x)" + end, times, 1 / 1.2));
    return rows;
}

std::vector<Row> reduction_rows(int workers) {
    const double target = workers == 1 ? 1.0 : 1.5;
    const std::vector<float> hx = random_floats(count);
    const gpu::Array<float> x = gpu::to_device(hx);
    const std::string end = " / Eigen, " + std::to_string(workers) + (workers == 1 ? " thread" : " threads");
    std::vector<Row> rows;

    float ours = 0, theirs = 0;
    Comparison times = compare(
        rounds, [&] { ours = gpu::sum(x).item(); }, [&] { theirs = plain::eigen_sum(hx.data(), count); });
    const double sum = plain::sum(hx.data(), count);
    expect("sum", near(ours, sum, 1.0) && near(theirs, sum, 20.0));  // of 2^24 numbers up to 1
    rows.push_back(speed("sum" + end, times, target));

    // A small machine's memory serves hardly more to two cores than to one: a quarter of the array stays in caches.
    const std::vector<float> hs(hx.begin(), hx.begin() + count / 4);
    const gpu::Array<float> small = gpu::to_device(hs);
    times = compare(
        rounds, [&] { ours = gpu::sum(small).item(); }, [&] { theirs = plain::eigen_sum(hs.data(), hs.size()); });
    const double small_sum = plain::sum(hs.data(), hs.size());
    expect("sum of a quarter", near(ours, small_sum, 1.0) && near(theirs, small_sum, 20.0));
    rows.push_back(speed("sum of 2^22, in the cache" + end, times, target));

    const gpu::ReductionKernel norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
    times = compare(
        rounds, [&] { ours = gpu::Array<float>(norm(x)).item(); },
        [&] { theirs = plain::eigen_norm(hx.data(), count); });
    expect("l2norm", near(ours, plain::norm(hx.data(), count), 0.01));
    rows.push_back(speed("l2norm" + end, times, target));

    constexpr std::size_t side = 4096;
    const auto matrix = x.reshape({side, side});
    std::vector<float> sums(side);
    gpu::Array<float> result;
    const auto by_axis = [&](int axis, auto eigen) {
        const Comparison both = compare(
            rounds,
            [&] {
                result = gpu::sum(matrix, {.axis = axis});
                gpu::synchronize();
            },
            [&] { eigen(hx.data(), side, side, sums.data()); });
        const std::vector<float> values = gpu::to_host(result);
        for (std::size_t k = 0; k < side; ++k) expect("sum over an axis", near(values[k], sums[k], 0.02));
        rows.push_back(speed("sum over axis " + std::to_string(axis) + end, both, target));
    };
    by_axis(0, plain::eigen_sum_axis_0);
    by_axis(1, plain::eigen_sum_axis_1);
    return rows;
}

}  // namespace bench
