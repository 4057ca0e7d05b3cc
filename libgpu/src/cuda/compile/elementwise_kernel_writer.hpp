// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "cuda/plan/thread_mapping.hpp"

namespace gpu::detail::cuda {

/// A parameter, and how its array lies along the last axis.
struct WalkedParameter : Parameter {
    AccessPattern access = AccessPattern::any;
};

/// What surrounds the calls of an elementwise kernel's body, `_element(...)`: how threads find their elements, how
/// these are loaded and stored. A thread loads what it has in hand before it stores any of it.
class ElementwiseKernelWriter {
public:
    explicit ElementwiseKernelWriter(const PlannedElementwise& text);

    /// The structs that the launch passes: prefixes of those in launch/kernel_space.hpp; and what the body learns.
    [[nodiscard]] std::string space() const;
    /// What the threads need behind the body, and the kernel.
    [[nodiscard]] std::string kernel(const std::string& entry) const;
    [[nodiscard]] ThreadWork work() const;

private:
    [[nodiscard]] std::string constants() const;
    [[nodiscard]] std::string members() const;
    [[nodiscard]] std::string packs() const;
    [[nodiscard]] std::string first_output() const;
    [[nodiscard]] std::string staged() const;
    [[nodiscard]] std::string one_by_one() const;
    [[nodiscard]] std::string walk() const;
    struct TileText { std::string members, start; };  // of `_Arrays`; a macro that the kernel begins with
    [[nodiscard]] TileText shared_tiles() const;
    [[nodiscard]] TileText tile_reader(AccessPattern access) const;
    [[nodiscard]] std::string tile_places() const;
    [[nodiscard]] std::string tile_elements() const;
    [[nodiscard]] std::string tile_step(const WalkedParameter& one) const;
    [[nodiscard]] std::string in_tile(const WalkedParameter& one, const std::string& deep, const std::string& across,
                                      const std::string& last) const;
    [[nodiscard]] std::string coordinates() const;
    [[nodiscard]] std::string place() const;
    [[nodiscard]] std::string element_at(const WalkedParameter& parameter) const;
    [[nodiscard]] std::string index() const;
    template <class F>
    [[nodiscard]] std::string call(const std::string& index, F argument) const;

    const PlannedElementwise& text_;
    std::vector<WalkedParameter> parameters_;
    std::vector<const WalkedParameter*> walked_;  // the arrays of which the body sees an element
    std::vector<const WalkedParameter*> outputs_;
    Traversal walk_ = Traversal::packs;
    int rank_ = 1;
    int each_ = 4;              // elements that a thread loads at a time, without packs
    bool is_deep_ = false;      // a tile has three axes
    bool has_coordinates_ = false;
};

}  // namespace gpu::detail::cuda
