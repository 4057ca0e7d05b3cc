// SPDX-License-Identifier: MIT
#pragma once

// A device to measure, whose clock follows a script: no two runs of a real one take the same time, and an exercise on
// measuring has to know the truth. The calls are those of a GPU: a launch queues work and returns.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

/// What was called, in order.
enum class Event : int { launch = 1, wait = 2, clock = 3 };

class Bench {
public:
    /// What the k-th launch costs the host, and how long its work then takes on the device; in microseconds.
    Bench(std::vector<double> host_us, std::vector<double> device_us)
        : host_us_(std::move(host_us)), device_us_(std::move(device_us)) {}

    /// Queues the work once more and returns, long before it is done. The first launch has to compile it.
    void launch() {
        events_.push_back(static_cast<int>(Event::launch));
        now_ += host_us_[place()];
        done_ = std::max(done_, now_) + device_us_[place()];
        ++launches_;
    }

    /// Returns when all work that was launched is done.
    void wait() {
        events_.push_back(static_cast<int>(Event::wait));
        now_ = std::max(now_, done_) + 0.5;
    }

    /// The host's clock, in microseconds.
    double now_us() {
        events_.push_back(static_cast<int>(Event::clock));
        return now_ += 0.05;
    }

    [[nodiscard]] const std::vector<int>& events() const { return events_; }
    [[nodiscard]] bool is_idle() const { return done_ <= now_; }

private:
    // The first launch once, then the others round and round.
    [[nodiscard]] std::size_t place() const { return launches_ == 0 ? 0 : 1 + (launches_ - 1) % (host_us_.size() - 1); }

    std::vector<double> host_us_, device_us_;
    double now_ = 0, done_ = 0;
    std::size_t launches_ = 0;
    std::vector<int> events_;
};
