// SPDX-License-Identifier: MIT
// Convolutions, and Mandelbrot's set as one elementwise kernel.
#include <cmath>
#include <memory>

#include "bench.hpp"
#include "checks.hpp"

namespace bench {

namespace {

Row convolution(const std::string& name, std::int64_t filter, std::int64_t side, bool grows) {
    return {
        name,
        [=](Bench&, std::int64_t n) {
            struct Images {
                Floats image, filter, result;
            };
            const std::int64_t rows = side > 0 ? side : root_of(n), columns = side > 0 ? side : n / rows;
            const auto a = std::make_shared<Images>(Images{
                gpu::random::uniform<float>({rows, columns}), gpu::random::uniform<float>({filter, filter}), {}});
            const auto call = [=] {
                a->result = gpu::signal::convolve2d(
                    a->image, a->filter, {.mode = gpu::signal::Mode::same, .boundary = gpu::signal::Boundary::symm});
            };
            const auto pixels = static_cast<double>(rows * columns);
            return Case{.call = call,
                        .wrong = [=] { return wrong_convolution(a->image, a->filter, a->result); },
                        .bytes = 8 * pixels,
                        .operations = 2 * pixels * static_cast<double>(filter * filter),
                        .limit = filter == 3 ? Limit::stream : Limit::none};  // a large filter is bound by arithmetic
        },
        grows, side * side};
}

constexpr int steps = 200;
constexpr const char* mandelbrot_source = R"(
double zr = 0, zi = 0;
int n = 0;
for (; n < m && zr * zr + zi * zi <= 4.0; ++n) {
    double t = zr * zr - zi * zi + x;
    zi = 2 * zr * zi + y;
    zr = t;
}
r = n < m ? n - log(log(sqrt(zr * zr + zi * zi))) / log(2.0) : 0;)";

double mandelbrot_of(double x, double y) {
    double zr = 0, zi = 0;
    for (int n = 0; n < steps; ++n) {
        if (!(zr * zr + zi * zi <= 4.0)) return n - std::log(std::log(std::sqrt(zr * zr + zi * zi))) / std::log(2.0);
        const double t = zr * zr - zi * zi + x;
        zi = 2 * zr * zi + y;
        zr = t;
    }
    return 0;
}

Row mandelbrot(std::int64_t side) {
    return {"images/mandelbrot",
            [=](Bench& bench, std::int64_t) {
                static const gpu::ElementwiseKernel kernel("float64 x, float64 y, int32 m", "float64 r",
                                                           mandelbrot_source, "mandelbrot");
                struct Plane {
                    gpu::Array<double> x, y, result;
                };
                const std::int64_t points = bench.elements() < side * side ? 64 : side;
                const auto a =
                    std::make_shared<Plane>(Plane{gpu::linspace<double>(-2, 0.5, points).reshape({points, 1}),
                                                  gpu::linspace<double>(-1.25, 1.25, points).reshape({1, points}),
                                                  {}});
                const auto wrong = [=]() -> std::string {
                    const std::vector<double> x = gpu::to_host(a->x), y = gpu::to_host(a->y),
                                              r = gpu::to_host(a->result);
                    if (r.size() != x.size() * y.size()) return "the result has another size";
                    // A fused multiply-add moves orbits near the edge.
                    std::size_t others = 0;
                    for (std::size_t i = 0; i < x.size(); ++i)
                        for (std::size_t j = 0; j < y.size(); ++j)
                            if (!(std::fabs(r[i * y.size() + j] - mandelbrot_of(x[i], y[j])) <= 1e-6)) ++others;
                    if (others * 1000 <= r.size()) return "";
                    return std::to_string(others) + " of " + std::to_string(r.size()) + " points differ";
                };
                return Case{.call = [=] { a->result = kernel(a->x, a->y, steps); }, .wrong = wrong};
            },
            false};
}

}  // namespace

std::vector<Row> image_rows() {
    return {
        convolution("images/convolve_3x3_1024", 3, 1024, false),
        convolution("images/convolve_15x15_1024", 15, 1024, false),
        convolution("images/convolve_3x3_8192", 3, 8192, false),
        convolution("images/convolve_15x15_8192", 15, 8192, false),
        convolution("images/convolve_3x3", 3, 0, true),
        mandelbrot(1024),
    };
}

}  // namespace bench
