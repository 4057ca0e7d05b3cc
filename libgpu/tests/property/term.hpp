// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "property/trial.hpp"
#include "property/operations.hpp"

namespace property {

/// The library refused what it should refuse: the case is right.
struct RightlyRefused {};

/// A random expression over random inputs: what libgpu makes of it, what the reference says, and how it is written.
class Expression {
public:
    /// `plan` decides the operations and types, `draw` the shape's lengths and the values.
    Expression(Random& plan, Random& draw, int size, int max_operations);

    [[nodiscard]] const std::vector<Input>& inputs() const noexcept { return inputs_; }
    [[nodiscard]] gpu::DType dtype() const { return terms_.back().dtype; }
    /// The shape that all operands broadcast to, whether the expression uses all of them or not.
    [[nodiscard]] const gpu::Shape& full_shape() const noexcept { return full_shape_; }

    /// Builds libgpu's expression anew (inputs may have been written since). Throws RightlyRefused where libgpu does
    /// so, and must: at a number that its array's integers don't hold.
    [[nodiscard]] gpu::detail::NodePointer node() const;
    [[nodiscard]] Elements reference() const { return reference_of(terms_.back()); }
    [[nodiscard]] const std::string& spelling() const { return terms_.back().spelling; }
    /// C++ that makes the inputs.
    [[nodiscard]] std::string definitions() const;

private:
    struct Term {
        enum class Kind : std::uint8_t { input, number, cast, operation };
        Term(Kind kind_, std::size_t index_, std::vector<std::size_t> operands_, gpu::DType dtype_,
             std::string spelling_)
            : kind(kind_),
              index(index_),
              operands(std::move(operands_)),
              dtype(dtype_),
              spelling(std::move(spelling_)) {}

        Kind kind;
        std::size_t index;  ///< of the input, or of the row in the table
        std::vector<std::size_t> operands;
        gpu::DType dtype;
        std::string spelling;
        Value number;
    };

    bool add_operation(Random& plan, Random& draw);
    void add_cast(Random& plan);
    std::size_t add_number(gpu::DType beside, bool divisor, Random& plan, Random& draw);
    [[nodiscard]] bool has_unfit_number(const Term& term) const;
    [[nodiscard]] bool is_refused(const Term& term) const;
    [[nodiscard]] Value value_of(const Term& term) const;
    [[nodiscard]] Elements reference_of(const Term& term) const;

    gpu::Shape full_shape_;
    std::vector<Input> inputs_;
    std::vector<Term> terms_;
};

}  // namespace property
