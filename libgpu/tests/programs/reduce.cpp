// SPDX-License-Identifier: MIT
// Sums, histograms, softmax and other reductions.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "program.hpp"

namespace programs {

namespace {

double sum_of(const std::vector<float>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

void tree_reduction(Run& run) {
    const auto sum_blocks = run.kernel<void(const float*, float*, int)>("sum_blocks");
    for (const int n : {1, 127, 129, 1003, 16384}) {
        const std::vector<float> x = random_floats(length(n), 1);
        auto sums = gpu::empty<float>({blocks(n, 128)}), total = gpu::empty<float>({1});
        sum_blocks({.grid = blocks(n, 128), .block = 128}, gpu::to_device(x), sums, n);
        sum_blocks({.grid = 1, .block = 128}, sums, total, blocks(n, 128));
        run.close("total", total, {sum_of(x)}, 32, n);
    }
}

void warp_shuffle_reduction(Run& run) {
    const auto sum = run.kernel<void(const float*, float*, int)>("sum");
    for (const int n : {1, 31, 257, 5003}) {
        const std::vector<float> x = random_floats(length(n), 2);
        auto total = gpu::zeros<float>({1});
        sum({.grid = 3, .block = 160}, gpu::to_device(x), total, n);
        run.close("total", total, {sum_of(x)}, 32, n);
    }
}

void last_block_reduction(Run& run) {
    const auto sum = run.kernel<void(const float*, float*, unsigned*, float*, int)>("sum");
    for (const int n : {1, 63, 65, 4999}) {
        const std::vector<float> x = random_floats(length(n), 3);
        auto sums = gpu::empty<float>({blocks(n, 64)}), total = gpu::empty<float>({1});
        auto tickets = gpu::zeros<unsigned>({1});
        sum({.grid = blocks(n, 64), .block = 64}, gpu::to_device(x), sums, tickets, total, n);
        run.close("total", total, {sum_of(x)}, 32, n);
    }
}

void segmented_reduction(Run& run) {
    const auto sum_segments = run.kernel<void(const int*, const int*, int*, int)>("sum_segments");
    const std::vector<int> lengths = {0, 1, 31, 32, 33, 100, 0, 7, 257, 2, 64};
    std::vector<int> offsets = {0};
    for (const int count : lengths) offsets.push_back(offsets.back() + count);
    const std::vector<int> x = random_ints(length(offsets.back()), 4, 1000);
    std::vector<int> want;
    for (std::size_t s = 0; s < lengths.size(); ++s)
        want.push_back(std::accumulate(x.begin() + offsets[s], x.begin() + offsets[s + 1], 0));
    const int segments = static_cast<int>(lengths.size());
    auto sums = gpu::empty<int>({segments});
    sum_segments({.grid = blocks(segments, 4), .block = 128}, gpu::to_device(x), gpu::to_device(offsets), sums,
                 segments);
    run.equal("sums", sums, want);
}

void histogram(Run& run) {
    const auto count = run.kernel<void(const int*, int*, int)>("count");
    for (const int n : {1, 999, 4001}) {
        const std::vector<int> x = random_ints(length(n), 5, 37);
        std::vector<int> want(37);
        for (const int value : x) ++want[length(value)];
        auto bins = gpu::zeros<int>({37});
        count({.grid = blocks(n, 64), .block = 64}, gpu::to_device(x), bins, n);
        run.equal("bins", bins, want);
    }
}

void softmax_rows(Run& run) {
    const auto softmax = run.kernel<void(const float*, float*, int)>("softmax");
    for (const int columns : {1, 63, 130}) {
        const int rows = 7;
        const std::vector<float> x = random_floats(at(rows, columns, 0), 6);
        std::vector<double> want;
        for (int r = 0; r < rows; ++r) {
            double sum = 0;
            for (int c = 0; c < columns; ++c) sum += std::exp(x[at(r, columns, c)]);
            for (int c = 0; c < columns; ++c) want.push_back(std::exp(x[at(r, columns, c)]) / sum);
        }
        auto y = gpu::empty<float>({rows * columns});
        softmax({.grid = rows, .block = 64}, gpu::to_device(x), y, columns);
        run.close("y", y, want, 32);
    }
}

void layer_norm_rows(Run& run) {
    const auto normalise = run.kernel<void(const float*, float*, int, float)>("normalise");
    for (const int columns : {5, 96, 301}) {
        const int rows = 5;
        const std::vector<float> x = random_floats(at(rows, columns, 0), 7);
        std::vector<double> want;
        for (int r = 0; r < rows; ++r) {
            double sum = 0, square = 0;
            for (int c = 0; c < columns; ++c) sum += x[at(r, columns, c)];
            for (int c = 0; c < columns; ++c) square += std::pow(x[at(r, columns, c)] - sum / columns, 2);
            for (int c = 0; c < columns; ++c)
                want.push_back((x[at(r, columns, c)] - sum / columns) / std::sqrt(square / columns + 0x1p-10));
        }
        auto y = gpu::empty<float>({rows * columns});
        normalise({.grid = rows, .block = 96}, gpu::to_device(x), y, columns, 0x1p-10F);
        run.close("y", y, want, 64);
    }
}

void arg_max(Run& run) {
    const auto kernel = run.kernel<void(const int*, std::uint64_t*, int)>("arg_max");
    for (const int n : {1, 127, 130, 2001}) {
        const std::vector<int> x = random_ints(length(n), 8, 500);  // the largest occurs several times
        auto best = gpu::zeros<std::uint64_t>({1});
        kernel({.grid = blocks(n, 128), .block = 128}, gpu::to_device(x), best, n);
        const auto largest = std::max_element(x.begin(), x.end());
        const auto place = static_cast<std::uint64_t>(largest - x.begin());
        run.equal<std::uint64_t>("best", best, {(static_cast<std::uint64_t>(*largest) << 32) | (0xffffffffU - place)});
    }
}

void dot_product_groups(Run& run) {
    const auto dot = run.kernel<void(const float*, const float*, float*, int)>("dot");
    for (const int n : {1, 129, 3001}) {
        const std::vector<float> x = random_floats(length(n), 9), y = random_floats(length(n), 10);
        auto result = gpu::zeros<float>({1});
        dot({.grid = 4, .block = 128}, gpu::to_device(x), gpu::to_device(y), result, n);
        run.close("result", result, {std::inner_product(x.begin(), x.end(), y.begin(), 0.0)}, 32, n);
    }
}

}  // namespace

std::vector<Program> reduce_programs() {
    return {{"reduce/tree_reduction.cu", tree_reduction},
            {"reduce/warp_shuffle_reduction.cu", warp_shuffle_reduction},
            {"reduce/last_block_reduction.cu", last_block_reduction},
            {"reduce/segmented_reduction.cu", segmented_reduction},
            {"reduce/histogram_global.cu", histogram},
            {"reduce/histogram_shared.cu", histogram},
            {"reduce/softmax_rows.cu", softmax_rows},
            {"reduce/layer_norm_rows.cu", layer_norm_rows},
            {"reduce/arg_max.cu", arg_max},
            {"reduce/dot_product_groups.cu", dot_product_groups}};
}

}  // namespace programs
