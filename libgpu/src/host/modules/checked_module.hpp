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
    std::string name;          ///< "s" of "mul(float const*)::s"
    std::uint64_t offset = 0;  ///< of the thread's copy, or of the object's first byte
    std::size_t bytes = 0;
    bool is_shared = false;  ///< thread-local: a __shared__ variable
    bool is_constant = false;
    bool has_value = false;  ///< a constant one: its declaration gives it one
    unsigned element = 0;  ///< bytes of a number in it, by its declared type; 0: not known
};

/// What an object's tables say: its variables, and where its instructions begin and end.
struct ModuleSymbols {
    std::vector<ModuleVariable> variables;  ///< by offset
    std::uint64_t text_begin = 0, text_end = 0, object_end = 0;
    std::uint64_t state_offset = 0;  ///< of gpu_state in the thread's copy
};
ModuleSymbols read_symbols(std::string_view object);

/// Where a site stands in the learner's text. No file: nobody knows.
struct SourcePlace {
    std::string file;
    int line = 0;
};

/// The number of sites that come when there are no more numbers: a stamp holds none above.
inline constexpr unsigned unknown_site = (1U << 13) - 1;

/// A kernel that was compiled for check mode, while it is loaded: its variables, and its instructions' source lines.
class CheckedModule {
public:
    CheckedModule(std::string_view object, void* library, Snippet learners, const std::string& kernel);

    [[nodiscard]] const ModuleSymbols& symbols() const noexcept { return symbols_; }
    [[nodiscard]] const Snippet& learners() const noexcept { return learners_; }
    [[nodiscard]] std::uintptr_t base() const noexcept { return base_; }
    [[nodiscard]] std::uintptr_t text_begin() const noexcept { return base_ + symbols_.text_begin; }
    [[nodiscard]] bool is_text(std::uintptr_t address) const noexcept {
        return address - text_begin() < symbols_.text_end - symbols_.text_begin;
    }

    /// The host may have written this variable.
    void written_by_host(const std::string& name);
    /// True for constant memory that has no value by its declaration, nor by the host.
    [[nodiscard]] bool is_never_set(const ModuleVariable& variable);

    [[nodiscard]] std::size_t text_size() const noexcept { return symbols_.text_end - symbols_.text_begin; }
    /// Numbers of sites, by their offset from text_begin(): 0 until number_site() gave one.
    [[nodiscard]] const std::uint16_t* site_numbers() const noexcept { return numbers_.data(); }
    unsigned number_site(std::size_t offset);
    /// An offset beyond all instructions that stands for a line of the learner's text; 0 if it has no such line.
    [[nodiscard]] std::size_t site_of_line(int line) const noexcept;
    /// The offset of a number from number_site().
    [[nodiscard]] std::size_t site_offset(unsigned number);

    /// The learner's line of a call that returns to `offset`: the innermost one that isn't the prelude's.
    [[nodiscard]] SourcePlace place(std::size_t offset);
    /// Looks up all of them at once.
    void find_places(const std::vector<std::size_t>& offsets);

    /// Lines of the learner's text that compute in double precision, of this kernel and of functions that aren't
    /// kernels: once for each place.
    [[nodiscard]] const std::vector<int>& double_lines() const noexcept { return double_lines_; }

    /// Whether what a thread sees may depend on the order of blocks and warps, though none race: the text has atomics
    /// or volatile accesses. False for one that does what can't be done twice: that prints, or has a heap.
    [[nodiscard]] bool may_depend_on_order() const noexcept { return may_depend_on_order_; }

    /// A line of the learner's text, as compile errors count them.
    [[nodiscard]] std::string line_text(int line) const;

    /// "s" of `extern __shared__ float s[];`, or "shared memory" where there is none.
    [[nodiscard]] std::string dynamic_shared_name() const;
    /// How "tile" is declared in the learner's text: {16, 17} for `__shared__ float tile[16][17]`, with 0 for a length
    /// that isn't a plain number.
    [[nodiscard]] std::vector<std::size_t> declared_lengths(const std::string& variable) const;
    /// The type before its name there: "float"; empty if it can't be told.
    [[nodiscard]] std::string declared_type(const std::string& variable) const;

private:
    const std::string object_;
    const Snippet learners_;
    ModuleSymbols symbols_;
    std::uintptr_t base_ = 0;
    std::mutex mutex_;
    std::ptrdiff_t lines_ = 0;  // of the learner's text
    std::vector<std::uint16_t> numbers_;
    std::vector<std::size_t> offsets_;
    std::map<std::size_t, SourcePlace> places_;
    std::set<std::string> written_;  ///< variables, by the host
    std::vector<int> double_lines_;
    bool may_depend_on_order_ = false;
};

}  // namespace gpu::detail::host
