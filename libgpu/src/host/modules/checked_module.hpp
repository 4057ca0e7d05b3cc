// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"

namespace gpu::detail::host {

/// A variable of a kernel's shared object, from its symbol table.
struct ModuleVariable {
    std::string name;          ///< "s" for "mul(float const*)::s"
    std::uint64_t offset = 0;  ///< in the thread's copy, or from the object's first byte
    std::size_t bytes = 0;
    bool is_shared = false;  ///< thread-local: a __shared__ variable
    bool is_constant = false;
    bool has_value = false;  ///< for a constant: its declaration initialises it
    unsigned element = 0;  ///< bytes of the numbers in it, by its declared type; 0: not known
};

/// An object's symbols: its variables, and the range of its instructions.
struct ModuleSymbols {
    std::vector<ModuleVariable> variables;  ///< by offset
    std::uint64_t text_begin = 0, text_end = 0, object_end = 0;
    std::uint64_t state_offset = 0;  ///< of gpu_state in the thread's copy
};
ModuleSymbols read_symbols(std::string_view object);

/// A site's place in the learner's text. No file: not known.
struct SourcePlace {
    std::string file;
    int line = 0;
};

/// The number of all sites after numbers have run out: a stamp holds none above.
inline constexpr unsigned unknown_site = (1U << 13) - 1;

/// A loaded kernel that was compiled for check mode: its variables, and its instructions' source lines.
class CheckedModule {
public:
    CheckedModule(std::string_view object, void* library, SourceText learners, const std::string& kernel);

    [[nodiscard]] const ModuleSymbols& symbols() const noexcept { return symbols_; }
    [[nodiscard]] const SourceText& learners() const noexcept { return learners_; }
    [[nodiscard]] std::uintptr_t base() const noexcept { return base_; }
    [[nodiscard]] std::uintptr_t text_begin() const noexcept { return base_ + symbols_.text_begin; }
    [[nodiscard]] bool is_text(std::uintptr_t address) const noexcept {
        return address - text_begin() < symbols_.text_end - symbols_.text_begin;
    }

    /// The host may have written this variable.
    void written_by_host(const std::string& name);
    /// True for constant memory that neither its declaration nor the host has set.
    [[nodiscard]] bool is_never_set(const ModuleVariable& variable);

    [[nodiscard]] std::size_t text_size() const noexcept { return symbols_.text_end - symbols_.text_begin; }
    /// Numbers of sites, by offset from text_begin(): 0 until number_site() assigns one.
    [[nodiscard]] const std::uint16_t* site_numbers() const noexcept { return numbers_.data(); }
    unsigned number_site(std::size_t offset);
    /// An offset beyond all instructions that stands for a line of the learner's text; 0 if there is no such line.
    [[nodiscard]] std::size_t site_of_line(int line) const noexcept;
    /// The offset of a number from number_site().
    [[nodiscard]] std::size_t site_offset(unsigned number);

    /// The learner's line of a call that returns to `offset`: the innermost one outside the prelude.
    [[nodiscard]] SourcePlace place(std::size_t offset);
    /// Looks up all of these at once.
    void find_places(const std::vector<std::size_t>& offsets);

    /// Lines of the learner's text that compute in double precision, in this kernel and in functions that aren't
    /// kernels: once per place.
    [[nodiscard]] const std::vector<int>& double_lines() const noexcept { return double_lines_; }

    /// True if what a thread sees may depend on the order of blocks and warps even without races: the text has atomics
    /// or volatile accesses. False for a kernel that can't be repeated: one that prints, or uses the heap.
    [[nodiscard]] bool may_depend_on_order() const noexcept { return may_depend_on_order_; }

    /// A line of the learner's text, numbered as in compile errors.
    [[nodiscard]] std::string line_text(int line) const;

    /// "s" for `extern __shared__ float s[];`, or "shared memory" if there is none.
    [[nodiscard]] std::string dynamic_shared_name() const;
    /// The lengths in the declaration of "tile" in the learner's text: {16, 17} for `__shared__ float tile[16][17]`,
    /// with 0 for a length that isn't a plain number.
    [[nodiscard]] std::vector<std::size_t> declared_lengths(const std::string& variable) const;
    /// The type in its declaration: "float"; empty if unknown.
    [[nodiscard]] std::string declared_type(const std::string& variable) const;

private:
    const std::string object_;
    const SourceText learners_;
    ModuleSymbols symbols_;
    std::uintptr_t base_ = 0;
    std::mutex mutex_;
    std::ptrdiff_t lines_ = 0;  // of the learner's text
    std::vector<std::uint16_t> numbers_;
    std::vector<std::size_t> offsets_;
    std::map<std::size_t, SourcePlace> places_;
    std::set<std::string> written_;  ///< variables written by the host
    std::vector<int> double_lines_;
    bool may_depend_on_order_ = false;
};

}  // namespace gpu::detail::host
