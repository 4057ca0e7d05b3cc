// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "random_cases/cases.hpp"

// Graphs of kernels that share memory among threads and among blocks: each replay has other elements, and must find
// what such kernels leave behind (tickets, published counts, totals) as the first one did.

namespace {

using namespace random_cases;

/// Elements for each replay, and what is made of them by one call after another.
struct Sequence {
    gpu::Array<float> x;
    gpu::Array<std::int32_t> keys;
    gpu::Array<bool> mask;         ///< always keeps as many elements as `values` has
    gpu::Array<float> values, y;   ///< y is written under the mask

    gpu::Array<float> sorted, sums, soft, standard, largest, by_key, counted_in, before;
    gpu::Array<double> products;
    gpu::Array<std::int64_t> order, totals, places, counts, found, runs;
    gpu::Array<std::int32_t> sorted_keys;

    explicit Sequence(std::int64_t lines, std::int64_t n, std::int64_t kept)
        : x(gpu::zeros<float>({lines, n})), keys(gpu::zeros<std::int32_t>({n})), mask(gpu::zeros<bool>({n})),
          values(gpu::zeros<float>({kept})), y(gpu::zeros<float>({n})) {}

    void run() {
        sorted = gpu::sort(x);
        order = gpu::argsort(x);
        sums = gpu::cumsum(x, {.axis = 1});
        totals = gpu::cumsum(keys);
        products = gpu::cumprod<double>(1.0 + 1e-6 * x.astype<double>(), {.axis = 0});
        before = gpu::exclusive_scan(x, "a > b ? a : b", -1.F, {.axis = 1});
        soft = gpu::softmax(x, {.axis = -1});
        standard = gpu::fuse([](const auto& a) {
            return (a - gpu::mean(a, {.axis = -1, .keepdims = true})) /
                   (gpu::stddev(a, {.axis = -1, .keepdims = true}) + 1.F);
        })(x);
        auto most = gpu::topk(x, std::min<std::int64_t>(x.shape()[1], 5));
        largest = most.values;
        places = most.indices;
        auto both = gpu::sort_by_key(keys, y);
        sorted_keys = both.keys;
        by_key = both.values;
        runs = gpu::scan_by_key(sorted_keys, sorted_keys);
        found = gpu::searchsorted(sorted_keys, keys);
        auto histogram = gpu::histogram(x, {.bins = 20});
        counts = histogram.counts;
        counted_in = histogram.edges;
        y[mask] = values;        // scattered: their count is compared on the device
        y[mask] = y[mask] + 1.F;
    }

    void draw(Random& random) {
        const auto filled = [&](auto& array, const auto& value) {
            using T = std::remove_cvref_t<decltype(value())>;
            std::vector<T> host(static_cast<std::size_t>(array.size()));
            for (T& one : host) one = value();
            array.copy_from(host);
        };
        filled(x, [&] { return static_cast<float>(random.unit()); });
        filled(values, [&] { return static_cast<float>(random.unit()); });
        filled(y, [&] { return static_cast<float>(random.unit()); });
        filled(keys, [&] { return static_cast<std::int32_t>(random.below(1000)); });
        const std::int64_t n = mask.size(), kept = values.size();
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(n));
        for (std::int64_t k = 0; k < kept; ++k) bytes[static_cast<std::size_t>(k)] = 1;
        for (std::int64_t k = n - 1; k > 0; --k)
            std::swap(bytes[static_cast<std::size_t>(k)], bytes[static_cast<std::size_t>(random.between(0, k))]);
        mask = mask;
        gpu::detail::copy_from_host(mask.core(), bytes.data(), n);
    }

    [[nodiscard]] std::vector<std::pair<std::string, ArrayCore>> results() const {
        return {{"sort", sorted.core()},       {"argsort", order.core()},      {"cumsum", sums.core()},
                {"cumsum of whole numbers", totals.core()},                    {"cumprod", products.core()},
                {"exclusive_scan", before.core()}, {"softmax", soft.core()},   {"standardised", standard.core()},
                {"topk", largest.core()},      {"positions of topk", places.core()},
                {"keys", sorted_keys.core()},  {"values by key", by_key.core()}, {"scan_by_key", runs.core()},
                {"searchsorted", found.core()}, {"histogram", counts.core()},  {"edges", counted_in.core()},
                {"y[mask]", y.core()}};
    }
};

std::vector<unsigned char> bytes_of(const ArrayCore& array) {
    std::vector<unsigned char> bytes(static_cast<std::size_t>(array.shape.size()) * gpu::size_of(array.dtype));
    gpu::detail::copy_to_host(array, bytes.data(), array.shape.size());
    return bytes;
}

void check_replays(std::int64_t lines, std::int64_t n) {
    CAPTURE(lines);
    CAPTURE(n);
    Sequence captured(lines, n, n / 3), called(lines, n, n / 3);
    Random random(static_cast<std::uint64_t>(lines * n));
    captured.draw(random);
    captured.run();  // as a program would: kernels are compiled and loaded before the capture
    gpu::GraphCapture capture;
    captured.run();
    const gpu::Graph graph = capture.end();
    for (int round = 0; round < 4; ++round) {
        CAPTURE(round);
        Random again = random;
        captured.draw(random);
        called.draw(again);
        graph.replay();
        called.run();
        const auto got = captured.results(), want = called.results();
        for (std::size_t k = 0; k < want.size(); ++k) {
            CAPTURE(got[k].first);
            CHECK(got[k].second.shape == want[k].second.shape);
            CHECK(bytes_of(got[k].second) == bytes_of(want[k].second));
        }
    }
}

}  // namespace

TEST_CASE("graphs of sorts, scans, masks, counts and rows have new results at each replay") {
    check_replays(3, 1);
    check_replays(5, 17);
    check_replays(2, 300);
    check_replays(3, 9000);
    check_replays(1, 70001);
}

TEST_CASE("what must learn a length can't be captured, and says so") {
    const gpu::Array<std::int32_t> x = gpu::arange<std::int32_t>(1000) % 7;
    const gpu::Array<bool> mask = x > 3;
    const auto message = [](const auto& call) -> std::string {
        gpu::GraphCapture capture;
        try {
            call();
        } catch (const gpu::Error& error) {
            return error.what();
        }
        return "captured";
    };
    for (int round = 0; round < 2; ++round) {
        for (const std::string& said :
             {message([&] { (void)gpu::compress(mask, x); }), message([&] { (void)gpu::flatnonzero(mask); }),
              message([&] { (void)gpu::unique(x); })}) {
            CHECK(said ==
                  "the number of elements that a mask keeps: not while a gpu::GraphCapture notes what this thread "
                  "launches: it is awaited: assign to x[mask], or do it before the capture, or after a replay");
        }
        CHECK(message([&] { (void)gpu::bincount(x); }) ==
              "bincount: not while a gpu::GraphCapture notes what this thread launches: it waits for the largest "
              "element: do it before the capture, or after a replay");
        CHECK(gpu::compress(mask, x).size() == 428);  // afterwards it works
    }
}
