// SPDX-License-Identifier: MIT
// Vectors, particles, numbers, transforms, and blocks that wait for each other.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "program.hpp"

namespace programs {

namespace {

void vector_add(Run& run) {
    const auto add = run.kernel<void(const float*, const float*, float*, int)>("add");
    for (const int n : {1, 255, 1001}) {
        const std::vector<float> x = random_floats(length(n), 1), y = random_floats(length(n), 2);
        std::vector<double> want(x.begin(), x.end());
        for (std::size_t k = 0; k < x.size(); ++k) want[k] += y[k];
        auto z = gpu::empty<float>({n});
        add({.grid = blocks(n, 128), .block = 128}, gpu::to_device(x), gpu::to_device(y), z, n);
        run.close("z", z, want, 1);
    }
}

void saxpy(Run& run) {
    const auto kernel = run.kernel<void(float, const float*, float*, int)>("saxpy");
    for (const int n : {1, 383, 1003}) {
        const std::vector<float> x = random_floats(length(n), 3), y = random_floats(length(n), 4);
        std::vector<double> want(y.begin(), y.end());
        for (std::size_t k = 0; k < x.size(); ++k) want[k] += 2.5 * x[k];
        auto z = gpu::to_device(y);
        kernel({.grid = 3, .block = 128}, 2.5F, gpu::to_device(x), z, n);
        run.close("y", z, want, 2);
    }
}

void n_body(Run& run) {
    const auto accelerations = run.kernel<void(const float*, float*, int, float)>("accelerations");
    for (const int n : {1, 33, 101}) {
        std::vector<float> bodies = random_floats(4 * length(n), 5);
        for (std::size_t k = 3; k < bodies.size(); k += 4) bodies[k] += 2;  // masses
        std::vector<double> want(bodies.size());
        for (std::size_t i = 0; i < bodies.size(); i += 4) {
            for (std::size_t j = 0; j < bodies.size(); j += 4) {
                double d[3], square = 0.25;
                for (std::size_t k = 0; k < 3; ++k) {
                    d[k] = static_cast<double>(bodies[j + k]) - bodies[i + k];
                    square += d[k] * d[k];
                }
                for (std::size_t k = 0; k < 3; ++k) want[i + k] += bodies[j + 3] * d[k] / (square * std::sqrt(square));
            }
        }
        auto result = gpu::empty<float>({4 * n});
        accelerations({.grid = blocks(n, 32), .block = 32}, gpu::to_device(bodies), result, n, 0.25F);
        run.close("accelerations", result, want, 64, n);
    }
}

int nearest_centre(const int* point, const std::vector<float>& centres) {
    int best = 0;
    float smallest = 3.0e38F;
    for (std::size_t c = 0; c < centres.size() / 2; ++c) {
        const float dx = static_cast<float>(point[0]) - centres[2 * c];
        const float dy = static_cast<float>(point[1]) - centres[2 * c + 1];
        if (dx * dx + dy * dy < smallest) {
            smallest = dx * dx + dy * dy;
            best = static_cast<int>(c);
        }
    }
    return best;
}

void k_means(Run& run) {
    const auto assign = run.kernel<void(const int*, const float*, int*, int*, int, int)>("assign");
    const auto move = run.kernel<void(const int*, float*, int)>("move");
    for (const int n : {5, 130, 399}) {
        const int k = 5;
        const std::vector<int> points = random_ints(2 * length(n), 6, 64);
        // Quarters: squares of distances are exact, so that no rounding decides which centre is nearest.
        std::vector<float> centres(points.begin(), points.begin() + 2 * k);
        for (std::size_t c = 0; c < centres.size(); ++c) centres[c] += 0.25F * static_cast<float>(c % 4);
        std::vector<int> want(length(n)), want_sums(length(3 * k));
        for (std::size_t i = 0; i < want.size(); ++i) {
            want[i] = nearest_centre(&points[2 * i], centres);
            const std::size_t at = 3 * length(want[i]);
            want_sums[at] += 1;
            want_sums[at + 1] += points[2 * i];
            want_sums[at + 2] += points[2 * i + 1];
        }
        std::vector<double> want_centres(centres.begin(), centres.end());
        for (std::size_t c = 0; c < length(k); ++c)
            for (std::size_t axis = 0; axis < 2 && want_sums[3 * c] != 0; ++axis)
                want_centres[2 * c + axis] = static_cast<double>(want_sums[3 * c + 1 + axis]) / want_sums[3 * c];
        auto nearest = gpu::empty<int>({n}), sums = gpu::zeros<int>({3 * k});
        auto device_centres = gpu::to_device(centres);
        assign({.grid = blocks(n, 64), .block = 64}, gpu::to_device(points), device_centres, nearest, sums, n, k);
        move({.grid = 1, .block = 32}, sums, device_centres, k);
        run.equal("nearest", nearest, want);
        run.equal("sums", sums, want_sums);
        run.close("centres", device_centres, want_centres, 2);
    }
}

void nearest_neighbours(Run& run) {
    const auto nearest = run.kernel<void(const int*, const int*, int*, int, int)>("nearest");
    for (const auto& [n, count] : {std::pair{3, 1}, {33, 40}, {129, 65}}) {
        const std::vector<int> points = random_ints(2 * length(n), 7, 1000);
        const std::vector<int> queries = random_ints(2 * length(count), 8, 1000);
        std::vector<int> want;
        for (std::size_t q = 0; q < queries.size(); q += 2) {
            std::vector<std::pair<int, int>> all;
            for (int k = 0; k < n; ++k) {
                const int dx = points[2 * length(k)] - queries[q], dy = points[2 * length(k) + 1] - queries[q + 1];
                all.emplace_back(dx * dx + dy * dy, k);
            }
            std::sort(all.begin(), all.end());
            for (std::size_t k = 0; k < 3; ++k) want.push_back(all[k].second);
        }
        auto places = gpu::empty<int>({3 * count});
        nearest({.grid = blocks(count, 32), .block = 32}, gpu::to_device(points), gpu::to_device(queries), places, n,
                count);
        run.equal("places", places, want);
    }
}

void mandelbrot(Run& run) {
    const auto kernel = run.kernel<void(int*, int, int, int)>("mandelbrot");
    const int width = 37, height = 23, most = 40;
    const std::int64_t one = 1 << 24;
    std::vector<int> want;
    for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
            const std::int64_t cx = 3 * one * column / width - 2 * one, cy = 2 * one * row / height - one;
            std::int64_t x = 0, y = 0;
            int k = 0;
            for (; k < most && (x * x + y * y) >> 24 <= 4 * one; ++k) {
                const std::int64_t next = ((x * x - y * y) >> 24) + cx;
                y = ((2 * x * y) >> 24) + cy;
                x = next;
            }
            want.push_back(k);
        }
    }
    auto steps = gpu::empty<int>({width * height});
    kernel({.grid = {blocks(width, 16), blocks(height, 8)}, .block = {16, 8}}, steps, width, height, most);
    run.equal("steps", steps, want);
}

void monte_carlo_pi(Run& run) {
    const auto count_inside = run.kernel<void(std::uint64_t, int, int*)>("count_inside");
    for (const int points : {1, 1001, 20011}) {
        std::uint64_t state = 12345;
        const auto next = [&state] {
            state = state * 6364136223846793005U + 1442695040888963407U;
            return static_cast<std::int64_t>(state >> 40);
        };
        int want = 0;
        for (int k = 0; k < points; ++k) {
            const std::int64_t x = next(), y = next();
            want += x * x + y * y < std::int64_t{1} << 48 ? 1 : 0;
        }
        auto count = gpu::zeros<int>({1});
        count_inside({.grid = 3, .block = 96}, std::uint64_t{12345}, points, count);
        run.equal("count", count, {want});
    }
}

void black_scholes(Run& run) {
    const auto prices =
        run.kernel<void(const float*, const float*, const float*, float*, float*, int, float, float)>("prices");
    const int n = 333;
    const auto between = [](float low, float high, unsigned seed) {
        std::vector<float> values = random_floats(length(n), seed);
        for (float& value : values) value = low + (high - low) * 0.5F * (value + 1);
        return values;
    };
    const std::vector<float> stock = between(5, 30, 9), strike = between(1, 100, 10), years = between(0.25F, 10, 11);
    std::vector<double> want_call, want_put;
    const auto below = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
    for (std::size_t i = 0; i < length(n); ++i) {
        const double spread = 0.25 * std::sqrt(years[i]), discounted = strike[i] * std::exp(-0.03125 * years[i]);
        const double d1 = std::log(stock[i] / discounted) / spread + 0.5 * spread, d2 = d1 - spread;
        want_call.push_back(stock[i] * below(d1) - discounted * below(d2));
        want_put.push_back(discounted * below(-d2) - stock[i] * below(-d1));
    }
    auto call = gpu::empty<float>({n}), put = gpu::empty<float>({n});
    prices({.grid = blocks(n, 64), .block = 64}, gpu::to_device(stock), gpu::to_device(strike), gpu::to_device(years),
           call, put, n, 0.03125F, 0.25F);
    run.close("call", call, want_call, 64);
    run.close("put", put, want_put, 64);
}

void fft(Run& run) {
    const auto transform = run.kernel<void(const float*, float*)>("transform");
    const int signals = 3, points = 128;
    const std::vector<float> x = random_floats(at(signals, 2 * points, 0), 12);
    std::vector<double> want;
    for (int s = 0; s < signals; ++s) {
        for (int f = 0; f < points; ++f) {
            std::complex<double> sum = 0;
            for (int k = 0; k < points; ++k) {
                const std::size_t place = at(s, 2 * points, 2 * k);
                sum += std::complex<double>(x[place], x[place + 1]) *
                       std::polar(1.0, -2 * std::numbers::pi * (f * k % points) / points);
            }
            want.push_back(sum.real());
            want.push_back(sum.imag());
        }
    }
    auto y = gpu::empty<float>({signals * 2 * points});
    transform({.grid = signals, .block = points / 2}, gpu::to_device(x), y);
    run.close("y", y, want, 32);
}

void haar_wavelet(Run& run) {
    const auto haar = run.kernel<void(const float*, float*)>("haar");
    const int signals = 3, elements = 256;
    const std::vector<float> x = random_floats(at(signals, elements, 0), 13);
    std::vector<double> want(x.size());
    for (int s = 0; s < signals; ++s) {
        const auto first = x.begin() + s * elements;
        std::vector<double> means(first, first + elements);
        for (std::size_t half = elements / 2; half > 0; half /= 2) {
            for (std::size_t k = 0; k < half; ++k) {
                want[at(s, elements, 0) + half + k] = 0.5 * (means[2 * k] - means[2 * k + 1]);
                means[k] = 0.5 * (means[2 * k] + means[2 * k + 1]);
            }
        }
        want[at(s, elements, 0)] = means[0];
    }
    auto y = gpu::empty<float>({signals * elements});
    haar({.grid = signals, .block = elements / 2}, gpu::to_device(x), y);
    run.close("y", y, want, 16, 1);
}

void producer_consumer(Run& run) {
    const auto pass_on = run.kernel<void(const float*, float*, int*, float*, int)>("pass_on");
    for (const int n : {1, 65, 250}) {
        const std::vector<float> x = random_floats(length(n), 14);
        std::vector<double> want;
        for (const double value : x) want.push_back(2 * value + 1);
        auto exchange = gpu::empty<float>({n}), y = gpu::empty<float>({n});
        auto ready = gpu::zeros<int>({blocks(n, 64)});
        pass_on({.grid = 2 * blocks(n, 64), .block = 64}, gpu::to_device(x), exchange, ready, y, n);
        run.close("y", y, want, 2);
    }
}

void grid_barrier(Run& run) {
    const auto scan = run.kernel<void(int*, int*, unsigned*, int)>("scan");
    for (const int n : {2, 33, 127}) {
        std::vector<int> want = random_ints(length(n), 15, 100);
        auto x = gpu::to_device(want), y = gpu::empty<int>({n});
        auto arrived = gpu::zeros<unsigned>({1});
        scan({.grid = blocks(n, 32), .block = 32}, x, y, arrived, n);
        int rounds = 0;
        for (int distance = 1; distance < n; distance *= 2) ++rounds;
        for (std::size_t k = 1; k < want.size(); ++k) want[k] += want[k - 1];
        run.equal("sums", rounds % 2 == 0 ? x : y, want);
    }
}

void ordered_output(Run& run) {
    const auto append = run.kernel<void(const int*, int*, int*, int*, int*, int)>("append");
    for (const int n : {1, 33, 401}) {
        std::vector<int> x = random_ints(length(n), 16, 100), want;
        x[0] = 99;
        std::copy_if(x.begin(), x.end(), std::back_inserter(want), [](int value) { return value >= 50; });
        const auto count = static_cast<std::int64_t>(want.size());
        auto list = gpu::empty<int>({count}), size = gpu::zeros<int>({1}), turn = gpu::zeros<int>({1});
        auto tickets = gpu::zeros<int>({1});
        append({.grid = blocks(n, 32), .block = 32}, gpu::to_device(x), list, size, turn, tickets, n);
        run.equal("list", list, want);
        run.equal("size", size, {static_cast<int>(count)});
    }
}

}  // namespace

std::vector<Program> misc_programs() {
    return {{"misc/vector_add.cu", vector_add},
            {"misc/saxpy.cu", saxpy},
            {"misc/n_body.cu", n_body},
            {"misc/k_means.cu", k_means},
            {"misc/nearest_neighbours.cu", nearest_neighbours},
            {"misc/mandelbrot.cu", mandelbrot},
            {"misc/monte_carlo_pi.cu", monte_carlo_pi},
            {"misc/black_scholes.cu", black_scholes},
            {"misc/fft.cu", fft},
            {"misc/haar_wavelet.cu", haar_wavelet},
            {"misc/producer_consumer.cu", producer_consumer},
            {"misc/grid_barrier.cu", grid_barrier},
            {"misc/ordered_output.cu", ordered_output}};
}

}  // namespace programs
