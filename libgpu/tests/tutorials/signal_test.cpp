// SPDX-License-Identifier: MIT
// The study guide and the exercises: images blurred by convolve2d, on the CPU and on the device.
#include "support.hpp"

#include <numeric>

namespace {

// scipy.signal.convolve2d(image, kernel, mode='same', boundary='symm') as a loop over pixels, in double
std::vector<double> blurred_by_loop(const std::vector<double>& image, int rows, int columns,
                                    const std::vector<double>& kernel, int size) {
    const auto mirrored = [](int at, int n) { return at < 0 ? -1 - at : at >= n ? 2 * n - 1 - at : at; };
    std::vector<double> blurred(image.size());
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
            double sum = 0;
            for (int j = 0; j < size; ++j) {
                for (int k = 0; k < size; ++k) {
                    const int y = mirrored(r + size / 2 - j, rows), x = mirrored(c + size / 2 - k, columns);
                    sum += image[static_cast<std::size_t>(y * columns + x)] *
                           kernel[static_cast<std::size_t>(j * size + k)];
                }
            }
            blurred[static_cast<std::size_t>(r * columns + c)] = sum;
        }
    }
    return blurred;
}

bool all_within(const std::vector<double>& got, const std::vector<double>& want, double tolerance) {
    bool within = got.size() == want.size();
    for (std::size_t k = 0; within && k < got.size(); ++k) within = std::fabs(got[k] - want[k]) <= tolerance;
    return within;
}

}  // namespace

TEST_CASE("study: an image blurred by convolve2d") {
    // image = cp.random.rand(1024, 1024);  kernel = cp.ones((3, 3)) / 9
    const int rows = 96, columns = 80;
    gpu::random::Generator rng(5);
    const gpu::Array<double> image = rng.uniform<double>({rows, columns});
    const gpu::Array<double> kernel = gpu::ones<double>({3, 3}) / 9.;
    // blurred = cupyx.scipy.signal.convolve2d(image, kernel, mode='same', boundary='symm')
    const gpu::Array<double> blurred = gpu::signal::convolve2d(
        image, kernel, {.mode = gpu::signal::Mode::same, .boundary = gpu::signal::Boundary::symm});
    // cp.allclose(blurred, scipy.signal.convolve2d(cp.asnumpy(image), cp.asnumpy(kernel), ...))
    CHECK(blurred.shape() == image.shape());
    CHECK(all_within(values(blurred), blurred_by_loop(values(image), rows, columns, values(kernel), 3), 1e-14));
    // a blur keeps the mean, but for the edges
    CHECK(std::fabs(gpu::mean(blurred).item() - gpu::mean(image).item()) < 0.01);
}

TEST_CASE("study: points of light become blots by a Gaussian") {
    // deltas = np.zeros((2048, 2048));  deltas[8::16, 8::16] = 1
    gpu::Array<float> deltas = gpu::zeros<float>({128, 128});
    auto points = deltas(gpu::slice(8, gpu::none, 16), gpu::slice(8, gpu::none, 16));
    points = 1.f;
    // x, y = np.meshgrid(np.linspace(-2, 2, 15), np.linspace(-2, 2, 15));  dst = np.sqrt(x*x + y*y)
    // gauss = np.exp(-((dst - muu)**2 / (2.0 * sigma**2)))   with sigma = 1, muu = 0
    const gpu::Array<float> line = gpu::linspace<float>(-2, 2, 15);
    const auto [x, y] = gpu::meshgrid(line, line);
    const gpu::Array<float> gauss = gpu::exp(-(x * x + y * y) / 2);
    // convolved_image_gpu = convolve2d_gpu(deltas_gpu, gauss_gpu)
    const gpu::Array<float> convolved = gpu::signal::convolve2d(deltas, gauss);
    CHECK(convolved.shape() == gpu::Shape{142, 142});
    // each blot is the Gaussian itself: 16 apart, 15 wide, nothing overlaps
    const gpu::Array<float> blot = convolved(gpu::slice(24, 39), gpu::slice(40, 55));
    CHECK(values(blot) == values(gauss));
    CHECK(gpu::sum(convolved).item() ==
          doctest::Approx(64 * static_cast<double>(gpu::sum(gauss).item())).epsilon(1e-5));
}

TEST_CASE("study: edges are where a correlation with Sobel's filter is large") {
    // edges = cp.hypot(correlate2d(image, sobel, 'same'), correlate2d(image, sobel.T, 'same'))
    gpu::Array<float> image = gpu::zeros<float>({9, 11});
    auto square = image(gpu::slice(3, 6), gpu::slice(4, 8));
    square = 1.f;
    const gpu::Array<float> sobel = gpu::to_device({1.f, 0.f, -1.f, 2.f, 0.f, -2.f, 1.f, 0.f, -1.f}).reshape({3, 3});
    const gpu::signal::ConvolveOptions same{.mode = gpu::signal::Mode::same};
    const gpu::Array<float> edges = gpu::hypot(gpu::signal::correlate2d(image, sobel, same),
                                               gpu::signal::correlate2d(image, sobel.transpose(), same));
    CHECK(edges(4, 6).item() == 0);  // inside
    CHECK(edges(0, 0).item() == 0);  // outside
    CHECK(edges(4, 4).item() == 4);  // the left edge
    CHECK(edges(3, 6).item() == 4);  // the upper one
}
