// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"

namespace gpu::detail::cuda {

/// Writes the code around the calls of an elementwise kernel's body, `_element(...)`: how threads find, load and store
/// their elements. A thread finishes its current loads before it stores.
class WalkText {
public:
    explicit WalkText(const ElementwiseText& text);

    /// The structs that the launch passes: prefixes of those in launch/kernel_space.hpp.
    [[nodiscard]] std::string space() const;
    /// Types and functions that the threads' code needs, after the body.
    [[nodiscard]] std::string helpers() const;
    /// The kernel's statements.
    [[nodiscard]] std::string threads() const;
    [[nodiscard]] ThreadWork work() const;

private:
    [[nodiscard]] std::string packs() const;
    [[nodiscard]] std::string first_pack() const;
    [[nodiscard]] std::string one_by_one() const;
    [[nodiscard]] std::string elements() const;
    [[nodiscard]] std::string tiles() const;
    [[nodiscard]] std::string tile_places() const;
    [[nodiscard]] std::string tile_loads(const std::vector<const Parameter*>& arrays) const;
    [[nodiscard]] std::string tile_elements() const;
    [[nodiscard]] std::string in_tile(const Parameter& one, const std::string& deep, const std::string& across,
                                      const std::string& last) const;
    [[nodiscard]] std::string staged() const;
    [[nodiscard]] std::string coordinates(const std::string& indent) const;
    [[nodiscard]] std::string element_at(const Parameter& parameter) const;
    [[nodiscard]] std::string index() const;
    template <class F>
    [[nodiscard]] std::string call(const std::string& index, F argument) const;

    const ElementwiseText& text_;
    std::vector<const Parameter*> walked_;  // the arrays whose elements the body uses
    std::vector<const Parameter*> outputs_;
    ElementWalk walk_ = ElementWalk::packs;
    int rank_ = 1;
    int each_ = 4;              // elements that a thread loads at a time, without packs
    bool is_deep_ = false;      // a tile has three axes
    bool has_coordinates_ = false;
};

/// Builds a kernel's text with correct line numbers: a learner's snippet is announced by its own file and line, what
/// follows it by "libgpu generated" and the line in the generated text.
class SourceWriter {
public:
    /// Adds our own text, which must end with a newline.
    SourceWriter& add(std::string_view text);

    enum class Ending { nothing, semicolon, last };
    /// Adds a snippet on lines of its own. A statement gets an extra `;`, so that a missing one is accepted. After the
    /// last snippet, nothing is announced.
    SourceWriter& add(const Snippet& snippet, Ending ending = Ending::nothing);
    /// Adds our own text that begins with a #line directive.
    SourceWriter& add_announced(std::string_view text);
    /// Adds the head of a function around a learner's text: "static __device__ float _map(", "float x", ")".
    SourceWriter& add_head(std::string_view before, std::string_view parameters, std::string_view behind);

    /// The complete text as a kernel's source.
    [[nodiscard]] KernelSource take(const std::string& name, std::vector<std::string> entries,
                                    const std::vector<std::string>& options);

private:
    void announce(int line, std::string_view file);

    std::string text_, heads_;
    std::vector<std::size_t> marks_;
    int lines_ = 0;   ///< whole lines in text_
};

/// `#line 7 "add.cu"`, with the name escaped.
[[nodiscard]] std::string line_directive(int line, std::string_view file);

/// A kernel's name as a part of an identifier: anything but letters, digits and `_` becomes `_`.
[[nodiscard]] std::string identifier(std::string_view name);

}  // namespace gpu::detail::cuda
