// SPDX-License-Identifier: MIT
#include "run/runner/reference.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gpu/create.hpp>
#include <gpu/device.hpp>
#include <gpu/raw_kernel.hpp>

#include "protocol/protocol.hpp"
#include "protocol/protocol_canaries.hpp"

namespace course::runner {
namespace {

using binding::Argument;
using binding::Place;
using binding::Results;
using binding::Storage;
using binding::ValueType;

ValueType type_of(protocol::ValueType type) {
    return {static_cast<Place>(type.place), static_cast<std::uint32_t>(type.type)};
}

/// Two arrays on the device; one is copied to the other repeatedly until all bytes are read and written. They are kept
/// for the next call: new memory is slower.
class Copies {
public:
    static Copies& of(std::uint64_t bytes) {
        static std::unique_ptr<Copies> kept;
        if (!kept || kept->bytes_ != bytes) {
            kept.reset();   // first, so that both don't exist at the same time
            kept = std::make_unique<Copies>(bytes);
        }
        return *kept;
    }
    explicit Copies(std::uint64_t bytes) : bytes_(bytes) {
        constexpr std::uint64_t largest = std::uint64_t{1} << 26;   // in floats: 256 MiB
        const std::uint64_t floats = std::max<std::uint64_t>(bytes / 2 / sizeof(float), 1);
        count_ = (floats + largest - 1) / largest;
        from_ = gpu::zeros<float>({static_cast<std::int64_t>(floats / count_)});
        to_ = gpu::zeros<float>({static_cast<std::int64_t>(floats / count_)});
    }
    void make() {
        for (std::uint64_t k = 0; k < count_; ++k) to_ = from_;
    }

private:
    std::uint64_t bytes_, count_ = 0;
    gpu::Array<float> from_, to_;
};

/// One result with the shape of the student's, filled with zeros.
class DeliveredResult {
public:
    DeliveredResult(ValueType type, std::vector<std::int64_t> shape) : type_(type), shape_(std::move(shape)) {
        bytes_ = protocol::element_bytes(static_cast<protocol::Type>(type.type));
        for (const std::int64_t length : shape_) {
            if (length < 0 || __builtin_mul_overflow(bytes_, static_cast<std::size_t>(length), &bytes_))
                throw std::length_error("a result of the reference is too large");
        }
        const auto size = static_cast<std::int64_t>(bytes_);
        if (type.place == Place::device_array) on_device_ = gpu::zeros<std::uint8_t>({size});
        else on_host_.resize(bytes_);
    }
    void deliver(Results& to) const {
        std::byte* const room = to.add(type_, shape_, bytes_, binding::returned);
        if (type_.place == Place::device_array) on_device_.copy_to({reinterpret_cast<std::uint8_t*>(room), bytes_});
        else if (bytes_ > 0) std::memcpy(room, on_host_.data(), bytes_);
    }

private:
    ValueType type_;
    std::vector<std::int64_t> shape_;
    std::size_t bytes_ = 0;
    gpu::Array<std::uint8_t> on_device_;
    std::vector<std::byte> on_host_;
};

class ReferenceCall final : public binding::Call {
public:
    static std::unique_ptr<binding::Call> prepare(std::span<const Argument> arguments) {
        return std::make_unique<ReferenceCall>(arguments[0], arguments[1]);
    }
    ReferenceCall(const Argument& bytes, const Argument& shapes) : copies_(Copies::of(number(bytes))) {
        std::vector<std::int64_t> left(shapes.bytes.size() / sizeof(std::int64_t));
        if (!left.empty()) std::memcpy(left.data(), shapes.bytes.data(), left.size() * sizeof(std::int64_t));
        std::span<const std::int64_t> rest(left);
        while (!rest.empty()) {
            const auto rank = rest.size() < 3 || rest[2] < 0 ? rest.size() : static_cast<std::size_t>(rest[2]);
            if (rank + 3 > rest.size()) throw std::invalid_argument("the shapes for the reference are cut off");
            const protocol::ValueType type{static_cast<protocol::Place>(rest[0]), static_cast<protocol::Type>(rest[1])};
            const auto lengths = rest.subspan(3, rank);
            results_.emplace_back(type_of(type), std::vector(lengths.begin(), lengths.end()));
            rest = rest.subspan(3 + rank);
        }
    }
    Storage storage(std::size_t) override { return {}; }
    void invoke() override { copies_.make(); }
    void take_returned(Results& to) override {
        for (const DeliveredResult& one : results_) one.deliver(to);
    }
    void take_in_out(Results&) override {}
    void take_inputs(Results&) override {}

private:
    static std::uint64_t number(const Argument& argument) {
        std::uint64_t value = 0;
        std::memcpy(&value, argument.bytes.data(), sizeof value);
        return value;
    }

    Copies& copies_;
    std::vector<DeliveredResult> results_;
};

}  // namespace

const binding::Function* reference_functions() {
    static const std::array takes{type_of(protocol::reference_bytes), type_of(protocol::reference_shapes)};
    static const binding::Function function{
        .name = protocol::reference_name, .takes = takes, .prepare = &ReferenceCall::prepare, .next = nullptr};
    return &function;
}

namespace {

using protocol::CanaryRecord;

/// The elements that one launch writes; parameters may have 4 KiB.
struct TrueElements {
    static constexpr int max_count = 128;
    unsigned long long address[max_count], value[max_count];
    unsigned char bytes[max_count];
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
    kernel({.grid = 1, .block = TrueElements::max_count}, elements);
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
    const std::uint64_t count = std::min(page.count, protocol::max_canaries);
    for (std::uint64_t k = 0; k < count; ++k) {
        const CanaryRecord record = page.records[k];   // copied once: the page may change meanwhile
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
        if (elements.count == TrueElements::max_count) {
            launch(elements);
            elements.count = 0;
        }
    }
    if (elements.count > 0) launch(elements);
}

}  // namespace course::runner
