// SPDX-License-Identifier: MIT
// What CUDA's own device libraries offer: named barriers, atomic objects, barriers of the grid, random numbers.
#include <cmath>
#include <cstddef>
#include <iterator>

#include "curand_expected.hpp"
#include "support.hpp"
#include "texts/library.hpp"

/// As the kernels' own type; its contents are cuRAND's.
struct curandState {
    unsigned words[6];
    int flags[2];
    float extra;
    double more;
};

namespace {

// Words are cuRAND's, and so are uniform numbers; of normal ones a GPU's fast sine has an error of its own.
template <std::size_t N>
void check_draws(const char* name, const unsigned (&bits)[N], const double (&numbers)[N]) {
    auto got_bits = filled<unsigned>(N);
    auto got_numbers = filled<double>(N);
    kernel<void(unsigned*, double*)>(texts::curand, name)({.grid = 1, .block = 1}, got_bits, got_numbers);
    CHECK(gpu::to_host(got_bits) == std::vector<unsigned>(std::begin(bits), std::end(bits)));
    const auto drawn = gpu::to_host(got_numbers);
    for (std::size_t k = 0; k < N; ++k) {
        CAPTURE(k);
        CHECK(std::abs(drawn[k] - numbers[k]) <= 1e-5 * (1 + std::abs(numbers[k])));
    }
}

}  // namespace

TEST_CASE("two warps of a block wait for each other, and the others don't") {
    constexpr int rounds = 7, blocks = 3;
    auto out = filled<int>(blocks * 32);
    kernel<void(int*, int)>(texts::named_barriers, "hand_over")({.grid = blocks, .block = 96}, out, rounds);
    const auto got = gpu::to_host(out);
    for (int b = 0; b < blocks; ++b)
        for (int t = 0; t < 32; ++t)
            REQUIRE(got[static_cast<std::size_t>(b * 32 + t)] ==
                    1000000 + (31 - t) * (rounds * (rounds - 1) / 2) + b * rounds);
}

TEST_CASE("cuda::atomic_ref has C++'s operations, for numbers, pointers and structures") {
    const std::vector<int> expected{4, 4, 3, 12, 8,   9, 15, 15, 20, 3, 7,   0, 9,
                                    1, 4, 5, 3,  256, 7, 10, 1,  72, 2, 250, 4, 2};
    auto out = filled<int>(static_cast<std::int64_t>(expected.size()));
    kernel<void(int*)>(texts::cuda_atomic, "one_thread")({.grid = 1, .block = 1}, out);
    CHECK(gpu::to_host(out) == expected);
}

TEST_CASE("cuda::atomic counts in shared memory, and in global memory for all blocks") {
    constexpr int n = 3000;
    std::vector<int> x(n), bins(16);
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        x[static_cast<std::size_t>(k)] = k * 7 % 31;
        ++bins[static_cast<std::size_t>(k * 7 % 31 & 15)];
        sum += k * 7 % 31;
    }
    auto got = filled<int>(16);
    auto total = filled<double>(1);
    kernel<void(const int*, int*, double*, int)>(texts::cuda_atomic, "histogram")({.grid = 12, .block = 256},
                                                                                  gpu::to_device(x), got, total, n);
    CHECK(gpu::to_host(got) == bins);
    CHECK(total.item() == sum);
}

TEST_CASE("what is stored with release is there behind a load with acquire") {
    auto sums = filled<int>(40), ready = filled<int>(40);
    kernel<void(const int*, int*, int*)>(texts::cuda_atomic, "chain")({.grid = 40, .block = 32}, gpu::arange<int>(40),
                                                                      sums, ready);
    CHECK(gpu::to_host(sums)[39] == 780);
    auto out = filled<int>(1);
    kernel<void(int*)>(texts::cuda_atomic, "wakes")({.grid = 1, .block = 96}, out);
    CHECK(out.item() == 5);
}

TEST_CASE("blocks of a cooperative launch wait for each other") {
    constexpr int n = 5000, blocks = 16;
    auto out = filled<double>(blocks);
    kernel<void(const float*, double*, int)>(texts::grid_sync, "sum")(
        {.grid = blocks, .block = 96, .cooperative = true}, gpu::arange<float>(n), out, n);
    for (const double sum : gpu::to_host(out)) CHECK(sum == n * (n - 1) / 2.0);

    constexpr int steps = 9, threads = 64;
    gpu::Array<int> x = gpu::arange<int>(blocks * threads);
    kernel<void(int*, int)>(texts::grid_sync, "ring")({.grid = blocks, .block = threads, .cooperative = true}, x,
                                                      steps);
    const auto got = gpu::to_host(x);
    for (int i = 0; i < blocks * threads; ++i) {
        const int begins = i % threads == 1 ? i : (i + steps * threads) % (blocks * threads) + steps;
        REQUIRE(got[static_cast<std::size_t>(i)] == begins);
    }
}

TEST_CASE("cuRAND's generators draw on the host what they draw on a GPU") {
    check_draws("draws", curand_expected::drawn_bits, curand_expected::drawn_numbers);
    check_draws("fours", curand_expected::in_fours_bits, curand_expected::in_fours_numbers);
}

TEST_CASE("states of cuRAND's are kept between launches") {
    constexpr int n = 500, rounds = 40;
    const gpu::Array<std::uint8_t> states = gpu::empty<std::uint8_t>({n * static_cast<int>(sizeof(curandState))});
    auto* const first = reinterpret_cast<curandState*>(const_cast<std::uint8_t*>(states.data()));
    const gpu::LaunchConfig config{.grid = 4, .block = 128};
    kernel<void(curandState*, int)>(texts::curand, "begin")(config, first, n);
    auto hits = filled<std::uint64_t>(1);
    const auto inside = kernel<void(curandState*, std::uint64_t*, int, int)>(texts::curand, "inside");
    inside(config, first, hits, n, rounds);
    const auto once = hits.item();
    inside(config, first, hits, n, rounds);
    const auto twice = hits.item();
    CHECK(twice - once != once);  // other numbers
    CHECK(std::abs(4.0 * static_cast<double>(twice) / (2.0 * n * rounds) - 3.14159) < 0.05);
}

TEST_CASE("kernels allocate and free") {
    auto out = filled<int>(256);
    kernel<void(int*)>(texts::device_heap, "pieces")({.grid = 4, .block = 64}, out);
    const auto got = gpu::to_host(out);
    for (int i = 0; i < 256; ++i) {
        const int n = i % 7 + 1;
        REQUIRE(got[static_cast<std::size_t>(i)] == n * i + n * (n - 1) / 2 + 3000 * i);
    }
    kernel<void(int*)>(texts::device_heap, "list")({.grid = 4, .block = 64}, out);
    for (const int first : {0, 64, 128, 192}) CHECK(gpu::to_host(out)[static_cast<std::size_t>(first)] == 63);
    auto one = filled<int>(1);
    kernel<void(int*)>(texts::device_heap, "exhaust")({.grid = 1, .block = 1}, one);
    CHECK(one.item() == 15);
}

TEST_CASE("what a kernel allocates stays until another frees it") {
    const gpu::RawModule module(gpu::Source(texts::device_heap));
    const auto keep = module.kernel<void(int)>("keep");
    const auto give = module.kernel<void(int*, int)>("give");
    auto out = filled<int>(64);
    for (int round = 0; round < 3; ++round) {
        keep({.grid = 1, .block = 64}, 500);
        give({.grid = 1, .block = 64}, out, 500);
        CHECK(gpu::to_host(out)[63] == 63 * (500 * 499 / 2));
    }
}
