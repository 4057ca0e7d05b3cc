// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "cuda/compile/walk_text.hpp"

namespace gpu::detail::cuda {

// A skeleton is the CUDA C++ around a text. All are pure: text in, text out. They include no header, so that a kernel
// compiles in about 20 ms. Names of ours start with `_`; learners' names don't.

/// A kernel for one launch of ElementwiseParts, whose threads share the elements as `work` says.
[[nodiscard]] KernelSource elementwise_skeleton(const ElementwiseText& text);

/// A kernel that maps and reduces. Where an output is split over several blocks it leaves partial results.
[[nodiscard]] KernelSource reduction_skeleton(const ReductionText& text);

/// The kernel that joins these. It gets the same arguments but for the inputs that are mapped, so reductions that
/// differ in their maps share it. Both combine in a fixed order: same input, same bits.
[[nodiscard]] KernelSource join_skeleton(const ReductionText& text);

/// The learner's text as it is. With a signature, an entry is a name expression that makes NVRTC check it.
[[nodiscard]] KernelSource raw_skeleton(const RawText& text);

/// The most bytes that a reduction's accumulator may have.
inline constexpr int largest_accumulator = 64;

// Pieces that the two generated kinds share.

/// Fixed-width integers, INFINITY and NAN, complex numbers if the preamble or another text of the learner's names them;
/// then the typedefs and the preamble.
void add_prelude(SourceWriter& writer, const std::string& typedefs, const Snippet& preamble,
                 const std::string& all_text);
/// The text of `_Strided`, an array of so many axes.
[[nodiscard]] std::string strided_type(int axes);
/// The type of raw parameters, if there are any. Behind the prelude.
void add_raw(SourceWriter& writer, const std::vector<Parameter>& parameters);
/// "const float* _x" or "const _Strided<const float> _x" or "const float _x": how the kernel takes it.
[[nodiscard]] std::string kernel_parameter(const Parameter& parameter);
/// "const float x" or "float& x": how the learner's text sees it. Inputs go by value: each is loaded once, and where a
/// kernel works in place, they don't change with the outputs.
[[nodiscard]] std::string learners_parameter(const Parameter& parameter);
/// "_c0 * _x.strides[0] + _c1 * _x.strides[1]" for `count` axes from `first`, with `cast` before each factor; "0" for
/// none.
[[nodiscard]] std::string offset(const std::string& array, int first, int count, const std::string& cast = "");

/// An array whose element at an index is mapped by a reduction.
[[nodiscard]] bool is_mapped(const Parameter& parameter);

/// Coordinates of the linear index `_rest` along axes [first, first + count).
[[nodiscard]] std::string coordinates(int first, int count);

/// Writes what a reduction's kernel does with its inputs.
class ReductionInputs {
public:
    explicit ReductionInputs(const PlannedReduction& text);

    /// Where output `_o` begins, at the split's first element, as `NAME_at`; if a thread has several outputs, one each.
    [[nodiscard]] std::string starts() const;
    [[nodiscard]] std::string pointers() const;

    /// What packs are loaded into: `NAME_v`.
    [[nodiscard]] std::string packs(const std::string& count) const;
    [[nodiscard]] std::string elements(const std::string& count) const;

    /// Loads at `_at`, an offset among the split's elements, into slot `_u`.
    [[nodiscard]] std::string load_packs() const;
    [[nodiscard]] std::string load_elements() const;
    /// The same at one place of several outputs, in slot `_k` each: a pack, or the element there.
    [[nodiscard]] std::string load_together(bool is_pack) const;

    /// The mapped element of a slot, of a pack one element; `at` is its place in the split.
    [[nodiscard]] std::string mapped(bool is_pack, const std::string& at, const std::string& slot = "_u",
                                     const std::string& element = "_k") const;

private:
    template <class F>
    [[nodiscard]] std::string each(F line) const;

    /// True if a thread's outputs lie anywhere.
    [[nodiscard]] bool has_several() const { return text_.walk.is_short || (by_column_ && !is_packed_); }
    /// True if one element serves a whole pack.
    [[nodiscard]] bool is_one(const Parameter& parameter) const;

    /// The coordinates along several reduced axes.
    [[nodiscard]] std::string cuts() const;
    /// Element by element the multiplications count, and have 32 bits where they may.
    [[nodiscard]] std::string cast() const { return is_packed_ ? "" : "(_Offset)"; }
    [[nodiscard]] std::string along_of(const Parameter& parameter, const std::string& array) const;

    const PlannedReduction& text_;
    const bool by_column_, is_packed_;
    const int kept_, reduced_;
};

}  // namespace gpu::detail::cuda
