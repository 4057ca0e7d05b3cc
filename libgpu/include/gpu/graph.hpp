// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <gpu/export.hpp>
#include <gpu/stream.hpp>

namespace gpu {

/// Launches and copies that were captured once and can be replayed as one: a CUDA graph. GraphCapture::end() makes one.
///
/// A replay works on the same arrays as the capture, with their contents at that time, and with the same numbers. The
/// graph keeps these arrays' memory alive. Copies refer to the same graph.
/// @snippet public/device_test.cpp graph
class GPU_API Graph {
public:
    Graph() noexcept = default;  ///< nothing to replay

    /// Queues the operations in a stream of the graph's device (by default its current one) and returns at once. It
    /// costs the host one launch, however many operations there are. Two replays never overlap.
    /// @throws Error if the graph is empty or was moved from, DeviceError for another device's stream.
    void replay(StreamRef stream = {}) const;

    /// False if there is nothing to replay.
    [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

private:
    friend class GraphCapture;
    struct State;
    std::shared_ptr<const State> state_;
};

/// While it exists, what this thread launches and copies in the current device's current stream is captured, not done.
///
/// Arrays created meanwhile have memory, but no values until the first replay. Whatever waits for the device is an
/// error: `item()`, copies from and to host memory unless it is page-locked and they are asynchronous, `synchronize()`,
/// printing; so are events, linear algebra, work in other streams and on other devices, and a capture within a capture.
/// @snippet public/device_test.cpp capture
class GPU_API GraphCapture {
public:
    /// @throws Error if this thread is already capturing, or in check mode.
    [[nodiscard]] GraphCapture();
    /// Without end(), discards the capture.
    ~GraphCapture();
    GraphCapture(const GraphCapture&) = delete;
    GraphCapture& operator=(const GraphCapture&) = delete;

    /// Ends the capture; the previously current stream is current again. Call it only once.
    /// @throws Error if it has ended already, DeviceError if CUDA can't make a graph of it.
    [[nodiscard]] Graph end();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace gpu
