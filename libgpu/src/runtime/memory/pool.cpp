// SPDX-License-Identifier: MIT
#include "runtime/memory/pool.hpp"

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/error.hpp>
#include <gpu/memory.hpp>

#include "base.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/memory/guard_words.hpp"

namespace gpu {

namespace detail {

namespace {

/// An account opened on the first request for the device's memory: an unused device isn't touched.
struct LazyAccount {
    std::once_flag opened;
    MemoryAccount account;

    MemoryAccount& open(Device device) {
        std::call_once(opened, [&] {
            const char* const limit = std::getenv("LIBGPU_MEMORY_LIMIT");
            if (limit == nullptr || *limit == '\0') return;
            Backend& where = backend(device);
            const std::size_t bytes = parse_memory_limit(limit, where.properties(device.index()).total_memory);
            where.limit_kept_memory(device.index(), bytes);
            account.set_limit(bytes);
        });
        return account;
    }
};

template <BackendKind kind>
LazyAccount& account_of(int device) {
    // Leaked: static arrays are freed after main.
    static auto* const all = new std::vector<LazyAccount>(static_cast<std::size_t>(backend(kind).device_count()));
    return (*all)[static_cast<std::size_t>(device)];
}

MemoryUse memory_use(Device device) {
    MemoryUse use = backend(device).memory_use(device.index());
    use.used = memory_account(device).used();
    use.limit = memory_account(device).limit();
    return use;
}

}  // namespace

MemoryAccount& memory_account(Device device) {
    const bool on_host = device.kind() == BackendKind::host;
    return (on_host ? account_of<BackendKind::host>(device.index()) : account_of<BackendKind::cuda>(device.index()))
        .open(device);
}

void* allocate_counted(Device device, std::size_t bytes) {
    MemoryAccount& account = memory_account(device);
    const auto no_room = [&] { return OutOfMemory(bytes, memory_use(device), device.to_string()); };
    if (!account.reserve(bytes)) throw no_room();
    try {
        return allocate_guarded(device, bytes);
    } catch (const OutOfMemory&) {
        account.release(bytes);
        throw no_room();
    } catch (...) {
        account.release(bytes);
        throw;
    }
}

void deallocate_counted(Device device, void* data, std::size_t bytes) noexcept {
    deallocate_guarded(device, data, bytes);
    memory_account(device).release(bytes);
}

}  // namespace detail

MemoryPool memory_pool(Device device) noexcept { return MemoryPool(device); }
MemoryPool memory_pool() { return MemoryPool(detail::current_device()); }

MemoryUse MemoryPool::use() const { return detail::memory_use(device_); }
std::size_t MemoryPool::used_bytes() const { return detail::memory_account(device_).used(); }
std::size_t MemoryPool::held_bytes() const { return detail::backend(device_).memory_use(device_.index()).held; }
std::size_t MemoryPool::peak_bytes() const { return detail::memory_account(device_).peak(); }
void MemoryPool::reset_peak() { detail::memory_account(device_).reset_peak(); }
std::size_t MemoryPool::limit() const { return detail::memory_account(device_).limit(); }

void MemoryPool::set_limit(std::size_t bytes) {
    detail::memory_account(device_).set_limit(bytes);
    detail::backend(device_).limit_kept_memory(device_.index(), bytes);
}

void MemoryPool::trim() { detail::backend(device_).trim_memory(device_.index()); }

}  // namespace gpu

namespace gpu::detail {

std::size_t parse_memory_limit(const std::string& text, std::size_t total) {
    if (text.ends_with('%')) {
        const auto percent = parsed_bytes(std::string_view(text).substr(0, text.size() - 1));
        if (percent && *percent > 0 && *percent <= 100) return total / 100 * *percent + total % 100 * *percent / 100;
    } else if (const auto bytes = parsed_bytes(text); bytes && *bytes > 0) {
        return *bytes;
    }
    throw Error("LIBGPU_MEMORY_LIMIT is \"" + text +
                "\"; it must be a number of bytes such as 1000000, 512M or 8G, or a part of the device's memory such "
                "as 50%");
}

}  // namespace gpu::detail
