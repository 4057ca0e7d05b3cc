// SPDX-License-Identifier: MIT
#include "runtime/memory/pool.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <gpu/error.hpp>
#include <gpu/memory.hpp>

#include "backend/observers.hpp"
#include "runtime/devices/registry.hpp"

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

namespace {

// More than one block of 1024 threads writes past the end, in doubles, when its guard is missing.
constexpr std::size_t pad = 16 * 1024;
constexpr unsigned char pattern = 0xA5;
// New arrays up to this size are filled with NaNs (integers: -1), so that unwritten elements are noticed. Larger ones
// aren't: they are used for timing, which would include filling them.
constexpr std::size_t max_filled = 4 * 1024 * 1024;
constexpr unsigned char unwritten = 0xFF;

struct Guarded {
    Device device;
    std::size_t bytes;
};

struct Registry {
    std::mutex mutex;
    std::map<unsigned char*, Guarded> buffers;
};

Registry& registry() {
    static auto* const instance = new Registry;  // leaked: static arrays are freed after main
    return *instance;
}

bool wanted() {
    static const bool on = [] {
        const char* value = std::getenv("LIBGPU_GUARD");
        return value != nullptr && std::strcmp(value, "1") == 0;
    }();
    return on;
}

bool guards(Device device) { return wanted() && !backend(device).traits().guards_arrays; }

void fill(Device device, void* data, std::size_t bytes, void* stream) {
    if (!wanted() || bytes == 0 || bytes > max_filled) return;
    if (backend(device).traits().in_host_memory) {  // new: nothing to wait for in the stream
        const std::shared_ptr<void> access = backend(device).host_access();
        std::memset(data, unwritten, bytes);
        return;
    }
    backend(device).fill(device.index(), data, unwritten, bytes, stream);
}

std::size_t damaged_bytes(const unsigned char* guard, Device device) {
    std::vector<unsigned char> words(pad);
    backend(device).copy(device.index(), words.data(), guard, pad, CopyKind::device_to_host, nullptr);
    return static_cast<std::size_t>(
        std::count_if(words.begin(), words.end(), [](unsigned char word) { return word != pattern; }));
}

}  // namespace

void* allocate_guarded(Device device, std::size_t bytes) {
    // An array isn't part of the graph during whose capture it is created: it exists before the first replay.
    void* const stream = is_capturing() ? nullptr : native_stream({}, device);
    Backend& where = backend(device);
    if (!guards(device)) {
        void* const data = where.allocate(device.index(), bytes, stream);
        fill(device, data, bytes, stream);
        return data;
    }
    auto* const start = static_cast<unsigned char*>(where.allocate(device.index(), bytes + 2 * pad, stream));
    for (unsigned char* const guard : {start, start + pad + bytes})
        where.fill(device.index(), guard, pattern, pad, stream);   // not a copy: timed calls would include it
    fill(device, start + pad, bytes, stream);
    where.synchronize_stream(device.index(), stream);   // another stream may write to the array immediately
    const std::lock_guard lock(registry().mutex);
    registry().buffers.emplace(start + pad, Guarded{device, bytes});
    return start + pad;
}

void deallocate_guarded(Device device, void* data, std::size_t bytes) noexcept {
    Backend& where = backend(device);
    if (!guards(device)) return where.deallocate(device.index(), data, bytes);
    auto* const start = static_cast<unsigned char*>(data) - pad;
    {
        const std::lock_guard lock(registry().mutex);
        registry().buffers.erase(start + pad);
    }
    where.deallocate(device.index(), start, bytes + 2 * pad);
}

}  // namespace gpu::detail

namespace gpu {

std::string damaged_arrays() {
    using namespace detail;
    const Device device = current_device();
    if (!guards(device)) return {};
    backend(device).synchronize_device(device.index());
    std::string report;
    const std::lock_guard lock(registry().mutex);
    for (const auto& [data, buffer] : registry().buffers) {
        if (!(buffer.device == device)) continue;
        const std::size_t before = damaged_bytes(data - pad, device);
        const std::size_t after = damaged_bytes(data + buffer.bytes, device);
        if (before + after == 0) continue;
        const std::string array = " an array of " + std::to_string(buffer.bytes) + " bytes";
        if (after > 0) {
            report += "a kernel wrote past the end of" + array + ": it changed " + std::to_string(after) +
                      " bytes past it; is there a guard such as if (i < n)?\n";
        }
        if (before > 0) {
            report += "a kernel wrote before the start of" + array + ": it changed " + std::to_string(before) +
                      " bytes before it; is an index negative?\n";
        }
    }
    return report;
}

}  // namespace gpu

namespace gpu::detail {

namespace {

// The number at the text's start; `digits` is 0 if it doesn't start with one.
std::uint64_t leading_number(const std::string& text, std::size_t& digits) {
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    digits = failure == std::errc{} ? static_cast<std::size_t>(end - text.data()) : 0;
    return number;
}

}  // namespace

std::size_t parse_memory_limit(const std::string& text, std::size_t total) {
    std::size_t digits = 0;
    const std::uint64_t number = leading_number(text, digits);
    const std::string unit = text.substr(digits);
    if (digits > 0 && number > 0) {
        if (unit == "%" && number <= 100) return total / 100 * number + total % 100 * number / 100;
        const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
        if (shift >= 0 && number <= (UINT64_MAX >> shift)) return static_cast<std::size_t>(number << shift);
    }
    throw Error("LIBGPU_MEMORY_LIMIT is \"" + text +
                "\"; it must be a number of bytes such as 1000000, 512M or 8G, or a part of the device's memory such "
                "as 50%");
}

}  // namespace gpu::detail
