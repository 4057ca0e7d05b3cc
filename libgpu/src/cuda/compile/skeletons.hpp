// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "cuda/compile/walk_text.hpp"

namespace gpu::detail::cuda {

// A skeleton is the CUDA C++ around a text. All functions are pure: text in, text out. Skeletons include no header, so
// that a kernel compiles in about 20 ms. Our names start with `_`; learners' names don't.

/// A kernel for one launch of ElementwiseParts, whose threads divide the elements as `work` says.
[[nodiscard]] KernelSource elementwise_skeleton(const ElementwiseText& text);

/// A kernel that maps and reduces. An output that is split over several blocks gets partial results.
[[nodiscard]] KernelSource reduction_skeleton(const ReductionText& text);

/// The kernel that joins these. It takes the same arguments except the mapped inputs, so reductions that differ only in
/// their maps share it. Both kernels combine in a fixed order: same input, same bits.
[[nodiscard]] KernelSource join_skeleton(const ReductionText& text);

/// The learner's text unchanged. With a signature, an entry is a name expression that makes NVRTC check it.
[[nodiscard]] KernelSource raw_skeleton(const RawText& text);

/// The maximum size in bytes of a reduction's accumulator.
inline constexpr int largest_accumulator = 64;

// Parts that the two generated kinds share.

/// Adds fixed-width integers, INFINITY and NAN, and complex numbers if the preamble or another of the learner's texts
/// names them; then the typedefs and the preamble.
void add_prelude(SourceWriter& writer, const std::string& typedefs, const Snippet& preamble,
                 const std::string& all_text);
/// The text of `_Strided`, an array with this many axes.
[[nodiscard]] std::string strided_type(int axes);
/// Adds the type of raw parameters, if there are any. Call it after add_prelude().
void add_raw(SourceWriter& writer, const std::vector<Parameter>& parameters);
/// "const float* _x", "const _Strided<const float> _x" or "const float _x": the kernel's parameter.
[[nodiscard]] std::string kernel_parameter(const Parameter& parameter);
/// "const float x" or "float& x": the parameter of the learner's text. Inputs are passed by value: each is loaded once
/// and, if a kernel works in place, doesn't change with the outputs.
[[nodiscard]] std::string learners_parameter(const Parameter& parameter);
/// "_c0 * _x.strides[0] + _c1 * _x.strides[1]" for `count` axes from `first`, with `cast` before each factor; "0" if
/// there are none.
[[nodiscard]] std::string offset(const std::string& array, int first, int count, const std::string& cast = "");

/// True for an array of which a reduction maps one element per index.
[[nodiscard]] bool is_mapped(const Parameter& parameter);

/// Coordinates of the linear index `_rest` along axes [first, first + count).
[[nodiscard]] std::string coordinates(int first, int count);

/// Writes how a reduction's kernel loads its inputs.
class ReductionInputs {
public:
    explicit ReductionInputs(const ReductionText& text);

    /// Declares the start of output `_o`, at the split's first element, as `NAME_at`; one per output if a thread has
    /// several.
    [[nodiscard]] std::string starts() const;
    [[nodiscard]] std::string pointers() const;

    /// Declares the packs to load into: `NAME_v`.
    [[nodiscard]] std::string packs(const std::string& count) const;
    [[nodiscard]] std::string elements(const std::string& count) const;

    /// Loads at `_at`, an offset among the split's elements, into slot `_u`.
    [[nodiscard]] std::string load_packs() const;
    [[nodiscard]] std::string load_elements() const;
    /// The same at one offset for several outputs, each into its slot `_k`: a pack, or the element there.
    [[nodiscard]] std::string load_together(bool is_pack) const;

    /// The mapped element of a slot, or of one element of its pack; `at` is its index in the split.
    [[nodiscard]] std::string mapped(bool is_pack, const std::string& at, const std::string& slot = "_u",
                                     const std::string& element = "_k") const;

private:
    template <class F>
    [[nodiscard]] std::string each(F line) const;

    /// True if a thread's outputs aren't contiguous.
    [[nodiscard]] bool has_several() const { return text_.walk.is_short || (by_column_ && !is_packed_); }
    /// True if one element serves a whole pack.
    [[nodiscard]] bool is_one(const Parameter& parameter) const;

    /// Declares the coordinates along several reduced axes.
    [[nodiscard]] std::string cuts() const;
    /// For single elements, the multiplications matter: they use 32 bits where possible.
    [[nodiscard]] std::string cast() const { return is_packed_ ? "" : "(_Offset)"; }
    [[nodiscard]] std::string along_of(const Parameter& parameter, const std::string& array) const;

    const ReductionText& text_;
    const bool by_column_, is_packed_;
    const int kept_, reduced_;
};

}  // namespace gpu::detail::cuda
