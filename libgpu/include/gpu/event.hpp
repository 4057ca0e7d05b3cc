// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <gpu/export.hpp>
#include <gpu/stream.hpp>

namespace gpu {

/// A mark in a stream: it is reached when all work put into the stream before it is done.
/// @snippet public/device_test.cpp event
class GPU_API Event {
public:
    /// A new event on the current device, not recorded yet.
    Event();

    /// Records the event in a stream (by default the current one) and returns at once.
    /// @throws DeviceError if the stream is on another device than the event.
    void record(StreamRef stream = {});

    /// Waits until the event is reached. @throws LaunchError if any work before it failed.
    void synchronize() const;

    /// True if the event is reached, or was never recorded; never waits.
    /// @snippet public/stream_test.cpp done
    [[nodiscard]] bool done() const;

    [[nodiscard]] Device device() const;

    friend GPU_API float elapsed_ms(const Event& start, const Event& stop);

private:
    friend class StreamRef;
    struct Handle;
    std::shared_ptr<Handle> handle_;
};

/// The milliseconds between two recorded events; waits for the later one.
/// @throws Error if one of them was never recorded.
GPU_API float elapsed_ms(const Event& start, const Event& stop);

}  // namespace gpu
