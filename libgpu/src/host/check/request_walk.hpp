// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "host/check/request_store.hpp"

namespace gpu::detail::host {

/// What a memory access is, besides its place and size.
enum class AccessKind : std::uint8_t {
    global_read,
    global_write,
    global_atomic,
    shared_read,
    shared_write,
    shared_atomic
};

GPU_HOT_ON_KERNEL_STACK bool is_global(const SiteRecord& site) noexcept {
    return site.kind() < static_cast<unsigned>(AccessKind::shared_read);
}

GPU_HOT_ON_KERNEL_STACK bool is_atomic(const SiteRecord& site) noexcept {
    return site.kind() == static_cast<unsigned>(AccessKind::global_atomic) ||
           site.kind() == static_cast<unsigned>(AccessKind::shared_atomic);
}

/// Adds `times` requests of the same cost to a site.
void charge_requests(SiteRecord& site, const std::uint64_t* addresses, std::uint32_t lanes, bool divergent,
                     std::uint64_t times) noexcept;

/// Adds the requests of a record to its site; they are divergent where one of the lanes `running` took no part.
void charge_record(const RequestRecord& record, std::uint32_t running) noexcept;

}  // namespace gpu::detail::host
