// SPDX-License-Identifier: MIT
// Sorting and merging.
#include <algorithm>

#include "program.hpp"

namespace programs {

namespace {

std::vector<int> sorted(std::vector<int> x) {
    std::sort(x.begin(), x.end());
    return x;
}

void bitonic_sort(Run& run) {
    const auto sort = run.kernel<void(int*, int)>("sort");
    for (const int n : {1, 33, 201, 256}) {
        const std::vector<int> x = random_ints(length(n), 1, 300);
        auto y = gpu::to_device(x);
        sort({.grid = 1, .block = 256}, y, n);
        run.equal("x", y, sorted(x));
    }
}

void odd_even_sort(Run& run) {
    const auto sort = run.kernel<void(int*, int)>("sort");
    for (const int n : {1, 2, 33, 101}) {
        const std::vector<int> x = random_ints(length(n), 2, 300);
        auto y = gpu::to_device(x);
        sort({.grid = 1, .block = 64}, y, n);
        run.equal("x", y, sorted(x));
    }
}

void radix_sort(Run& run) {
    const auto count_digits = run.kernel<void(const unsigned*, int*, int, int)>("count_digits");
    const auto scan_counts = run.kernel<void(int*, int)>("scan_counts");
    const auto scatter = run.kernel<void(const unsigned*, const int*, unsigned*, int, int)>("scatter");
    for (const int n : {1, 63, 65, 701}) {
        const int grid = blocks(n, 64);
        const std::vector<int> values = random_ints(length(n), 3, 256);
        std::vector<unsigned> want(values.begin(), values.end());
        auto x = gpu::to_device(want), y = gpu::empty<unsigned>({n});
        auto counts = gpu::empty<int>({4 * grid});
        for (int shift = 0; shift < 8; shift += 2) {
            count_digits({.grid = grid, .block = 64}, x, counts, n, shift);
            scan_counts({.grid = 1, .block = 32}, counts, 4 * grid);
            scatter({.grid = grid, .block = 64}, x, counts, y, n, shift);
            std::swap(x, y);
        }
        std::sort(want.begin(), want.end());
        run.equal("x", x, want);
    }
}

void merge_path(Run& run) {
    const auto merge = run.kernel<void(const int*, int, const int*, int, int*)>("merge");
    for (const auto& [a_size, b_size] : {std::pair{1, 1}, {5, 300}, {333, 2}, {129, 255}}) {
        const std::vector<int> a = sorted(random_ints(length(a_size), 4, 200));
        const std::vector<int> b = sorted(random_ints(length(b_size), 5, 200));
        std::vector<int> want(a.size() + b.size());
        std::merge(a.begin(), a.end(), b.begin(), b.end(), want.begin());
        auto y = gpu::empty<int>({a_size + b_size});
        merge({.grid = blocks(a_size + b_size, 7 * 32), .block = 32}, gpu::to_device(a), a_size, gpu::to_device(b),
              b_size, y);
        run.equal("y", y, want);
    }
}

void rank_sort(Run& run) {
    const auto sort = run.kernel<void(const int*, int*, int)>("sort");
    for (const int n : {1, 63, 130, 301}) {
        const std::vector<int> x = random_ints(length(n), 6, 100);
        auto y = gpu::empty<int>({n});
        sort({.grid = blocks(n, 64), .block = 64}, gpu::to_device(x), y, n);
        run.equal("y", y, sorted(x));
    }
}

}  // namespace

std::vector<Program> sort_programs() {
    return {{"sort/bitonic_sort.cu", bitonic_sort},
            {"sort/odd_even_sort.cu", odd_even_sort},
            {"sort/radix_sort.cu", radix_sort},
            {"sort/merge_path.cu", merge_path},
            {"sort/rank_sort.cu", rank_sort}};
}

}  // namespace programs
