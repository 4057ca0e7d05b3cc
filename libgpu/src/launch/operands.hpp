// SPDX-License-Identifier: MIT
#pragma once

#include <list>
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
    std::vector<const ArrayCore*> arrays;   ///< all input arrays, for device and shape
    Shape shape;                            ///< of the input arrays, broadcast together
    std::list<ArrayCore> evaluated;         ///< expressions that had to be evaluated first; bindings point here
};

/// Matches inputs by position, evaluates lazy ones, decides placeholders: given outputs first, then arrays from left to
/// right.
/// @throws DTypeError, ShapeError; Error for an output among the inputs
MatchedOperands match_operands(const std::string& kernel, const std::vector<DeclaredParameter>& inputs,
                               const std::vector<DeclaredParameter>& outputs, const std::vector<Operand>& operands);

/// The types that the parameters came to have, as part of a key.
std::string types_key(const std::vector<Binding>& bindings);

}  // namespace gpu::detail
