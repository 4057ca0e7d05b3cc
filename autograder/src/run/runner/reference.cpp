// SPDX-License-Identifier: MIT
#include "run/runner/reference.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gpu/create.hpp>

#include "protocol/protocol_canaries.hpp"
#include "protocol/protocol_reference.hpp"

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

/// Two arrays on the device, the one copied to the other so often that all bytes are read and written. The last call's
/// are kept: memory that is new takes longer.
class Copies {
public:
    static Copies& of(std::uint64_t bytes) {
        static std::unique_ptr<Copies> kept;
        if (!kept || kept->bytes_ != bytes) {
            kept.reset();   // first, so that both aren't there together
            kept = std::make_unique<Copies>(bytes);
        }
        return *kept;
    }
    explicit Copies(std::uint64_t bytes) : bytes_(bytes) {
        constexpr std::uint64_t largest = std::uint64_t{1} << 26;   // of floats: 256 MiB
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

/// One result as the student's function gave it, of zeros.
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

}  // namespace course::runner
