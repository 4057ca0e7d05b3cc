// SPDX-License-Identifier: MIT
// Kernels with barriers and shuffles: on fibers, and in check mode.
#include <cmath>
#include <limits>
#include <string>

#include <gpu/check.hpp>

#include "fiber_kernels.hpp"
#include "measure.hpp"

namespace bench {

namespace {

// Runs that are timed and whose results are then looked at.
class BlockSums {
public:
    BlockSums(const char* text, const char* name, std::int64_t count)
        : kernel_(std::string(text), name),
          count_(count),
          host_(random_floats(static_cast<std::size_t>(count))),
          x_(gpu::to_device(host_)),
          sums_(gpu::zeros<float>({count / 256})) {}

    void run() {
        kernel_({.grid = count_ / 256, .block = 256}, x_, sums_);
        gpu::synchronize();
    }
    [[nodiscard]] bool right() const {
        const std::vector<float> sums = gpu::to_host(sums_);
        for (std::size_t block = 0; block < sums.size(); ++block) {
            double sum = 0;
            for (std::size_t k = 0; k < 256; ++k) sum += static_cast<double>(host_[256 * block + k]);
            if (!near(sums[block], sum, 1e-4)) return false;
        }
        return true;
    }

private:
    Sum kernel_;
    std::int64_t count_;
    std::vector<float> host_;
    gpu::Array<float> x_, sums_;
};

class Product {
public:
    explicit Product(int n)
        : kernel_(std::string(matmul_text), "matmul"),
          n_(n),
          a_(random_floats(size())),
          b_(random_floats(size())),
          da_(gpu::to_device(a_)),
          db_(gpu::to_device(b_)),
          dc_(gpu::zeros<float>({std::int64_t{n} * n})) {}

    void run() {
        kernel_({.grid = {n_ / 16, n_ / 16}, .block = {16, 16}}, da_, db_, dc_, n_);
        gpu::synchronize();
    }
    [[nodiscard]] bool right() const {
        const std::vector<float> c = gpu::to_host(dc_);
        const auto n = static_cast<std::size_t>(n_);
        for (std::size_t row = 0; row < n; row += 7)
            for (std::size_t column = row % 3; column < n; column += 5) {
                double sum = 0;
                for (std::size_t k = 0; k < n; ++k)
                    sum += static_cast<double>(a_[row * n + k]) * static_cast<double>(b_[k * n + column]);
                if (!near(c[row * n + column], sum, 1e-3)) return false;
            }
        return true;
    }

private:
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_); }

    Matmul kernel_;
    int n_;
    std::vector<float> a_, b_;
    gpu::Array<float> da_, db_, dc_;
};

class Addition {
public:
    explicit Addition(int n)
        : kernel_(std::string(vadd_text), "vadd"),
          n_(n),
          x_(random_floats(static_cast<std::size_t>(n))),
          dx_(gpu::to_device(x_)),
          z_(gpu::zeros<float>({n})) {}

    void run() {
        kernel_({.grid = n_ / 256, .block = 256}, dx_, dx_, z_, n_);
        gpu::synchronize();
    }
    [[nodiscard]] bool right() const {
        const std::vector<float> z = gpu::to_host(z_);
        for (std::size_t k = 0; k < z.size(); ++k)
            if (z[k] != x_[k] + x_[k]) return false;
        return true;
    }

private:
    Add kernel_;
    int n_;
    std::vector<float> x_;
    gpu::Array<float> dx_, z_;
};

class Update {
public:
    explicit Update(int n)
        : kernel_(std::string(saxpy_text), "saxpy"),
          n_(n),
          x_(random_floats(static_cast<std::size_t>(n))),
          dx_(gpu::to_device(x_)),
          y_(gpu::zeros<float>({n})) {}

    void run() {
        kernel_({.grid = n_ / 256, .block = 256}, 0.5f, dx_, y_, n_);
        gpu::synchronize();
        ++runs_;
    }
    [[nodiscard]] bool right() const {
        const std::vector<float> y = gpu::to_host(y_);
        for (std::size_t k = 0; k < y.size(); ++k)
            if (!near(y[k], 0.5 * runs_ * static_cast<double>(x_[k]), 1e-4)) return false;
        return true;
    }

private:
    Saxpy kernel_;
    int n_, runs_ = 0;
    std::vector<float> x_;
    gpu::Array<float> dx_, y_;
};

// What one shuffle costs each of 256 threads, in whole warps or in halves of them.
double shuffle_ns(const Shuffles& kernel, int width) {
    constexpr int rounds = 4000;
    gpu::Array<int> out = gpu::zeros<int>({256});
    const double ms = median_ms(15, [&] {
        kernel({.grid = 1, .block = 256}, out, rounds, width);
        gpu::synchronize();
    });
    const std::vector<int> totals = gpu::to_host(out);
    for (int t = 0; t < 256; ++t) {
        int total = 0;
        for (int k = 0; k < rounds; ++k) total += (width * (t / width * width + k) + width * (width - 1) / 2) & 1023;
        expect("shuffles", totals[static_cast<std::size_t>(t)] == total);
    }
    return ms * 1e6 / (256.0 * rounds * std::log2(width));
}

}  // namespace

std::vector<Row> fiber_rows() {
    std::vector<Row> rows;
    const Barriers barriers(std::string(barriers_text), "barriers");
    constexpr int passed = 8000;
    gpu::Array<int> out = gpu::zeros<int>({512});
    const auto run = [&](int blocks) {
        return [&, blocks] {
            barriers({.grid = blocks, .block = 256}, out, passed);
            gpu::synchronize();
        };
    };
    const Comparison two = compare(15, run(2), run(1));
    expect("barriers", gpu::sum(out).item() == 512 * passed);
    rows.push_back(
        {"barrier, 256 threads, for each thread", two.theirs_ms * 1e6 / (256.0 * passed), "ns", 8, false, "one block"});
    rows.push_back({"barriers on two cores / one", 2 * two.ratio, "x", 1.9, true, note(two) + " for 2, 1 blocks"});

    const Shuffles shuffles(std::string(shuffles_text), "shuffles");
    rows.push_back({"shuffle, 256 threads, for each thread", shuffle_ns(shuffles, 32), "ns", 8, false, "one block"});
    rows.push_back({"shuffle of half a warp, the same", shuffle_ns(shuffles, 16), "ns", 8, false, "one block"});

    BlockSums tree(tree_text, "tree", 1 << 24);
    const double tree_ms = median_ms(5, [&] { tree.run(); });
    expect("tree reduction", tree.right());
    rows.push_back({"tree reduction of 2^24, blocks of 256", tree_ms, "ms", 800, false});

    Product product(512);
    const double product_ms = median_ms(7, [&] { product.run(); });
    expect("matmul", product.right());
    rows.push_back({"16 x 16 tiled matmul, 512³", product_ms, "ms", 130, false});
    return rows;
}

std::vector<Row> check_rows() {
    std::vector<Row> rows;
    const auto row = [&rows](const char* what, auto& work, double target = 10) {
        bool clean = true;
        const Comparison times = compare(
            3, [&] { clean = gpu::check([&] { work.run(); }).clean() && clean; }, [&] { work.run(); });
        expect(what, clean && work.right());
        rows.push_back({std::string("check mode / ") + what, 1 / times.ratio, "x", target, false, note(times)});
    };
    Update update(1 << 22);
    row("plain: saxpy of 2^22", update, std::numeric_limits<double>::infinity());  // of memory, see host-backend.md
    Addition addition(1 << 20);
    row("fibers: vadd", addition);
    BlockSums tree(tree_text, "tree", 1 << 20), shuffle(shuffle_text, "shuffle", 1 << 20);
    row("fibers: tree", tree);
    row("fibers: shuffle", shuffle);
    Product product(256);
    row("fibers: matmul", product);
    return rows;
}

}  // namespace bench
