// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/profiler.hpp>
#include <gpu/stream.hpp>

#include "protocol/protocol.hpp"

namespace course::runner {

/// Opens the device in LIBGPU_DEVICE, and runs a first kernel on a GPU, which shows whether the machine can.
/// @throws gpu::Error
void open_device();

/// Wakes the device: an idle GPU is slow at first, then fast for a while.
void wake_device();

/// What the student's function cost: libgpu's counts, and the device's time by events.
class Measurement {
public:
    void start();

    /// Waits for the device, which isn't counted. @throws gpu::LaunchError if a kernel failed.
    void stop();

    [[nodiscard]] gpu::Counts counts() const noexcept { return after_ - before_; }
    [[nodiscard]] double device_us() const;

private:
    gpu::Event start_, stop_;
    gpu::Counts before_, after_;
};

}  // namespace course::runner
