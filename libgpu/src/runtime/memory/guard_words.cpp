// SPDX-License-Identifier: MIT
#include "runtime/memory/guard_words.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gpu/memory.hpp>

#include "backend/observers.hpp"
#include "runtime/devices/registry.hpp"

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

struct GuardedBuffers {
    std::mutex mutex;
    std::map<unsigned char*, Guarded> buffers;
};

GuardedBuffers& guarded_buffers() {
    static auto* const instance = new GuardedBuffers;  // leaked: static arrays are freed after main
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
    const std::lock_guard lock(guarded_buffers().mutex);
    guarded_buffers().buffers.emplace(start + pad, Guarded{device, bytes});
    return start + pad;
}

void deallocate_guarded(Device device, void* data, std::size_t bytes) noexcept {
    Backend& where = backend(device);
    if (!guards(device)) return where.deallocate(device.index(), data, bytes);
    auto* const start = static_cast<unsigned char*>(data) - pad;
    {
        const std::lock_guard lock(guarded_buffers().mutex);
        guarded_buffers().buffers.erase(start + pad);
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
    const std::lock_guard lock(guarded_buffers().mutex);
    for (const auto& [data, buffer] : guarded_buffers().buffers) {
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
