// SPDX-License-Identifier: MIT

// How the scripted clock advances. bind.cpp and check.cpp both include this file, so that the two agree.

#include "bench.hpp"

#include <algorithm>
#include <utility>

Bench::Bench(std::vector<double> host_us, std::vector<double> device_us)
    : host_us_(std::move(host_us)), device_us_(std::move(device_us)) {}

void Bench::launch() {
    events_.push_back(static_cast<int>(Event::launch));
    now_ += host_us_[place()];
    done_ = std::max(done_, now_) + device_us_[place()];
    ++launches_;
}

void Bench::wait() {
    events_.push_back(static_cast<int>(Event::wait));
    now_ = std::max(now_, done_) + 0.5;
}

double Bench::now_us() {
    events_.push_back(static_cast<int>(Event::clock));
    return now_ += 0.05;
}

const std::vector<int>& Bench::events() const { return events_; }

bool Bench::is_idle() const { return done_ <= now_; }

// The first launch once, then the others round and round.
std::size_t Bench::place() const {
    return launches_ == 0 ? 0 : 1 + (launches_ - 1) % (host_us_.size() - 1);
}
