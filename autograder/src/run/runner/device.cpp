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

double Measurement::device_us() const { return static_cast<double>(gpu::elapsed_ms(start_, stop_)) * 1000; }

}  // namespace course::runner
