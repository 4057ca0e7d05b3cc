// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <thread>
#include <vector>

namespace gpucc_test {

/// True in `make test-long`: everything is tried, not a part of it.
inline bool is_long() { return std::getenv("GPUCC_TEST_LONG") != nullptr; }

/// What `work(0)` to `work(count - 1)` return, two at a time: a compile waits for one compiler much of its time.
template <class Result, class Work>
std::vector<Result> in_parallel(std::size_t count, const Work& work) {
    std::vector<Result> results(count);
    std::atomic<std::size_t> next{0};
    const auto all = [&] {
        for (std::size_t k; (k = next++) < count;) results[k] = work(k);
    };
    std::thread other(all);
    all();
    other.join();
    return results;
}

}  // namespace gpucc_test
