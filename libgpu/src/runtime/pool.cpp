// SPDX-License-Identifier: MIT
#include "runtime/pool.hpp"

#include <cstdlib>
#include <memory>
#include <vector>

#include <gpu/memory.hpp>

#include "runtime/context.hpp"
#include "runtime/guard_words.hpp"
#include "runtime/registry.hpp"

namespace gpu {

namespace detail {

namespace {

using Accounts = std::vector<std::unique_ptr<MemoryAccount>>;

Accounts make_accounts(BackendKind kind) {
    Backend& where = backend(kind);
    const char* const limit = std::getenv("LIBGPU_MEMORY_LIMIT");
    Accounts accounts;
    for (int device = 0; device < where.device_count(); ++device) {
        accounts.push_back(std::make_unique<MemoryAccount>());
        if (limit == nullptr || *limit == '\0') continue;
        const std::size_t bytes = parse_memory_limit(limit, where.properties(device).total_memory);
        accounts.back()->set_limit(bytes);
        where.limit_kept_memory(device, bytes);
    }
    return accounts;
}

MemoryUse memory_use(Device device) {
    MemoryUse use = backend(device).memory_use(device.index());
    use.used = memory_account(device).used();
    use.limit = memory_account(device).limit();
    return use;
}

}  // namespace

MemoryAccount& memory_account(Device device) {
    // Leaked: static arrays are freed after main.
    if (device.kind() == BackendKind::host) {
        static auto* const host = new Accounts(make_accounts(BackendKind::host));
        return *(*host)[static_cast<std::size_t>(device.index())];
    }
    static auto* const cuda = new Accounts(make_accounts(BackendKind::cuda));
    return *(*cuda)[static_cast<std::size_t>(device.index())];
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
