// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "codegen/kernel_text.hpp"

namespace gpu::detail::cuda {

/// An array whose element at an index is mapped by a reduction.
[[nodiscard]] bool is_mapped(const Parameter& parameter);

/// Coordinates of the linear index `_rest` along axes [first, first + count).
[[nodiscard]] std::string coordinates(int first, int count);

/// Writes what a reduction's kernel does with its inputs.
class ReductionInputs {
public:
    explicit ReductionInputs(const ReductionText& text);

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

    const ReductionText& text_;
    const bool by_column_, is_packed_;
    const int kept_, reduced_;
};

}  // namespace gpu::detail::cuda
