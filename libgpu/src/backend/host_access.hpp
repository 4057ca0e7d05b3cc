// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "backend/ranges.hpp"

// Host code that follows a pointer to device memory: on a GPU it ends the program.
namespace gpu::detail {

/// What it did there, where the machine says so.
enum class HostAccessKind { unknown, read, write };

/// An access of host code to an array of a device.
struct HostAccess {
    std::uintptr_t address = 0;
    HostAccessKind kind = HostAccessKind::unknown;
    AddressRange range;
};

/// What a handler of SIGSEGV is told by its context.
[[nodiscard]] HostAccessKind access_kind(const void* context) noexcept;

/// What an instruction of arm64 that accesses memory does there: such a processor's context doesn't say. Pure.
[[nodiscard]] HostAccessKind access_of_arm64(std::uint32_t instruction) noexcept;

/// The element that was accessed, counted from 0; without a type of elements, the byte.
[[nodiscard]] std::int64_t accessed_element(const HostAccess& access) noexcept;

/// "host code reads device memory (array x, element 3); bring it over with gpu::to_host". Without a name it says "an
/// array of 100 float32". Cut where the room ends; allocates nothing. Returns its length.
std::size_t write_sentence(char* to, std::size_t room, const HostAccess& access, const char* name) noexcept;
[[nodiscard]] std::string sentence(const HostAccess& access, const std::string& name);

/// From now on a segmentation fault in one of these ranges writes that sentence to stderr, with a line break, before it
/// goes on to the handler that was there before (by default the process ends). The ranges must live until the end.
void name_host_accesses(const AddressRanges& ranges);

/// True if each launch is to wait for its end and to tell its own errors: LIBGPU_LAUNCH_BLOCKING=1.
inline bool launch_blocking_wanted() {
    const char* const value = std::getenv("LIBGPU_LAUNCH_BLOCKING");
    return value != nullptr && std::string_view(value) == "1";
}

}  // namespace gpu::detail
