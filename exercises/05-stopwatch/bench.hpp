// SPDX-License-Identifier: MIT
#pragma once

// A device to measure, whose clock follows a script: no two runs of a real one take the same time, and an exercise on
// measuring has to know the truth. The calls are those of a GPU: a launch queues work and returns.

#include <cstddef>
#include <vector>

/// What was called, in order.
enum class Event : int { launch = 1, wait = 2, clock = 3 };

class Bench {
public:
    /// What the k-th launch costs the host, and how long its work then takes on the device; in microseconds.
    Bench(std::vector<double> host_us, std::vector<double> device_us);

    /// Queues the work once more and returns, long before it is done. The first launch has to compile it.
    void launch();
    /// Returns when all work that was launched is done.
    void wait();
    /// The host's clock, in microseconds.
    double now_us();

    [[nodiscard]] const std::vector<int>& events() const;
    [[nodiscard]] bool is_idle() const;

private:
    [[nodiscard]] std::size_t place() const;

    std::vector<double> host_us_, device_us_;
    double now_ = 5e6, done_ = 0;   // the clock has run for a while
    std::size_t launches_ = 0;
    std::vector<int> events_;
};
