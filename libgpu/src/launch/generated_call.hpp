// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gpu/array_core.hpp>

#include "backend/backend.hpp"
#include "codegen/kernel_text.hpp"
#include "codegen/node.hpp"
#include "runtime/storage.hpp"

// Most calls repeat an earlier one with other addresses: their results are cached and found by signature.
namespace gpu::detail {

/// An array or a number of a call, in an order fixed by the signature.
struct CallOperand {
    const ArrayCore* array = nullptr;
    const Node* number = nullptr;
};

/// All that decides which kernel a call runs and what it gets, but for addresses and the values of numbers. First comes
/// what decides the kernel's text: with the parameters' kinds and the backend's plan, it is the text's key.
class CallSignature {
public:
    /// What makes a kernel begins it: "elementwise", and what tells kernels of that kind apart.
    explicit CallSignature(std::string_view kind) { add(kind); }

    /// What was added up to here decides the text.
    CallSignature& end_text() noexcept {
        text_size_ = bytes().size();
        return *this;
    }
    [[nodiscard]] std::string_view text() const noexcept { return bytes().substr(0, text_size_); }

    template <class T>
        requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
    CallSignature& add(T value) {
        return add_bytes(&value, sizeof value);
    }
    CallSignature& add(std::string_view text) { return add(text.size()).add_bytes(text.data(), text.size()); }
    CallSignature& add(const gpu::Extents& extents) {
        const int rank = extents.rank();
        return add(rank).add_bytes(extents.begin(), sizeof(std::int64_t) * static_cast<std::size_t>(rank));
    }
    CallSignature& add(Device device);
    /// Where it begins within 16 bytes belongs to it: what vector accesses ask for.
    CallSignature& add(const ArrayCore& array) {
        const auto slot = static_cast<unsigned char>(reinterpret_cast<std::uintptr_t>(address_of(array)) % 16);
        return add(array.dtype).add(array.shape).add(array.strides).add(slot);
    }

    /// False for a call with too many operands, which isn't cached.
    [[nodiscard]] bool fits() const noexcept { return fits_; }
    [[nodiscard]] std::string_view bytes() const noexcept {
        return fits_ ? std::string_view(bytes_, size_) : std::string_view(long_);
    }

private:
    CallSignature& add_bytes(const void* from, std::size_t count) {
        if (!fits_ || count > sizeof bytes_ - size_) [[unlikely]] return add_long(from, count);
        std::memcpy(bytes_ + size_, from, count);
        size_ += count;
        return *this;
    }
    CallSignature& add_long(const void* from, std::size_t count);

    char bytes_[1536];  // NOLINT: only what was added is read
    std::size_t size_ = 0, text_size_ = 0;
    bool fits_ = true;
    std::string long_;  // all of it, where it doesn't fit
};

/// What calls with one signature resolve to.
struct CachedLaunch {
    Device device;
    std::string signature = {};
    std::shared_ptr<LoadedKernel> kernel = {};
    Launch launch = {};  ///< its arguments' addresses and numbers are those of some call
    std::int64_t elements = 0;
    struct Source {
        std::size_t operand;  ///< index of the call's operand for an argument
        DType dtype;          ///< of the parameter
        bool is_output;
    };
    std::vector<Source> sources = {};
    Shape kept = {}, result = {};  ///< of a reduction's results, without the reduced axes and as its caller gets them
    DType dtype = DType::float32;  ///< of results that the call creates
};

/// Null if there is none. Thread-safe.
[[nodiscard]] std::shared_ptr<const CachedLaunch> find_cached(const CallSignature& signature);
/// May evict older calls.
void remember(std::shared_ptr<const CachedLaunch> call);

/// Stores a number's value in a parameter's type. @throws DTypeError for a complex number if the type isn't complex
void store_number(const Node& number, DType as, unsigned char* to);

/// Repeats the call with these operands, in its device's current stream.
void launch_cached(const CachedLaunch& call, std::span<const CallOperand> operands);

/// What one parameter of a generated kernel is bound to in a call: an array, or a number of the parameter's type.
struct Binding {
    Parameter parameter;
    DType dtype = DType::float32;
    const ArrayCore* array = nullptr;
    const Node* number = nullptr;
};

/// An array that a kernel of libgpu's own writes, and a double that it takes.
Binding output_binding(const char* name, const ArrayCore& array);
Binding number_binding(const char* name, const Node& number);

/// Asks for a call to be cached, under this signature and with these operands. It isn't if it uses anything else.
struct CachePolicy {
    const CallSignature* signature = nullptr;
    std::vector<CallOperand> operands = {};
    Shape kept = {}, result = {};  ///< see CachedLaunch
    DType dtype = DType::float32;
};

/// A call of an elementwise kernel over an index space.
struct ElementwiseCall {
    Device device;
    Shape shape;
    std::vector<Binding> bindings;
    std::string_view key;       ///< identifies the text but for the parameters' strides
    std::function<ElementwiseText()> text;   ///< without parameters, rank and plan; called on a miss only
    ElementwiseNeeds needs = {};
    CachePolicy keep = {};
};
void launch_elementwise(const ElementwiseCall& call);

/// A call of a reduction kernel; the last bindings are the outputs.
struct ReductionCall {
    Device device;
    Shape shape;                ///< of the inputs together
    std::vector<bool> reduced;  ///< one per axis
    std::vector<Binding> bindings;
    std::string_view key;
    std::function<ReductionText()> text;     ///< without parameters, ranks and plan
    bool in_order = false;      ///< the map uses `_J`: keep the row-major order of reduced elements
    std::size_t accumulator = 0;  ///< its bytes, if they are many more than an element's
    CachePolicy keep = {};
};
void launch_reduction(const ReductionCall& call);

}  // namespace gpu::detail
