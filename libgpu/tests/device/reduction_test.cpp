// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <random>

#include "../cuda/texts.hpp"
#include "cuda/launch/kernel_space.hpp"
#include "cuda/plan/thread_mapping.hpp"
#include "on_gpu.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

ReductionText sum_of(const std::string& type, const std::string& accumulator, bool strided, int kept) {
    auto text = texts::reduction("sum", {texts::input(type, "x", strided), texts::output(accumulator, "y")},
                                 accumulator, "x", "a + b", "y = a", "0");
    text.kept_rank = kept;
    return text;
}

/// A reduction's kernel, and the one that joins partial results once there are any.
class Reduction {
public:
    explicit Reduction(const ReductionText& text) : text_(text), kernel_(loaded(backend().generate(text))) {}

    void operator()(const ReductionSpace& space, std::vector<Argument> arguments) {
        if (plan_launch(space, threads_of(text_.plan)).steps > 1) {
            if (join_ == nullptr) join_ = loaded(backend().generate_join(text_));
            const std::size_t inputs = arguments.size() - static_cast<std::size_t>(space.results);
            for (std::size_t k = 0; k < inputs; ++k) arguments[k].map_stage_only = arguments[k].is_array;
        }
        backend().launch(0, *kernel_,
                         {.over = space, .arguments = std::move(arguments), .plan = text_.plan, .join = join_},
                         nullptr);
    }

private:
    ReductionText text_;
    std::shared_ptr<LoadedKernel> kernel_, join_;
};

/// A reduction in one walk: the kernel that reads packs at once, and the one for arguments that don't allow it.
class Walked {
public:
    Walked(const ReductionText& text, ReductionWalk walk)
        : walk_(walk), element_by_element_(texts::walking(text, walk)) {
        walk.is_packed = true;
        if (walk.pack > 1) packed_.emplace(texts::walking(text, walk));
    }

    void operator()(const ReductionSpace& space, const std::vector<Argument>& arguments) {
        const bool is_packed = fits_packs(space, walk_, arguments);
        if (is_packed) ++packed_launches_;
        (is_packed ? *packed_ : element_by_element_)(space, arguments);
    }

    [[nodiscard]] int packed_launches() const { return packed_launches_; }

private:
    ReductionWalk walk_;
    Reduction element_by_element_;
    std::optional<Reduction> packed_;
    int packed_launches_ = 0;
};

std::vector<float> random_numbers(std::size_t n) {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> values(n);
    for (float& value : values) value = uniform(random);
    return values;
}

}  // namespace

TEST_CASE("a whole-array sum is exact for integers at every size") {
    Reduction kernel(sum_of("int", "long long", false, 0));
    for (const std::size_t n : edge_sizes) {
        const auto x = small_numbers<int>(n);
        const OnGpu<int> x_gpu(x);
        const OnGpu<long long> y(std::vector<long long>{-1});
        kernel(reduction_space({}, {n}), {array(x_gpu.data()), array(y.data())});
        CHECK_MESSAGE(y.values()[0] == std::accumulate(x.begin(), x.end(), 0ll), n);
    }
}

TEST_CASE("a norm of floats is as near to the CPU's as its accumulator allows, and has the same bits every time") {
    Reduction kernel(texts::l2norm());
    auto single = texts::l2norm();
    single.accumulator = "float";
    Reduction narrow(single);
    const auto x = random_numbers((1 << 22) + 3);
    const OnGpu<float> x_gpu(x), y(1);
    const double expected = std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0,
                                                         std::plus<>(), [](double a, double b) { return a * b; }));
    const auto run = [&](Reduction& which) {
        which(reduction_space({}, {x.size()}), {array(x_gpu.data()), array(y.data())});
        return y.values()[0];
    };
    CHECK(std::abs(run(kernel) - expected) <= expected * 1e-6);
    CHECK(std::abs(run(narrow) - expected) <= expected * 1e-5);
    const float first = run(narrow);
    for (int k = 0; k < 20; ++k) {
        const float again = run(narrow);
        REQUIRE(std::memcmp(&again, &first, sizeof first) == 0);
    }
}

TEST_CASE("rows and columns are summed exactly: short, long, few and many") {
    Reduction rows(sum_of("int", "long long", false, 1));
    Reduction any(sum_of("int", "long long", true, 1));
    struct Size {
        std::size_t m, n;
    };
    for (const auto [m, n] : {Size{1, 7}, {3, 1}, {300, 3}, {100003, 8}, {8, 100003}, {5, 300}, {33, 33}, {1009, 1009},
                              {2, 1 << 20}, {4096, 513}}) {
        const auto x = small_numbers<int>(m * n);
        std::vector<long long> by_row(m), by_column(n);
        for (std::size_t k = 0; k < x.size(); ++k) {
            by_row[k / n] += x[k];
            by_column[k % n] += x[k];
        }
        const auto stride = static_cast<std::int64_t>(n);
        const OnGpu<int> x_gpu(x);
        const OnGpu<long long> y(m), z(n);
        rows(reduction_space({m}, {n}), {array(x_gpu.data()), array(y.data())});
        CHECK_MESSAGE(y.values() == by_row, m << "x" << n << " rows");
        any(reduction_space({m}, {n}), {array(x_gpu.data(), {stride, 1}), array(y.data(), {1})});
        CHECK_MESSAGE(y.values() == by_row, m << "x" << n << " strided rows");
        any(reduction_space({n}, {m}), {array(x_gpu.data(), {1, stride}), array(z.data(), {1})});
        CHECK_MESSAGE(z.values() == by_column, m << "x" << n << " columns");
    }
}

TEST_CASE("however threads walk, with and without packs, the same sums come out; nothing else is written") {
    auto text = sum_of("int", "long long", true, 1);
    text.parameters[1].strided = true;
    struct Size {
        std::size_t m, n;
    };
    for (const bool by_column : {false, true}) {
        for (const int pack : {1, 2, 4, 8}) {
            Walked sum(text, {.by_column = by_column, .pack = pack, .deep_unroll = pack == 4 && !by_column});
            for (const auto [m, n] :
                 {Size{1, 7}, {3, 1}, {300, 3}, {100000, 8}, {8, 100000}, {5, 300}, {33, 33}, {1009, 1009},
                  {1000, 1000}, {2, 1 << 20}, {4096, 513}, {4096, 512}, {60000, 24}}) {
                // Rows lie next to each other, are cut out of longer ones, or begin at the second element.
                for (const std::size_t apart : {n, n + 8, n + 3}) {
                    const std::size_t skipped = apart == n + 3 ? 1 : 0;
                    const auto x = small_numbers<int>(m * apart + skipped);
                    std::vector<long long> by_row(2 * m + 64, -1), by_column_sums(2 * n + 64, -1);
                    for (std::size_t i = 0; i < m; ++i) by_row[2 * i] = 0;
                    for (std::size_t j = 0; j < n; ++j) by_column_sums[2 * j] = 0;
                    for (std::size_t i = 0; i < m; ++i)
                        for (std::size_t j = 0; j < n; ++j) {
                            by_row[2 * i] += x[skipped + i * apart + j];
                            by_column_sums[2 * j] += x[skipped + i * apart + j];
                        }
                    const auto stride = static_cast<std::int64_t>(apart);
                    const OnGpu<int> x_gpu(x);
                    const int* const first = x_gpu.data() + skipped;
                    const OnGpu<long long> y(std::vector<long long>(by_row.size(), -1)),
                        z(std::vector<long long>(by_column_sums.size(), -1));
                    sum(reduction_space({m}, {n}), {array(first, {stride, 1}), array(y.data(), {2})});
                    CHECK_MESSAGE(y.values() == by_row, m << "x" << n << " of " << apart << " rows, packs of " << pack
                                                          << (by_column ? " by column" : ""));
                    sum(reduction_space({n}, {m}), {array(first, {1, stride}), array(z.data(), {2})});
                    CHECK_MESSAGE(z.values() == by_column_sums, m << "x" << n << " of " << apart
                                                                  << " columns, packs of " << pack
                                                                  << (by_column ? " by column" : ""));
                }
            }
            CHECK((pack == 1 || sum.packed_launches() > 5));
        }
    }
}

TEST_CASE("more than 2^31 elements, all of them one in memory") {
    auto text = sum_of("int", "long long", true, 0);
    for (const int pack : {1, 4}) {
        for (const bool is_marked : {false, true}) {
            text.parameters[0].broadcast_inner = is_marked;
            Walked sum(text, {.pack = pack, .is_wide = true});
            const OnGpu<int> x(std::vector<int>{3});
            const OnGpu<long long> y(std::vector<long long>{-1});
            const std::int64_t n = (std::int64_t{1} << 31) + 11;
            sum(reduction_space({}, {n}), {array(x.data(), {0}), array(y.data())});
            CHECK(y.values()[0] == 3 * n);
        }
    }
}

TEST_CASE("without an identity the largest of negative numbers is negative, over several kept and reduced axes") {
    Reduction kernel(texts::strided_max());
    const std::int64_t a = 3, b = 50, c = 7, d = 110;
    std::vector<float> x(static_cast<std::size_t>(a * b * c * d));
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = -1.f - static_cast<float>((k * 7919) % 100003);
    const OnGpu<float> x_gpu(x), w(std::vector<float>{2}), y(static_cast<std::size_t>(a * c));
    kernel(reduction_space({a, c}, {b, d}),
           {array(x_gpu.data(), {b * c * d, d, c * d, 1}), array(w.data()), number(3.f), array(y.data(), {1, a})});
    const auto values = y.values();
    for (std::int64_t i = 0; i < a; ++i)
        for (std::int64_t k = 0; k < c; ++k) {
            float largest = -std::numeric_limits<float>::infinity();
            for (std::int64_t j = 0; j < b; ++j)
                for (std::int64_t l = 0; l < d; ++l) {
                    largest = std::max(largest, x[static_cast<std::size_t>(((i * b + j) * c + k) * d + l)] * 2 * 3);
                }
            REQUIRE(values[static_cast<std::size_t>(i + k * a)] == largest + 3);
        }
}

TEST_CASE("nothing reduced gives the identity, no output gives nothing") {
    auto text = sum_of("float", "float", false, 1);
    text.identity = "42";
    Reduction kernel(text);
    const OnGpu<float> y(std::vector<float>(300, -1));
    kernel(reduction_space({300}, {0}), {array<float>(nullptr), array(y.data())});
    CHECK(y.values() == std::vector<float>(300, 42));
    kernel(reduction_space({0}, {300}), {array<float>(nullptr), array(y.data())});
    CHECK(y.values() == std::vector<float>(300, 42));
}

TEST_CASE("the whole table of reductions loads") {
    for (const auto& text : texts::reduction_table()) {
        CHECK(loaded(backend().generate(text)) != nullptr);
        CHECK(loaded(backend().generate_join(text)) != nullptr);
    }
}
#endif
