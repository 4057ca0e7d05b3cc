// SPDX-License-Identifier: MIT
#pragma once

#include <list>
#include <optional>
#include <string>
#include <vector>

#include <gpu/operand.hpp>

#include "codegen/parameter_list.hpp"
#include "launch/generated_call.hpp"

namespace gpu::detail {

/// The operands of one call of a user's kernel, matched with its parameters.
struct MatchedOperands {
    Placeholders placeholders;
    std::vector<Binding> inputs;
    std::vector<const ArrayCore*> arrays;  ///< all input arrays, for the device
    bool has_loop = false;                 ///< some input array isn't raw
    Shape shape;                           ///< of the input arrays that aren't raw, broadcast together
    std::list<ArrayCore> outputs;          ///< those that were given
    std::list<ArrayCore> evaluated;        ///< expressions that had to be evaluated first; bindings point here
};

/// Matches inputs by position, evaluates lazy ones, decides placeholders: given outputs first, then arrays from left to
/// right.
/// @throws DTypeError, ShapeError; Error for a wrong number of operands, an output among the inputs, a raw number
MatchedOperands match_operands(const std::string& kernel, const std::vector<ListedParameter>& inputs,
                               const std::vector<ListedParameter>& outputs, const std::vector<Operand>& operands);

/// The outputs' bindings, in the types that the placeholders came to have.
std::vector<Binding> bind_outputs(const std::vector<ListedParameter>& declared, const std::list<ArrayCore>& outputs);

/// @throws Error if a program wants another number of results than the kernel has outputs; 0 takes any
void check_result_count(const std::string& kernel, std::size_t outputs, std::size_t wanted);

/// @throws Error if two of them share elements
void check_disjoint(const std::string& kernel, const std::vector<ListedParameter>& declared,
                    const std::list<ArrayCore>& outputs);

/// While it lives, the stream is this thread's current one on its device; nothing, if it is the current one anyway.
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

/// The types that the parameters came to have, as part of a key.
std::string types_key(const std::vector<Binding>& bindings);

}  // namespace gpu::detail
