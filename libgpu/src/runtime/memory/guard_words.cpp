// SPDX-License-Identifier: MIT
#include "runtime/memory/guard_words.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <gpu/memory.hpp>

#include "backend/log.hpp"
#include "runtime/devices/context.hpp"
#include "runtime/devices/registry.hpp"

namespace gpu::detail {

namespace {

// More than one block of 1024 threads of doubles writes past the end when its guard is missing.
constexpr std::size_t pad = 16 * 1024;
constexpr unsigned char pattern = 0xA5;
// New arrays up to this size hold NaNs (in integers -1), so that an element nobody wrote is seen. Not larger ones: what
// is timed is large, and filling them would be timed too.
constexpr std::size_t most_filled = 4 * 1024 * 1024;
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

bool guards(Device device) { return wanted() && device.kind() == BackendKind::cuda; }

void fill(Device device, void* data, std::size_t bytes, void* stream) {
    if (!wanted() || bytes == 0 || bytes > most_filled) return;
    if (device.kind() == BackendKind::host) {  // this process's memory, and new: nothing to wait for in the stream
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
    // An array isn't part of the graph for which it is made: it is there before the first replay.
    void* const stream = is_capturing() ? nullptr : native_stream({}, device);
    Backend& where = backend(device);
    if (!guards(device)) {
        void* const data = where.allocate(device.index(), bytes, stream);
        fill(device, data, bytes, stream);
        return data;
    }
    auto* const start = static_cast<unsigned char*>(where.allocate(device.index(), bytes + 2 * pad, stream));
    for (unsigned char* const guard : {start, start + pad + bytes})
        where.fill(device.index(), guard, pattern, pad, stream);   // no copy: in a timed call it would be timed
    fill(device, start + pad, bytes, stream);
    where.synchronize_stream(device.index(), stream);   // another stream may write to the array at once
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
