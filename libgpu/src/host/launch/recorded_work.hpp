// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "host/streams/streams.hpp"

namespace gpu::detail::host {

/// A graph: what was put into a stream during a capture, to be done again and again.
struct RecordedWork {
    std::mutex mutex;  ///< held while a replay is queued
    std::vector<std::shared_ptr<Work>> works;
    HostEvent replayed;  ///< recorded behind the last replay
};

/// One piece of it in a replay.
class RepeatedWork final : public Work {
public:
    explicit RepeatedWork(std::shared_ptr<Work> work) : work_(std::move(work)) {}
    void run() override { work_->run(); }

private:
    std::shared_ptr<Work> work_;
};

}  // namespace gpu::detail::host
