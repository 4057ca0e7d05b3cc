// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gpu/expression.hpp>
#include <gpu/reduction_call.hpp>

#include "codegen/parameter_list.hpp"
#include "launch/generated_call.hpp"

namespace gpu::detail {

/// The operands of one call of a user's kernel, matched with its parameters.
struct MatchedOperands {
    Placeholders placeholders;
    std::vector<Binding> inputs;
    std::vector<const ArrayCore*> arrays;  ///< all input arrays, to find the device
    bool has_loop = false;                 ///< some input array isn't raw
    Shape shape;                           ///< of the input arrays that aren't raw, broadcast together
    std::list<ArrayCore> outputs;          ///< those that were passed
    std::list<ArrayCore> evaluated;        ///< expressions that had to be evaluated first; bindings point here
};

/// Matches inputs by position, evaluates lazy ones, decides placeholders: passed outputs first, then arrays from left
/// to right.
/// @throws DTypeError, ShapeError; Error for a wrong number of operands, an output among the inputs, a raw number
MatchedOperands match_operands(const std::string& kernel, const std::vector<ListedParameter>& inputs,
                               const std::vector<ListedParameter>& outputs,
                               const std::vector<const Operand*>& operands);

/// The outputs' bindings, with the types that the placeholders were given.
std::vector<Binding> bind_outputs(const std::vector<ListedParameter>& declared, const std::list<ArrayCore>& outputs);

/// @throws Error if a program asks for a number of results other than the kernel's number of outputs; 0 accepts any
void check_result_count(const std::string& kernel, std::size_t outputs, std::size_t wanted);

/// @throws Error if two of them share elements
void check_disjoint(const std::string& kernel, const std::vector<ListedParameter>& declared,
                    const std::list<ArrayCore>& outputs);

/// A call of a kernel with its operands unevaluated: it may repeat an earlier one.
struct PlainCall {
    /// @param kernel a number unique to the kernel in this process
    PlainCall(std::string_view kind, std::uint64_t kernel, const std::vector<const Operand*>& operands);

    /// Nothing if an operand has to be evaluated first, arrays are on two devices, or there are several outputs.
    std::optional<CallSignature> signature;
    std::vector<CallOperand> inputs;      ///< arrays and numbers, with capacity for an output
    const ArrayCore* output = nullptr;    ///< the last operand, if that is one
};

/// True if the numbers of such a call can be converted like those of the known one. Outputs may still be missing.
[[nodiscard]] bool numbers_fit(const CachedLaunch& known, const std::vector<CallOperand>& inputs);

/// A unique number for each kernel that a program creates: an address may be reused by a later kernel.
[[nodiscard]] std::uint64_t next_kernel_number() noexcept;

/// While one exists, the stream is this thread's current one on its device; has no effect if it already is.
class StreamScope {
public:
    [[nodiscard]] explicit StreamScope(StreamRef stream);

    /// @throws DeviceError if the stream is another device's
    void check(Device device) const;

private:
    StreamRef stream_;
    std::optional<DeviceGuard> device_;
    std::optional<StreamGuard> guard_;
};

/// A kernel's options, as part of a key.
std::string options_key(const std::vector<std::string>& options);

/// The types that the parameters were given, as part of a key.
std::string types_key(const std::vector<Binding>& bindings);

/// The reduced axes, and the result's shape. @throws AxisError
struct ReducedShape {
    std::vector<bool> reduced;
    Shape kept;              ///< without the reduced axes: what the kernel writes
    Shape result;            ///< for the caller: the same, or with ones for keepdims
    std::int64_t count = 1;  ///< elements per result
};
ReducedShape reduced_shape(const Shape& shape, const ReduceOptions& options);
/// A dense array of the kept axes in the caller's shape.
ArrayCore with_result_shape(ArrayCore kept, const ReducedShape& shapes);

/// The array to be filled, without the reduced axes.
ArrayCore kept_axes(const ArrayCore& out, const ReducedShape& shapes, bool keepdims);

}  // namespace gpu::detail
