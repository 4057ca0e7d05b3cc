// SPDX-License-Identifier: MIT
// Scans, and what is made of them.
#include <algorithm>
#include <numeric>

#include "program.hpp"

namespace programs {

namespace {

std::vector<int> scanned(const std::vector<int>& x, std::size_t restart_every) {
    std::vector<int> sums(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) sums[k] = x[k] + (k % restart_every == 0 ? 0 : sums[k - 1]);
    return sums;
}

void hillis_steele(Run& run) {
    const auto scan_blocks = run.kernel<void(const int*, int*, int)>("scan_blocks");
    for (const int n : {1, 127, 129, 700}) {
        const std::vector<int> x = random_ints(length(n), 1, 100);
        auto y = gpu::empty<int>({n});
        scan_blocks({.grid = blocks(n, 128), .block = 128}, gpu::to_device(x), y, n);
        run.equal("y", y, scanned(x, 128));
    }
}

void blelloch(Run& run) {
    const auto scan_blocks = run.kernel<void(const int*, int*, int)>("scan_blocks");
    for (const int n : {1, 65, 127, 129, 700}) {
        const std::vector<int> x = random_ints(length(n), 2, 100);
        std::vector<int> want = scanned(x, 128);
        for (std::size_t k = 0; k < want.size(); ++k) want[k] -= x[k];
        auto y = gpu::empty<int>({n});
        scan_blocks({.grid = blocks(n, 128), .block = 64}, gpu::to_device(x), y, n);
        run.equal("y", y, want);
    }
}

void three_phase_scan(Run& run) {
    const auto sum_blocks = run.kernel<void(const int*, int*, int)>("sum_blocks");
    const auto scan_sums = run.kernel<void(int*, int)>("scan_sums");
    const auto scan = run.kernel<void(const int*, const int*, int*, int)>("scan");
    for (const int n : {1, 63, 65, 1000, 4999}) {
        const std::vector<int> host_x = random_ints(length(n), 3, 100);
        const auto x = gpu::to_device(host_x);
        const int count = blocks(n, 64);
        auto sums = gpu::empty<int>({count}), y = gpu::empty<int>({n});
        sum_blocks({.grid = count, .block = 64}, x, sums, n);
        scan_sums({.grid = 1, .block = 64}, sums, count);
        scan({.grid = count, .block = 64}, x, sums, y, n);
        run.equal("y", y, scanned(host_x, host_x.size()));
    }
}

void look_back_scan(Run& run) {
    const auto scan = run.kernel<void(const int*, int*, std::uint64_t*, unsigned*, int)>("scan");
    for (const int n : {1, 63, 65, 2001}) {
        const std::vector<int> x = random_ints(length(n), 4, 100);
        auto y = gpu::empty<int>({n});
        auto words = gpu::zeros<std::uint64_t>({blocks(n, 64)});
        auto tickets = gpu::zeros<unsigned>({1});
        scan({.grid = blocks(n, 64), .block = 64}, gpu::to_device(x), y, words, tickets, n);
        run.equal("y", y, scanned(x, x.size()));
    }
}

void stream_compaction(Run& run) {
    const auto count_kept = run.kernel<void(const int*, int*, int)>("count_kept");
    const auto scan_counts = run.kernel<void(int*, int*, int)>("scan_counts");
    const auto keep = run.kernel<void(const int*, const int*, int*, int)>("keep");
    for (const int n : {2, 127, 130, 999}) {
        std::vector<int> host_x = random_ints(length(n), 5, 1000);
        host_x[0] = 4;  // one at least is kept
        const auto x = gpu::to_device(host_x);
        std::vector<int> want;
        std::copy_if(host_x.begin(), host_x.end(), std::back_inserter(want), [](int value) { return value % 2 == 0; });
        const int count = blocks(n, 128);
        auto counts = gpu::empty<int>({count}), total = gpu::empty<int>({1});
        count_kept({.grid = count, .block = 128}, x, counts, n);
        scan_counts({.grid = 1, .block = 1}, counts, total, count);
        auto kept = gpu::empty<int>({static_cast<std::int64_t>(want.size())});
        keep({.grid = count, .block = 128}, x, counts, kept, n);
        run.equal("total", total, {static_cast<int>(want.size())});
        run.equal("kept", kept, want);
    }
}

void aggregated_compaction(Run& run) {
    const auto keep = run.kernel<void(const int*, int*, int*, int)>("keep");
    for (const int n : {1, 33, 255, 1001}) {
        std::vector<int> x = random_ints(length(n), 6, 1000), want;
        x[0] = 3;
        std::copy_if(x.begin(), x.end(), std::back_inserter(want), [](int value) { return value % 3 == 0; });
        auto kept = gpu::zeros<int>({n}), count = gpu::zeros<int>({1});
        keep({.grid = blocks(n, 96), .block = 96}, gpu::to_device(x), kept, count, n);
        std::vector<int> got = gpu::to_host(kept);
        std::sort(want.begin(), want.end());
        got.resize(want.size());
        std::sort(got.begin(), got.end());
        run.equal("count", count, {static_cast<int>(want.size())});
        run.equal("kept, sorted", gpu::to_device(got), want);
    }
}

void segmented_scan(Run& run) {
    const auto scan_segments = run.kernel<void(const int*, const int*, int*, int)>("scan_segments");
    for (const int n : {1, 97, 251, 256}) {
        const std::vector<int> x = random_ints(length(n), 7, 100);
        std::vector<int> starts = random_ints(length(n), 8, 9), want(length(n));
        for (std::size_t k = 0; k < x.size(); ++k) {
            starts[k] = k == 0 || starts[k] == 0 ? 1 : 0;
            want[k] = x[k] + (starts[k] != 0 ? 0 : want[k - 1]);
        }
        auto y = gpu::empty<int>({n});
        scan_segments({.grid = 1, .block = 256}, gpu::to_device(x), gpu::to_device(starts), y, n);
        run.equal("y", y, want);
    }
}

void run_lengths(Run& run) {
    const auto encode = run.kernel<void(const int*, int*, int*, int*, int)>("encode");
    for (const int n : {1, 100, 255}) {
        const std::vector<int> x = random_ints(length(n), 9, 2);
        std::vector<int> values, lengths;
        for (const int value : x) {
            if (values.empty() || values.back() != value) {
                values.push_back(value);
                lengths.push_back(0);
            }
            ++lengths.back();
        }
        const auto runs = static_cast<std::int64_t>(values.size());
        auto got_values = gpu::empty<int>({runs}), got_lengths = gpu::empty<int>({runs}), count = gpu::empty<int>({1});
        encode({.grid = 1, .block = 256}, gpu::to_device(x), got_values, got_lengths, count, n);
        run.equal("count", count, {static_cast<int>(runs)});
        run.equal("values", got_values, values);
        run.equal("lengths", got_lengths, lengths);
    }
}

}  // namespace

std::vector<Program> scan_programs() {
    return {{"scan/hillis_steele.cu", hillis_steele},         {"scan/blelloch.cu", blelloch},
            {"scan/three_phase_scan.cu", three_phase_scan},   {"scan/look_back_scan.cu", look_back_scan},
            {"scan/stream_compaction.cu", stream_compaction}, {"scan/aggregated_compaction.cu", aggregated_compaction},
            {"scan/segmented_scan.cu", segmented_scan},       {"scan/run_lengths.cu", run_lengths}};
}

}  // namespace programs
