// SPDX-License-Identifier: MIT
#include "runtime/storage.hpp"

#include "counts.hpp"
#include "runtime/pool.hpp"

namespace gpu::detail {

Storage::Storage(Device device, std::size_t bytes)
    : device_(device), bytes_(bytes), data_(allocate_counted(device, bytes)) {
    counters().allocations += 1;
    counters().bytes_allocated += bytes;
}

Storage::~Storage() { deallocate_counted(device_, data_, bytes_); }

}  // namespace gpu::detail
