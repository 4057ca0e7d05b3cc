// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gpu::detail {

/// A piece of a learner's or our own kernel text with its location, so that compile errors point there.
struct SourceText {
    std::string text;
    std::string file;        ///< its name in error messages: "squared_diff", "raw_add.cu", "reduce.cpp"
    int line = 1;            ///< the number of its first line in `file`
    std::string plain = {};  ///< the text before included files were inserted; empty: none were
    std::string made_in = {};  ///< for a generated kernel: the C++ file that created it; empty: libgpu itself
};

/// What a backend has planned for a call and alone can read: it goes with the call's text and with its launches. Null
/// where there is nothing to plan, or where any arrays must fit.
using BackendPlan = std::shared_ptr<const void>;

/// One parameter of an elementwise or reduction kernel, as its text sees it.
struct Parameter {
    enum class Role { input, output, scalar };
    Role role = Role::input;
    std::string type;      ///< element type in the kernel's spelling: "float"
    std::string name;      ///< its name in the body: "x"
    bool strided = false;  ///< array: indexed by the shape with strides (else linearly); always false for scalars
    bool broadcast_inner = false,
         broadcast_outer = false;  ///< strided input of a reduction: its step along the last reduced
                                   ///< axis is 0, or that across the last kept one
    bool map_stage_only = false;  ///< for a reduction: the kernel that joins partial results doesn't have it
    bool is_raw = false;    ///< the whole array as an object, see raw_array_type(); never strided
    bool is_dense = false;  ///< raw: its elements are contiguous in row-major order
    int rank = 0;           ///< raw: its axes
};

/// True if a reduction's post sees it: outputs, and numbers and raw arrays but for one that is called like the reduced
/// value.
[[nodiscard]] inline bool is_in_post(const Parameter& parameter) {
    if (parameter.role == Parameter::Role::output) return true;
    return parameter.name != "a" && (parameter.is_raw || parameter.role == Parameter::Role::scalar);
}

/// An elementwise kernel before a backend puts its skeleton (loop or grid) around it.
///
/// The body runs once for each index `i` in [0, n); in it, each input is a `const T` that is loaded once, each output a
/// `T&`, `i` a `long long`, and `_ind.size()` is n. Raw parameters are the same arrays for every index.
struct ElementwiseText {
    std::string name;
    std::vector<Parameter> parameters;
    int rank = 1;          ///< axes of the index space for strided parameters, after merging; 1 to 8
    std::string typedefs;  ///< "typedef float T;\n"
    SourceText preamble;
    SourceText body;
    std::vector<std::string> options = {};  ///< for the compiler
    int block = 256;                        ///< the most threads of a block, on a GPU
    bool has_axes = false;  ///< `_ind.get()` has the element's index along each axis: the axes are as in the call
    BackendPlan plan = {};
};

/// A map-reduce kernel before a backend puts its skeleton (serial tree or grid) around it.
///
/// For every output element: `a` starts as the identity (or, without one, as the first mapped value), then `a =
/// reduce(a, map(inputs at r))` over all r in a fixed tree order, and finally `post` writes the outputs from `a`.
/// Non-strided parameters occur only if kept_rank is 0: an input's element r is data[r], an output's is data[0]. Map
/// and post also see raw inputs, and `_in_ind.size()` and `_out_ind.size()`, the numbers of elements of all inputs
/// together and of an output.
struct ReductionText {
    std::string name;
    std::vector<Parameter> parameters;  ///< inputs and scalars, then outputs
    int kept_rank = 0, reduced_rank = 1;
    std::string accumulator;  ///< type of `a` and `b`
    bool has_own_type = false;  ///< the learner has named that type: errors in it are the learner's
    std::string typedefs;
    SourceText preamble;
    SourceText map;           ///< an expression over the inputs and `_J`, a long long: r in [0, reduced elements)
    SourceText reduce;        ///< an expression over `a` and `b`
    SourceText post;          ///< statements that assign the outputs from `a`
    std::string identity;  ///< an expression; empty: none
    std::vector<std::string> options = {};  ///< for the compiler
    std::string made_in = {};  ///< the C++ file that made it; empty: libgpu itself
    BackendPlan plan = {};
};

/// Options for kernels whose arithmetic is a C++ expression: each operation is rounded separately, as in NumPy, so that
/// `a * b - c * d` is 0 if both products are equal. A learner's own text keeps CUDA's rule, which fuses them.
inline std::vector<std::string> rounds_each_operation() { return {"--fmad=false"}; }

/// The C++ code's facts about a structure that kernels take by value; the compiler compares them.
struct StructLayout {
    std::string name;
    std::size_t bytes = 0, alignment = 1;
    friend bool operator==(const StructLayout&, const StructLayout&) = default;
};

/// A kernel in a source: its name ("mul<float>") and its signature, see RawText.
struct RawEntry {
    std::string name, signature;
    friend bool operator==(const RawEntry&, const RawEntry&) = default;
};

/// A kernel in CUDA C++ as the learner wrote it, or several in one source.
struct RawText {
    std::string name;  ///< the kernel in `source` to launch
    SourceText source;
    std::string signature;  ///< "(const float*, float*, int)": checked by the compiler; empty: unchecked
    std::vector<std::string> options;
    std::vector<StructLayout> structs = {};
    std::vector<RawEntry> more = {};  ///< for a module: its other kernels
};

/// One of libgpu's own kernels, whose signature needs no check.
RawText own_text(const char* name, std::string source);

/// What a source has instead of the requested kernel: for a compiler that rejects the name.
struct Unresolved {
    enum class Kind : std::uint8_t { nothing, no_kernel, signature };
    Kind kind = Kind::nothing;
    std::string wanted;       ///< signature: "(const float*, int)"
    std::string there;        ///< the names of its kernels, "add, mul"; or their signatures
    bool is_certain = false;  ///< no compiler need be asked
};

/// How a kernel runs. A GPU has one way; the host has a loop over elements or threads, fibers, and check mode.
enum class KernelMode : std::uint8_t { gpu, elementwise, reduction, loop, fiber, check };

/// The complete translation unit for a backend's compiler, with facts about it. The facts are stored separately: nobody
/// searches the text for them, where a learner's words could be mistaken for them.
struct KernelSource {
    std::string name;  ///< for messages and file names
    std::string text;
    std::vector<std::string> entries;  ///< the kernels' names in `text`, or name expressions to be lowered
    std::vector<std::string> options;
    KernelMode mode = KernelMode::gpu;
    bool only_cuda = false;  ///< for check mode: rejects everything that isn't CUDA C++, see CheckOptions
    SourceText learners = {};   ///< the snippet inside the skeleton; empty for libgpu's own kernels
    std::string heads = {};  ///< libgpu's declarations around the learner's pieces: "(const float x, float& z)"
    std::vector<std::size_t> marks = {};  ///< where libgpu's own #line directives begin in `text`
    std::string refusals = {};            ///< what is wrong with it without asking a compiler, as compiler messages
    Unresolved unresolved = {};           ///< raw kernels
    BackendPlan plan = {};                ///< how the backend that has made it launches it
};

}  // namespace gpu::detail
