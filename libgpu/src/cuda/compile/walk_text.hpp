// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "codegen/kernel_text.hpp"

namespace gpu::detail::cuda {

/// What surrounds the calls of an elementwise kernel's body, `_element(...)`: how threads find their elements, how
/// these are loaded and stored. A thread loads what it has in hand before it stores any of it.
class WalkText {
public:
    explicit WalkText(const ElementwiseText& text);

    /// The structs that the launch passes: prefixes of those in launch/elementwise_space.hpp.
    [[nodiscard]] std::string space() const;
    /// Types and functions that the threads need, behind the body.
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
    std::vector<const Parameter*> walked_;  // the arrays of which the body sees an element
    std::vector<const Parameter*> outputs_;
    ElementWalk walk_ = ElementWalk::packs;
    int rank_ = 1;
    int each_ = 4;              // elements that a thread has in hand, where they aren't packs
    bool is_deep_ = false;      // a tile has three axes
    bool has_coordinates_ = false;
};

}  // namespace gpu::detail::cuda
