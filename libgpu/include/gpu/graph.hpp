// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <gpu/export.hpp>
#include <gpu/stream.hpp>

namespace gpu {

/// Launches and copies that were captured once, to be replayed as one: a CUDA graph. GraphCapture::end() makes one.
///
/// A replay works on the same arrays as the capture, with what they hold by then, and with the same numbers. The graph
/// keeps these arrays' memory. Copies are the same graph.
/// @snippet public/device_test.cpp graph
class GPU_API Graph {
public:
    Graph() noexcept = default;  ///< nothing to replay

    /// Puts the operations into a stream of the graph's device (by default its current one) and returns at once. It
    /// costs the host one launch, however many they are. Two replays never overlap.
    /// @throws Error if the graph is empty or was moved from, DeviceError for another device's stream.
    void replay(StreamRef stream = {}) const;

    /// False if there is nothing to replay.
    [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

private:
    friend class GraphCapture;
    struct State;
    std::shared_ptr<const State> state_;
};

/// While it lives, what this thread launches and copies in the current device's current stream is noted, not done.
///
/// Arrays that are made meanwhile have memory, but no values until the first replay. What waits for the device is an
/// error: `item()`, copies from and to host memory unless it is page-locked and they are asynchronous, `synchronize()`,
/// printing; so are events, linear algebra, work for other streams and devices, and a capture within a capture.
/// @snippet public/device_test.cpp capture
class GPU_API GraphCapture {
public:
    /// @throws Error if this thread captures already, or in check mode.
    [[nodiscard]] GraphCapture();
    /// Without end() what was noted is forgotten.
    ~GraphCapture();
    GraphCapture(const GraphCapture&) = delete;
    GraphCapture& operator=(const GraphCapture&) = delete;

    /// Ends the capture; the stream is again the one that was current before. Once only.
    /// @throws Error if it has ended already, DeviceError if CUDA can't make a graph of it.
    [[nodiscard]] Graph end();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace gpu
