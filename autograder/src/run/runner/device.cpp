// SPDX-License-Identifier: MIT
#include "run/runner/device.hpp"

#include <course/bind.hpp>
#include <gpu/create.hpp>
#include <gpu/device.hpp>
#include <gpu/dtype.hpp>

namespace course::runner {
namespace {

template <class T>
constexpr bool same_number(protocol::Type type) {
    return static_cast<std::uint32_t>(type) == binding::type_number<T>;
}
using protocol::Type;
static_assert(same_number<bool>(Type::boolean) && same_number<signed char>(Type::int8) &&
              same_number<short>(Type::int16) && same_number<int>(Type::int32) &&
              same_number<std::int64_t>(Type::int64) && same_number<unsigned char>(Type::uint8) &&
              same_number<unsigned short>(Type::uint16) && same_number<unsigned>(Type::uint32) &&
              same_number<std::uint64_t>(Type::uint64) && same_number<float>(Type::float32) &&
              same_number<double>(Type::float64));

}  // namespace

void open_device() {
    if (gpu::Device::current().kind() == gpu::BackendKind::cuda) wake_device();
}

void wake_device() {
    if (gpu::Device::current().kind() == gpu::BackendKind::host) return;
    static_cast<void>(gpu::full<float>({1}, 1.f));
    gpu::synchronize();
}

void Measurement::start() {
    start_.record();
    before_ = gpu::counts();
}

void Measurement::stop() {
    stop_.record();
    const gpu::Counts called = gpu::counts();
    gpu::synchronize();
    after_ = gpu::counts();  // by now, kernels that were still running have counted their barriers and atomics
    after_.synchronizations = called.synchronizations;
}

protocol::CountsRecord counts_record(const gpu::Counts& counts) noexcept {
    return {.copies_to_device = counts.copies_to_device,
            .copies_to_host = counts.copies_to_host,
            .copies_on_device = counts.copies_on_device,
            .bytes_to_device = counts.bytes_to_device,
            .bytes_to_host = counts.bytes_to_host,
            .bytes_on_device = counts.bytes_on_device,
            .allocations = counts.allocations,
            .bytes_allocated = counts.bytes_allocated,
            .synchronizations = counts.synchronizations,
            .launches = counts.launches,
            .barriers = counts.barriers,
            .atomics = counts.atomics,
            .copies_between_devices = counts.copies_between_devices,
            .bytes_between_devices = counts.bytes_between_devices,
            .pageable_async_copies = counts.pageable_async_copies,
            .streams_at_once = counts.streams_at_once,
            .copies_not_awaited = counts.copies_not_awaited};
}

double Measurement::device_us() const { return static_cast<double>(gpu::elapsed_ms(start_, stop_)) * 1000; }

}  // namespace course::runner
