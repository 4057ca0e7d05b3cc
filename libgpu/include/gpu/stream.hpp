// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <gpu/device.hpp>
#include <gpu/export.hpp>

namespace gpu {

class Event;

/// A non-owning reference to a stream. Default-constructed, it stands for the current stream.
/// @snippet public/expression_test.cpp stream_ref
class GPU_API StreamRef {
public:
    StreamRef() noexcept = default;  ///< "the current stream", looked up when it is used

    /// A stream made by CUDA itself (a `cudaStream_t`) or by another library; not owned.
    [[nodiscard]] static StreamRef from_native(void* handle, Device device) noexcept;

    /// The `cudaStream_t`, an identifier on the host backend, or nullptr for the default stream.
    [[nodiscard]] void* native() const noexcept { return handle_; }
    /// True if this stands for the stream that is current at the point of use.
    [[nodiscard]] bool is_current() const noexcept { return !named_; }
    /// The stream's device.
    [[nodiscard]] Device device() const;

    /// Waits until all work in this stream is done. @throws LaunchError if any of it failed.
    void synchronize() const;

    /// Makes all later work in this stream wait for the event, which may belong to another stream or device; the host
    /// doesn't wait. An event that was never recorded has no effect.
    /// @throws DeviceError if one is a GPU's and the other the host backend's.
    void wait(const Event& event) const;

private:
    void* handle_ = nullptr;
    bool named_ = false;
    BackendKind kind_ = BackendKind::host;
    int index_ = 0;
};

/// A queue of work on one device: operations in one stream run in order, those of two streams may overlap. Launches
/// return at once; queued work is still done after the stream is destroyed.
///
/// The default stream, which is used without a StreamGuard, is CUDA's legacy one: its work waits for all earlier work
/// in the device's other streams, and later work in those waits for it.
/// @snippet public/device_test.cpp stream
class GPU_API Stream {
public:
    /// A new stream on the current device.
    Stream();

    [[nodiscard]] Device device() const { return ref().device(); }
    [[nodiscard]] StreamRef ref() const noexcept;
    operator StreamRef() const noexcept { return ref(); }  // NOLINT(google-explicit-constructor)

    /// Waits until all work in this stream is done. @throws LaunchError if any of it failed.
    void synchronize() const { ref().synchronize(); }

    /// Makes all later work in this stream wait for the event.
    /// @snippet public/stream_test.cpp wait
    void wait(const Event& event) const { ref().wait(event); }

    /// This thread's current stream on the current device.
    [[nodiscard]] static StreamRef current();

private:
    struct Handle;
    std::shared_ptr<Handle> handle_;
};

/// Makes a stream this thread's current one on its device, and restores the previous one at the end of the scope.
/// @throws DeviceError if the stream isn't on the current device.
class GPU_API StreamGuard {
public:
    [[nodiscard]] explicit StreamGuard(StreamRef stream);
    explicit StreamGuard(Stream&&) = delete;  // the stream would be gone after this line
    ~StreamGuard();
    StreamGuard(const StreamGuard&) = delete;
    StreamGuard& operator=(const StreamGuard&) = delete;

private:
    StreamRef previous_;
};

/// A mark in a stream, reached when all work queued in the stream before it is done.
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
