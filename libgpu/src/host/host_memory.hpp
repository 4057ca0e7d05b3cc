// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "host/check/host_checker.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/streams/streams.hpp"

namespace gpu::detail::host {

/// The devices' memories with their streams' rules: an array is freed once queued work is done with it. Records for
/// check mode what has been written.
class HostMemory {
public:
    HostMemory(Streams& streams, HostChecker& checker);

    [[nodiscard]] int devices() const noexcept { return static_cast<int>(memories_.size()); }
    [[nodiscard]] GuardedMemory& of(int device) const noexcept { return *memories_[static_cast<std::size_t>(device)]; }

    /// @throws OutOfMemory even after freeing everything that queued work used
    void* allocate(int device, std::size_t bytes);
    /// Zeroed; it counts as written. Check mode lets the host access it.
    void* allocate_zeroed(int device, std::size_t bytes);
    void deallocate(int device, void* data, std::size_t bytes) noexcept;
    void trim(int device);

    /// Records that a copy has written these bytes.
    void written(int device, void* to, std::size_t bytes);
    /// The same for a copy of these: values missing in the source are missing here.
    void written_as(int device, void* to, const void* from, std::size_t bytes);
    /// Records that code with its address may have written the whole array.
    void written_by_host(int device, const void* data) noexcept;

private:
    Streams& streams_;
    HostChecker& checker_;
    std::vector<std::unique_ptr<GuardedMemory>> memories_;
};

}  // namespace gpu::detail::host
