// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gpu/dtype.hpp>

#include "codegen/kernel_text.hpp"
#include "codegen/node.hpp"

// One kernel for several reductions over the same rows: softmax, layer norm, cosine similarity.
namespace gpu::detail {

/// How the threads of a block share rows of n elements.
struct RowLayout {
    int lanes = 32;          ///< threads of a row: a power of two; beyond 32, all of a block
    int threads = 256;       ///< of a block
    int packs = 1;           ///< loads of a thread, all before the first step; 0: each step reads the row again
    int pack = 1;            ///< neighbours in one load, which divide n
    bool in_shared = false;  ///< without packs: the row is kept in dynamic shared memory, see shared_row_bytes()
};

/// An array of the expressions, as one row sees it.
struct RowInput {
    enum class Kind : unsigned char {
        elements,  ///< one element a place
        number,    ///< one element a row
        result     ///< what an earlier step has left
    };
    Kind kind = Kind::elements;
    DType dtype = DType::float32;
};

/// Two reductions that one step finds.
enum class RowPair : unsigned char {
    none,          ///< only one
    moments,       ///< a variance, and the mean: deviations from the row's first element, and their squares, in double
    exponentials,  ///< the sum of exp(x - m), and m, the maximum: sums are scaled where a larger element comes
};

/// A reduction of a row: `text` is that of recipe_text() or row_pair_text() over the expression of its elements.
struct RowStep {
    ReductionText text;
    const Node* elements = nullptr;
    std::optional<std::size_t> result = {};  ///< the array that it makes: 2 for a2
    bool takes_p = false;
    RowPair pair = RowPair::none;
    std::optional<std::size_t> other = {};  ///< the array of the mean or maximum
};

/// An expression over what the steps have left.
struct RowOutput {
    const Node* value = nullptr;
    bool has_elements = true;  ///< false: one a row
};

/// Steps in their order, then the outputs.
struct RowProgram {
    std::string name;              ///< the kernel's
    std::vector<RowInput> inputs;  ///< for a0, a1, ...
    std::vector<RowStep> steps;
    std::vector<RowOutput> outputs;

    [[nodiscard]] bool has_moments() const;
};

/// The text of a step for two. The elements of moments are doubles, and p is one over the variance's divisor.
ReductionText row_pair_text(RowPair pair, DType element, DType result, bool is_stddev, const std::string& text);

/// What `gpu_exponentials{x, 1}` are, pairs of a maximum and a sum, and gpu_joined() and gpu_sum() of them; T is their
/// type.
std::string exponentials_text(DType element);

/// The text of one of the expressions, for a step's `text`: only what it has itself more than once gets a name in it.
std::string row_expression_text(const Node& root, const Flattened& parts);

/// The dynamic shared memory of a block that keeps its row there.
std::int64_t shared_row_bytes(const RowProgram& program, const Flattened& parts, std::int64_t n);

/// name(out, x0, x0_step, x1, ..., s0, ..., p0, ..., rows, n, share): the outputs; arrays that aren't results, each
/// with its step from row to row, a long long; the numbers of the expressions; a double for each step that takes p; two
/// long longs; with moments, 1 / n. Rows of outputs are dense. Several outputs are called out0, out1, ...
RawText rows_text(const RowProgram& program, const Flattened& parts, const RowLayout& layout);

}  // namespace gpu::detail
