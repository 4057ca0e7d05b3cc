// SPDX-License-Identifier: MIT
#include "run/runner/true_values.hpp"

#include <algorithm>
#include <cstring>

#include <gpu/device.hpp>
#include <gpu/raw_kernel.hpp>

namespace course::runner {
namespace {

using protocol::CanaryRecord;

/// What one launch writes; parameters may have 4 KiB.
struct TrueElements {
    static constexpr int most = 128;
    unsigned long long address[most], value[most];
    unsigned char bytes[most];
    int count;
};

void launch(const TrueElements& elements) {
    static const gpu::RawKernel<void(TrueElements)> kernel(gpu::Source(R"(
struct TrueElements {
    unsigned long long address[128], value[128];
    unsigned char bytes[128];
    int count;
};
extern "C" __global__ void write_true_values(TrueElements elements) {
    const int k = threadIdx.x;
    if (k >= elements.count) return;
    void* const to = (void*)elements.address[k];
    const unsigned long long value = elements.value[k];
    if (elements.bytes[k] == 1) *(unsigned char*)to = (unsigned char)value;
    if (elements.bytes[k] == 2) *(unsigned short*)to = (unsigned short)value;
    if (elements.bytes[k] == 4) *(unsigned int*)to = (unsigned int)value;
    if (elements.bytes[k] == 8) *(unsigned long long*)to = value;
})"), "write_true_values");
    kernel({.grid = 1, .block = TrueElements::most}, elements);
}

}  // namespace

TrueValues::TrueValues(binding::Call& call, const protocol::Request& request) : request_(request) {
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    for (std::uint32_t k = 0; k < request.argument_count && k < protocol::max_values; ++k) {
        storage_[k] = call.storage(k);
        has_device_arrays_ |= on_gpu && request.arguments[k].place == protocol::Place::device_array;
    }
    if (!has_device_arrays_) return;
    launch(TrueElements{});
    gpu::synchronize();
}

void TrueValues::write(const protocol::CanaryPage& page) const {
    TrueElements elements;
    elements.count = 0;
    const std::uint64_t count = std::min(page.count, protocol::most_canaries);
    for (std::uint64_t k = 0; k < count; ++k) {
        const CanaryRecord record = page.records[k];   // one copy: the page may change while it is read
        if (!protocol::fits(record, request_)) continue;
        const protocol::ValueRecord& argument = request_.arguments[record.argument];
        const std::size_t bytes = protocol::element_bytes(argument.type);
        const binding::Storage& storage = storage_[record.argument];
        if (record.element >= storage.bytes / bytes) continue;
        std::byte* const to = static_cast<std::byte*>(storage.data) + record.element * bytes;
        if (!has_device_arrays_ || argument.place != protocol::Place::device_array) {
            std::memcpy(to, record.value, bytes);
            continue;
        }
        const int place = elements.count++;
        elements.address[place] = reinterpret_cast<unsigned long long>(to);
        std::memcpy(&elements.value[place], record.value, sizeof record.value);   // little-endian, as all GPUs are
        elements.bytes[place] = static_cast<unsigned char>(bytes);
        if (elements.count == TrueElements::most) {
            launch(elements);
            elements.count = 0;
        }
    }
    if (elements.count > 0) launch(elements);
}

}  // namespace course::runner
