// SPDX-License-Identifier: MIT
// The study guide: the Mandelbrot set by masks.
#include "support.hpp"

#include <complex>

namespace {

constexpr int columns = 48, rows = 36, most = 60;

// The smooth value of each pixel, or 0 inside the set, as a loop over pixels computes it.
std::vector<double> mandelbrot_by_loop() {
    std::vector<double> image(static_cast<std::size_t>(rows) * columns);
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            const double step_x = 3.0 / (columns - 1), step_y = 2.4 / (rows - 1);
            const std::complex<double> c(x == columns - 1 ? 1 : -2 + x * step_x,
                                         y == rows - 1 ? 1.2 : -1.2 + y * step_y);
            std::complex<double> z = 0;
            for (int k = 0; k < most; ++k) {
                z = z * z + c;
                if (std::abs(z) > 10) {
                    image[static_cast<std::size_t>(y * columns + x)] =
                        k + 1 - std::log(std::log(std::abs(z))) / std::log(2.0);
                    break;
                }
            }
        }
    }
    return image;
}

}  // namespace

TEST_CASE("study: the Mandelbrot set by masks") {
    // x = cp.linspace(-2, 1, w);  y = cp.linspace(-1.2, 1.2, h);  X, Y = cp.meshgrid(x, y);  C = X + 1j * Y
    const gpu::Array<double> x = gpu::linspace<double>(-2, 1, columns), y = gpu::linspace<double>(-1.2, 1.2, rows);
    const auto [gx, gy] = gpu::meshgrid(x, y);
    const gpu::Array<gpu::complex<double>> c = gx + gpu::complex<double>(0, 1) * gy;
    // Z = cp.zeros_like(C);  image = cp.zeros(C.shape);  alive = cp.ones(C.shape, dtype=bool)
    gpu::Array<gpu::complex<double>> z = gpu::zeros_like(c);
    gpu::Array<double> image = gpu::zeros<double>(c.shape());
    gpu::Array<bool> alive = gpu::ones<bool>(c.shape());
    for (int k = 0; k < most; ++k) {
        // Z[alive] = Z[alive] ** 2 + C[alive]
        z[alive] = z[alive] * z[alive] + c[alive];
        // newly_escaped = (abs(Z) > 10) & alive
        const gpu::Array<bool> newly_escaped = (gpu::abs(z) > 10) & alive;
        // if newly_escaped.any(): image[newly_escaped] = k + 1 - cp.log(cp.log(abs(Z[newly_escaped]))) / cp.log(2)
        if (gpu::any(newly_escaped).item()) {
            const gpu::Array<double> smooth = k + 1 - gpu::log(gpu::log(gpu::abs(z))) / std::log(2.0);
            image[newly_escaped] = smooth[newly_escaped];
        }
        // alive &= ~newly_escaped;  if not alive.any(): break
        alive = alive & !newly_escaped;
        if (!gpu::any(alive).item()) break;
    }
    const auto got = values(image), want = mandelbrot_by_loop();
    // A pixel at the edge may escape a step earlier or later: the last digits aren't the same everywhere.
    int differ = 0;
    for (std::size_t k = 0; k < want.size(); ++k) differ += !(std::fabs(got[k] - want[k]) <= 1e-6 * (1 + want[k]));
    CHECK(differ <= 2);
    CHECK(gpu::count_nonzero(alive).item() > 200);  // the set itself
    CHECK(got[0] != 0);
}
