// SPDX-License-Identifier: MIT
#include "cuda/compile/skeletons.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "codegen/kernel_declarations.hpp"
#include "codegen/kernel_support.hpp"
#include "codegen/kernel_tokens.hpp"
#include "cuda/compile/portable_names.hpp"
#include "cuda/compile/walk_text.hpp"

namespace gpu::detail::cuda {

namespace {

constexpr std::string_view prelude = R"(typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
)";

}  // namespace

void add_prelude(SourceWriter& writer, const std::string& typedefs, const Snippet& preamble,
                 const std::string& all_text) {
    const std::vector<Token> tokens = tokens_of(all_text);
    writer.add(prelude);
    if (names_complex(tokens)) writer.add(kernel_complex);
    writer.add(kernel_support(tokens));
    writer.add(mixed_math(tokens));
    writer.add(typedefs);
    if (!typedefs.empty() && typedefs.back() != '\n') writer.add("\n");
    if (!preamble.text.empty()) writer.add(preamble);
    writer.add("\n");
}

void add_raw(SourceWriter& writer, const std::vector<Parameter>& parameters) {
    if (has_raw(parameters)) writer.add(kernel_raw_array);
}

std::string strided_type(int axes) {
    return "template <class _T> struct _Strided { _T* data; long long strides[" + std::to_string(axes) + "]; };\n";
}

std::string kernel_parameter(const Parameter& parameter) {
    if (parameter.is_raw) return "const " + raw_array_type(parameter) + " _arg_" + parameter.name;
    const std::string type = (parameter.role == Parameter::Role::output ? "" : "const ") + parameter.type;
    if (parameter.role == Parameter::Role::scalar) return type + " _arg_" + parameter.name;
    if (parameter.strided) return "const _Strided<" + type + "> _arg_" + parameter.name;
    return type + "* _arg_" + parameter.name;
}

std::string learners_parameter(const Parameter& parameter) {
    if (parameter.is_raw) return "const " + raw_array_type(parameter) + "& " + parameter.name;
    if (parameter.role == Parameter::Role::output) return parameter.type + "& " + parameter.name;
    return "const " + parameter.type + " " + parameter.name;
}

std::string offset(const std::string& array, int first, int count, const std::string& cast) {
    std::string sum;
    for (int axis = first; axis < first + count; ++axis) {
        const std::string number = std::to_string(axis);
        sum += (sum.empty() ? "" : " + ") + cast + "_c" + number + " * " + cast + array + ".strides[" + number + "]";
    }
    return sum.empty() ? "0" : sum;
}

namespace {

using Role = Parameter::Role;

}  // namespace

bool is_mapped(const Parameter& parameter) { return parameter.role == Role::input && !parameter.is_raw; }

std::string coordinates(int first, int count) {
    std::string lines;
    for (int axis = first + count - 1; axis > first; --axis) {
        const std::string number = std::to_string(axis);
        lines += "    const _Place _c" + number + " = _cut(_rest, _r.axes[" + number + "]);\n";
    }
    if (count > 0) lines += "    const _Place _c" + std::to_string(first) + " = _rest;\n";
    return lines;
}

template <class F>
std::string ReductionInputs::each(F line) const {
    std::string lines;
    for (const Parameter& parameter : text_.parameters) {
        if (is_mapped(parameter)) lines += line(parameter, "_arg_" + parameter.name);
    }
    return lines;
}

ReductionInputs::ReductionInputs(const ReductionText& text)
    : text_(text),
      by_column_(text.walk.by_column),
      is_packed_(text.walk.is_packed),
      kept_(text.kept_rank),
      reduced_(text.reduced_rank) {}

std::string ReductionInputs::starts() const {
    std::string lines;
    bool any_strided = false;
    for (const Parameter& parameter : text_.parameters) {
        if (!is_mapped(parameter)) continue;
        const std::string array = "_arg_" + parameter.name, to = array + (has_several() ? "_at[_k]" : "_at");
        any_strided = any_strided || parameter.strided;
        std::string from = parameter.strided ? array + ".data + " + offset(array, 0, kept_)
                                             : array + " + _o * _r.reduced + _begin";
        if (parameter.strided && reduced_ == 1)
            from += " + _begin * " + array + ".strides[" + std::to_string(kept_) + "]";
        lines += "            " + to + " = " + from + ";\n";
    }
    return (any_strided ? "            _Place _rest = (_Place)_o;\n" + coordinates(0, kept_) : "") + lines;
}

std::string ReductionInputs::pointers() const {
    return each([&](const Parameter& parameter, const std::string& array) {
        const std::string several = text_.walk.is_short ? "_at[_together];\n" : "_at[_pack];\n";
        return "        const " + parameter.type + "* " + array + (has_several() ? several : "_at;\n");
    });
}

std::string ReductionInputs::packs(const std::string& count) const {
    return each([&](const Parameter& parameter, const std::string& array) {
        const std::string type = is_one(parameter) ? parameter.type : "_Pack<" + parameter.type + ">";
        return "            " + type + " " + array + "_v[" + count + "];\n";
    });
}

std::string ReductionInputs::elements(const std::string& count) const {
    return each([&](const Parameter& parameter, const std::string& array) {
        return "            " + parameter.type + " " + array + "_v[" + count + "];\n";
    });
}

std::string ReductionInputs::load_packs() const {
    return cuts() + each([&](const Parameter& parameter, const std::string& array) {
               const std::string along = along_of(parameter, array);
               const std::string slot = "                    " + array + "_v[_u]";
               if (has_several()) {
                   return "#pragma unroll\n                    for (int _k = 0; _k < _pack; ++_k) " + array +
                          "_v[_u].at[_k] = " + array + "_at[_k][" + along + "];\n";
               }
               if (is_one(parameter)) return slot + " = " + array + "_at[" + along + "];\n";
               const bool is_step_1 = !by_column_ && reduced_ == 1;
               return slot + " = *(const _Pack<" + parameter.type + ">*)(" + array + "_at + " +
                      (is_step_1 ? "_at" : along) + ");\n";
           });
}

std::string ReductionInputs::load_elements() const {
    return cuts() + each([&](const Parameter& parameter, const std::string& array) {
               return "                    " + array + "_v[_u] = " + array + "_at[" + along_of(parameter, array) +
                      "];\n";
           });
}

std::string ReductionInputs::load_together(bool is_pack) const {
    return cuts() + "#pragma unroll\n            for (int _k = 0; _k < _together; ++_k) {\n" +
           each([&](const Parameter& parameter, const std::string& array) {
               const std::string along = along_of(parameter, array);
               const std::string slot = "                " + array + "_v[_k] = ";
               if (!is_pack || is_one(parameter)) return slot + array + "_at[_k][" + along + "];\n";
               return slot + "*(const _Pack<" + parameter.type + ">*)(" + array + "_at[_k] + " + along + ");\n";
           }) +
           "            }\n";
}

std::string ReductionInputs::mapped(bool is_pack, const std::string& at, const std::string& slot,
                                    const std::string& element) const {
    std::string arguments;
    for (const Parameter& parameter : text_.parameters) {
        if (parameter.role == Role::output) continue;
        arguments += "_arg_" + parameter.name;
        if (is_mapped(parameter)) {
            arguments += "_v[" + slot + (!is_pack || is_one(parameter) ? "]" : "].at[" + element + "]");
        }
        arguments += ", ";
    }
    return "_map(" + arguments + "{_r.elements}, {_r.outputs}, _begin + " + at + ")";
}

// True for an input that contributes one element to a whole pack.
bool ReductionInputs::is_one(const Parameter& parameter) const {
    return is_packed_ && parameter.strided && (by_column_ ? parameter.same_across : parameter.same_along);
}

std::string ReductionInputs::cuts() const {
    const bool any = std::any_of(text_.parameters.begin(), text_.parameters.end(), [](const Parameter& parameter) {
        return parameter.strided && parameter.role == Role::input;
    });
    if (reduced_ <= 1 || !any) return {};
    return "                    _Place _rest = (_Place)_begin + _at;\n" + coordinates(kept_, reduced_);
}

std::string ReductionInputs::along_of(const Parameter& parameter, const std::string& array) const {
    if (!parameter.strided) return "_at";
    if (reduced_ == 1) return "_at * " + cast() + array + ".strides[" + std::to_string(kept_) + "]";
    return offset(array, kept_, reduced_, cast());
}

namespace {

void add_element_function(SourceWriter& writer, const ElementwiseText& text) {
    std::string types;
    if (text.has_axes)
        types += "struct _Place { long long at[" + std::to_string(std::max(text.rank, 1)) +
                 "];\n    __device__ long long operator[](int k) const { return at[k]; }\n};\n";
    types += "struct _Index {\n    long long n;\n" + std::string(text.has_axes ? "    _Place place;\n" : "") +
             "    __device__ long long size() const { return n; }\n" +
             (text.has_axes ? "    __device__ const _Place& get() const { return place; }\n" : "") + "};\n\n";
    writer.add(types);
    std::string parameters;
    for (const Parameter& parameter : text.parameters) parameters += learners_parameter(parameter) + ", ";
    writer.add_head("static __device__ __forceinline__ void _element(",
                    parameters + "const long long i, const _Index _ind", ") {\n");
    writer.add(text.body, SourceWriter::Ending::semicolon);
    writer.add("}\n");
}

}  // namespace

KernelSource elementwise_skeleton(const ElementwiseText& text) {
    const std::string entry = "libgpu_" + identifier(text.name);
    const WalkText walk(text);

    SourceWriter writer;
    add_prelude(writer, text.typedefs, text.preamble, all_text(text));
    add_raw(writer, text.parameters);
    writer.add(walk.space());
    add_element_function(writer, text);
    writer.add(walk.helpers());

    std::string head = "\nextern \"C\" __global__ void __launch_bounds__(" + std::to_string(text.block) + ") " + entry +
                       "(const _Space _space";
    for (const Parameter& parameter : text.parameters) head += ", " + kernel_parameter(parameter);
    writer.add(head + ") {\n" + walk.threads() + "}\n");
    KernelSource source = writer.take(text.name, {entry}, text.options);
    source.work = walk.work();
    return source;
}

KernelSource raw_skeleton(const RawText& text) {
    const std::string all = text_and_names(text);
    const std::vector<Token> tokens = tokens_of(all);
    SourceWriter writer;
    writer.add(half_header(text, tokens));
    writer.add(portable_names(tokens));
    if (names_complex(tokens)) writer.add(kernel_complex);
    writer.add(mixed_math(tokens));
    writer.add(strided_view_text(tokens));
    writer.add(text.source, SourceWriter::Ending::last);
    writer.add_announced(layout_checks(text.structs));
    const auto expression = [](const std::string& name, const std::string& signature) {
        return signature.empty() ? name : "(void(*)" + signature + ")" + name;
    };
    std::vector<std::string> entries{expression(text.name, text.signature)};
    for (const RawEntry& other : text.more) entries.push_back(expression(other.name, other.signature));
    return writer.take(text.name, std::move(entries), text.options);
}

namespace {

using Role = Parameter::Role;

std::string number(int value) { return std::to_string(value); }

// An index along axes, an element's offset from an output's first one, and how the coordinate along an axis is cut off
// an index: below 2^31 by a multiplication.
constexpr std::string_view narrow_division = R"(
typedef unsigned _Place;
typedef int _Offset;
static __device__ __forceinline__ _Place _cut(_Place& index, const _Axis& axis) {
    const _Place rest = (__umulhi(index, axis.magic) + index) >> axis.shift;
    const _Place coordinate = index - rest * (unsigned)axis.length;
    index = rest;
    return coordinate;
}
)";
constexpr std::string_view wide_division = R"(
typedef long long _Place, _Offset;
// A single copy of the long 64-bit division, however many axes there are.
static __device__ __noinline__ _Place _divide(_Place a, _Place b) { return a / b; }
static __device__ __forceinline__ _Place _cut(_Place& index, const _Axis& axis) {
    const _Place rest = index >> 31 == 0 && axis.magic != 0
        ? (_Place)((__umulhi((unsigned)index, axis.magic) + (unsigned)index) >> axis.shift)
        : _divide(index, axis.length);
    const _Place coordinate = index - rest * axis.length;
    index = rest;
    return coordinate;
}
)";

/// A function that returns an expression of the learner's.
void add_expression(SourceWriter& writer, const std::string& name, const std::string& parameters,
                    const Snippet& expression) {
    writer.add_head("\nstatic __device__ __forceinline__ _accumulator " + name + '(', parameters,
                    ") {\n    return (_accumulator)(\n");
    writer.add(expression);
    writer.add("    );\n}\n");
}

std::string joined(const std::vector<std::string>& parts) {
    std::string list;
    for (const std::string& part : parts) list += (list.empty() ? "" : ", ") + part;
    return list;
}

// Scalars and raw arrays, except one named like the reduced value.
bool is_in_post(const Parameter& parameter) {
    if (parameter.role == Role::output) return true;
    return parameter.name != "a" && (parameter.is_raw || parameter.role == Role::scalar);
}

/// `_Strided` and the code that cuts indices into coordinates, if any parameter needs them.
void add_strided(SourceWriter& writer, const std::vector<Parameter>& parameters, int axes, bool is_wide) {
    const auto is_strided = [](const Parameter& parameter) { return parameter.strided; };
    if (std::none_of(parameters.begin(), parameters.end(), is_strided)) return;
    writer.add(is_wide ? wide_division : narrow_division);
    writer.add(strided_type(axes));
}

void add_learners_functions(SourceWriter& writer, const ReductionText& text) {
    std::vector<std::string> map_parameters, post_parameters{"const _accumulator a"};
    for (const Parameter& parameter : text.parameters) {
        if (parameter.role != Role::output) map_parameters.push_back(learners_parameter(parameter));
        if (is_in_post(parameter)) post_parameters.push_back(learners_parameter(parameter));
    }
    for (const char* const size : {"const _Size _in_ind", "const _Size _out_ind"}) {
        map_parameters.emplace_back(size);
        post_parameters.emplace_back(size);
    }
    map_parameters.emplace_back("const long long _J");
    writer.add("struct _Size {\n    long long n;\n    __device__ long long size() const { return n; }\n};\n");
    if (!text.map.text.empty())  // otherwise it continues the map
        add_expression(writer, "_map", joined(map_parameters), text.map);
    add_expression(writer, "_reduce", "const _accumulator a, const _accumulator b", text.reduce);
    if (!text.identity.empty()) add_expression(writer, "_identity", "", {text.identity, text.name + " (identity)", 1});
    writer.add_head("\nstatic __device__ __forceinline__ void _post(", joined(post_parameters), ") {\n");
    writer.add(text.post, SourceWriter::Ending::semicolon);
    writer.add("}\n");
}

std::string kernel_head(const ReductionText& text, const std::string& entry) {
    std::string head = "\nextern \"C\" __global__ void __launch_bounds__(256) " + entry +
                       "(const _Reduction _r, _accumulator* const _partials";
    for (const Parameter& parameter : text.parameters) head += ", " + kernel_parameter(parameter);
    return head + ") {\n";
}

// These need so many instructions that unrolled copies cost more compile time than loads in flight save.
constexpr std::string_view costly[] = {"pow",  "sin",   "cos",   "tan",    "asin",   "acos", "atan", "atan2", "sinh",
                                       "cosh", "tanh",  "asinh", "acosh",  "atanh",  "exp",  "exp2", "expm1", "log",
                                       "log2", "log10", "log1p", "lgamma", "tgamma", "erf",  "erfc", "cbrt",  "fmod"};

bool is_long(const ReductionText& text) {
    constexpr std::size_t longest = 240;
    if (text.map.text.size() + text.reduce.text.size() > longest) return true;
    const std::string all = text.map.text + ' ' + text.reduce.text + ' ' + text.preamble.text;
    const std::vector<Token> tokens = tokens_of(all);
    return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
        return std::find(std::begin(costly), std::end(costly), token.text) != std::end(costly);
    });
}

bool accumulates_struct(const ReductionText& text) {
    const std::vector<Token> type = tokens_of(text.accumulator), tokens = tokens_of(text.preamble.text);
    for (std::size_t k = 1; k < tokens.size() && !type.empty(); ++k) {
        if (tokens[k - 1].text == "struct" && tokens[k].text == type.front().text) return true;
    }
    return false;
}

/// How many 16-byte packs a thread loads before it uses the first one; 64 bytes in total if it loads few arrays, or if
/// its accumulator is a struct, which needs the registers.
int packs_in_flight(const ReductionText& text) {
    const auto inputs = std::count_if(text.parameters.begin(), text.parameters.end(), is_mapped);
    if (is_long(text)) return 1;
    if (text.walk.has_many_packs && text.walk.pack <= 4 && inputs <= 2 && !accumulates_struct(text)) return 8;
    return inputs > 4 ? 1 : inputs > 2 || text.walk.pack > 4 ? 2 : 4;
}

/// Scalar loads in flight, for the tail after packed loads; without packs, for everything.
int elements_in_flight(const ReductionText& text) { return is_long(text) ? 2 : text.walk.is_packed ? 4 : 8; }

/// How many rows of several neighbouring outputs a thread loads before it uses the first one; more if outputs aren't
/// contiguous, since each is then a load of its own.
int columns_in_flight(const ReductionText& text) {
    const int packs = packs_in_flight(text);
    return text.walk.is_packed || packs < 4 || accumulates_struct(text) ? packs : 8;
}

/// A loop over batches of a thread's loads: all loads of a batch are issued before the first value is used. `step` is
/// the distance between loads; `use` consumes slot `_u` at `_at`.
std::string batches(const std::string& count, const std::string& first, const std::string& end, const std::string& step,
                    const std::string& slots, const std::string& load, const std::string& use) {
    return "#pragma unroll 1\n"
           "        for (int _i = " + first + "; _i < " + end + "; _i += " + count + " * " + step + ") {\n" + slots +
           "#pragma unroll\n"
           "            for (int _u = 0; _u < " + count + "; ++_u) {\n"
           "                const int _at = _i + _u * " + step + ";\n"
           "                if (_at < " + end + ") {\n" + load +
           "                }\n"
           "            }\n"
           "#pragma unroll\n"
           "            for (int _u = 0; _u < " + count + "; ++_u) {\n"
           "                const int _at = _i + _u * " + step + ";\n"
           "                if (_at >= " + end + ") break;\n" + use +
           "            }\n"
           "            _any = true;\n"
           "        }\n";
}

/// Calls the learner's post statement with the accumulator `value`, at output `_o`.
std::string post_call(const ReductionText& text, const std::string& value) {
    std::string coordinate_lines, arguments = value;
    for (const Parameter& parameter : text.parameters) {
        const std::string array = "_arg_" + parameter.name;
        if (parameter.role != Role::output) {
            if (is_in_post(parameter)) arguments += ", " + array;
            continue;
        }
        if (parameter.strided) {
            coordinate_lines = "    _Place _rest = (_Place)_o;\n" + coordinates(0, text.kept_rank);
            arguments += ", " + array + ".data[" + offset(array, 0, text.kept_rank) + "]";
        } else {
            arguments += ", " + array + "[_o]";
        }
    }
    return coordinate_lines + "    _post(" + arguments + ", {_r.elements}, {_r.outputs});\n";
}

/// The result of an output whose elements reduce to `_v`.
std::string result_of(const ReductionText& text) {
    const std::string value = text.identity.empty() ? "_v" : "_count > 0 ? _reduce(_identity(), _v) : _identity()";
    return "    const _accumulator _result = " + value + ";\n" + post_call(text, "_result");
}

/// A thread reduces all elements of several outputs, a block apart, with one load in flight for each.
std::string short_rows(const ReductionText& text) {
    const ReductionInputs inputs(text);
    const auto part = [&](bool is_pack, const std::string& at, const std::string& use) {
        return (is_pack ? inputs.packs("_together") : inputs.elements("_together")) + inputs.load_together(is_pack) +
               "#pragma unroll\n            for (int _k = 0; _k < _together; ++_k) {\n" + use +
               "                const _accumulator _v = " + inputs.mapped(is_pack, at, "_k", "_j") + ";\n"
               "                _a[_k].value = " + (is_pack ? "_at + _j" : "_at") + " == 0 ? _v : "
               "_reduce(_a[_k].value, _v);\n            }" + (is_pack ? "}\n" : "\n");
    };
    return "    enum { _outputs = " + number(short_rows_together) + ", _together = " +
           (is_long(text) ? "1" : "_outputs") + " };\n"
           "    const long long _begin = 0;\n"
           "    const int _count = (int)_r.reduced, _whole = _count & -_pack;\n"
           "#pragma unroll 1\n"
           "    for (int _g = 0; _g < _outputs; _g += _together) {\n"
           "        const long long _first = ((long long)blockIdx.x * _outputs + _g) * 256 + threadIdx.x;\n"
           "        _Slot _a[_together];\n" + inputs.pointers() +
           "#pragma unroll\n"
           "        for (int _k = 0; _k < _together; ++_k) {\n"
           "            // Without an output a thread reads a valid one.\n"
           "            const long long _wanted = _first + _k * 256;\n"
           "            const long long _o = _wanted < _r.outputs ? _wanted : _r.outputs - 1;\n" + inputs.starts() +
           "        }\n"
           "#pragma unroll 1\n"
           "        for (int _at = 0; _at < _whole; _at += _pack) {\n" +
           part(true, "(_at + _j)", "#pragma unroll\n                for (int _j = 0; _j < _pack; ++_j) {\n") +
           "        }\n"
           "#pragma unroll 1\n"
           "        for (int _at = _whole; _at < _count; ++_at) {\n" + part(false, "_at", "") + "        }\n"
           "#pragma unroll\n"
           "        for (int _k = 0; _k < _together; ++_k) {\n"
           "            const long long _o = _first + _k * 256;\n"
           "            if (_o >= _r.outputs) break;\n"
           "            const _accumulator& _v = _a[_k].value;\n" + result_of(text) + "        }\n    }\n";
}

/// Stores output `_o`, whose reduced value is `_v`: as a partial result if the output is split over blocks.
std::string finish(const ReductionText& text) {
    return "    if (_r.is_split) {\n"
           "        _partials[_o * _r.output_step + blockIdx.y * _r.split_step] = _v;\n"
           "    } else {\n" + result_of(text) + "    }\n";
}

std::string finish_join(const ReductionText& text) {
    const std::string value = text.identity.empty() ? "_v" : "_reduce(_identity(), _v)";
    return "    const _accumulator _result = " + value + ";\n" + post_call(text, "_result");
}

/// The elements or partial results of an output that a block reduces. The joining launch begins while the last blocks
/// of the first one still run, and waits for their partial results (CUDA C++ Programming Guide, "Programmatic Dependent
/// Launch").
constexpr std::string_view part_of_output =
    "#if __CUDA_ARCH__ >= 900\n"
    "    if (_r.is_split) asm volatile(\"griddepcontrol.launch_dependents;\" ::: \"memory\");\n"
    "#endif\n"
    "    const long long _begin = (long long)blockIdx.y * _r.chunk;\n"
    "    const int _count = _r.reduced - _begin < _r.chunk ? (int)(_r.reduced - _begin) : _r.chunk;\n";
constexpr std::string_view all_partials =
    "#if __CUDA_ARCH__ >= 900\n"
    "    asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n"
    "#endif\n"
    "    const int _count = _r.chunk;  // partial results\n";

// By row: neighbouring threads load neighbouring elements of one output.

constexpr std::string_view row_place =
    "    const int _thread = threadIdx.x, _width = 1 << _r.width_log2, _lane = _thread & (_width - 1);\n"
    "    const long long _output = ((long long)blockIdx.x << (8 - _r.width_log2)) + (_thread >> _r.width_log2);\n"
    "    // Threads without an output read a valid one and are left out at the end.\n"
    "    const long long _o = _output < _r.outputs ? _output : _r.outputs - 1;\n";

constexpr std::string_view first_in_row = "_u == 0 && !_any ? ";

std::string row_elements(const ReductionText& text) {
    const ReductionInputs inputs(text);
    const std::string few = number(elements_in_flight(text)), many = number(packs_in_flight(text));
    const std::string first(first_in_row);
    std::string body = std::string(part_of_output) +
                       "    int _whole = 0;  // of them in packs\n"
                       "    _Slot _a;\n"
                       "    bool _any = false;\n"
                       "    {\n" +
                       inputs.pointers() + "        {\n" + inputs.starts() + "        }\n";
    if (text.walk.is_packed) {
        body += "        _whole = _count & -_pack;\n" +
                batches(many, "_lane * _pack", "_whole", "(_pack << _r.width_log2)", inputs.packs(many),
                        inputs.load_packs(),
                        "#pragma unroll\n"
                        "                for (int _k = 0; _k < _pack; ++_k) {\n"
                        "                    const _accumulator _v = " + inputs.mapped(true, "(_at + _k)") + ";\n"
                        "                    _a.value = _k == 0 && " + first + "_v : _reduce(_a.value, _v);\n"
                        "                }\n");
    }
    return body +
           batches(few, "_whole + _lane", "_count", "_width", inputs.elements(few), inputs.load_elements(),
                   "                const _accumulator _v = " + inputs.mapped(false, "_at") + ";\n"
                   "                _a.value = " + first + "_v : _reduce(_a.value, _v);\n") +
           "    }\n"
           "    // The lanes that have a value are the first ones: those of packs, or of the elements behind them.\n"
           "    const int _packs = _whole / _pack, _left = _count - _whole;\n"
           "    const int _used = _packs > _left ? _packs : _left;\n";
}

std::string row_partials() {
    return std::string(all_partials) +
           "    _Slot _a;\n"
           "    bool _any = false;\n"
           "    {\n"
           "        const _accumulator* const _from = _partials + _o * _r.output_step;\n" +
           batches("_joined", "_lane", "_count", "_width", "            _Slot _p[_joined];\n",
                   "                    _p[_u].value = _from[_at * _r.split_step];\n",
                   "                _a.value = " + std::string(first_in_row) +
                       "_p[_u].value : _reduce(_a.value, _p[_u].value);\n") +
           "    }\n"
           "    const int _used = _count;\n";
}

/// The tree over the lanes of each output, and the store.
std::string row_tree(const std::string& finish) {
    return "\n"
           "    alignas(_accumulator) __shared__ unsigned char _bytes[256 * sizeof(_accumulator)];\n"
           "    _accumulator* const _lanes = (_accumulator*)_bytes;\n"
           "    if (_any) _lanes[_thread] = _a.value;\n"
           "#pragma unroll 1\n"
           "    for (int _half = _width / 2; _half > 0; _half /= 2) {\n"
           "        if (_half < 32) __syncwarp(); else __syncthreads();\n"
           "        if (_lane < _half && _lane + _half < _used) {\n"
           "            _a.value = _reduce(_a.value, _lanes[_thread + _half]);\n"
           "            _lanes[_thread] = _a.value;\n"
           "        }\n"
           "    }\n"
           "    if (_lane != 0 || _output >= _r.outputs) return;\n"
           "    const _accumulator& _v = _a.value;\n" +
           finish;
}

// By column: neighbouring threads compute neighbouring outputs, each as many as a pack has elements.

// With packs, a thread's outputs are neighbours; without, a warp's are.
std::string place_of(const ReductionText& text, const std::string& column, const std::string& k) {
    return text.walk.is_packed ? "(" + column + " * _pack + " + k + ")"
                               : "(" + column + " + (" + k + " << _columns_log2))";
}

std::string column_places(const ReductionText& text, std::string_view part) {
    return "    const int _thread = threadIdx.x, _width = 1 << _r.width_log2, _columns_log2 = 8 - _r.width_log2;\n"
           "    const int _lane = _thread >> _columns_log2, _column = _thread & ((1 << _columns_log2) - 1);\n"
           "    const long long _first = (long long)blockIdx.x * (_pack << _columns_log2);\n" +
           std::string(part) +
           "    long long _o_of[_pack];  // threads without an output read a valid one and are left out at the end\n"
           "#pragma unroll\n"
           "    for (int _k = 0; _k < _pack; ++_k) {\n"
           "        const long long _wanted = _first + " + place_of(text, "_column", "_k") + ";\n"
           "        const long long _last = _r.outputs - " + (text.walk.is_packed ? "_pack + _k" : "1") + ";\n"
           "        _o_of[_k] = _wanted < _last ? _wanted : _last;\n"
           "    }\n"
           "    _Slot _a[_pack];\n"
           "    bool _any = false;\n"
           "    {\n";
}

std::string column_elements(const ReductionText& text) {
    const ReductionInputs inputs(text);
    const std::string many = number(columns_in_flight(text));
    return inputs.pointers() +
           (text.walk.is_packed ? "        {\n            const long long _o = _o_of[0];\n"
                                : "#pragma unroll\n"
                                  "        for (int _k = 0; _k < _pack; ++_k) {\n"
                                  "            const long long _o = _o_of[_k];\n") +
           inputs.starts() + "        }\n" +
           batches(many, "_lane", "_count", "_width", inputs.packs(many), inputs.load_packs(),
                   "#pragma unroll\n"
                   "                for (int _k = 0; _k < _pack; ++_k) {\n"
                   "                    const _accumulator _v = " + inputs.mapped(true, "_at") + ";\n"
                   "                    _a[_k].value = _u == 0 && !_any ? _v : _reduce(_a[_k].value, _v);\n"
                   "                }\n");
}

std::string column_partials() {
    return batches("_joined", "_lane", "_count", "_width", "            _Slot _p[_joined][_pack];\n",
                   "#pragma unroll\n"
                   "                    for (int _k = 0; _k < _pack; ++_k)\n"
                   "                        _p[_u][_k].value =\n"
                   "                            _partials[_o_of[_k] * _r.output_step + _at * _r.split_step];\n",
                   "#pragma unroll\n"
                   "                for (int _k = 0; _k < _pack; ++_k) {\n"
                   "                    const _accumulator& _v = _p[_u][_k].value;\n"
                   "                    _a[_k].value = _u == 0 && !_any ? _v : _reduce(_a[_k].value, _v);\n"
                   "                }\n");
}

/// The tree over the lanes, and the store.
std::string column_tree(const ReductionText& text, const std::string& finish) {
    return "    }\n"
           "\n"
           "    // For as many of the pack's outputs at once as 32 KiB have room for.\n"
           "    enum { _room = 128 / sizeof(_accumulator), _half_pack = _pack / 2,\n"
           "           _together = _room >= _pack ? _pack : _room >= _half_pack ? _half_pack : _half_pack / 2 };\n"
           "    alignas(_accumulator) __shared__ unsigned char _bytes[256 * _together * sizeof(_accumulator)];\n"
           "    _accumulator* const _lanes = (_accumulator*)_bytes;\n"
           "    const int _used = _count < _width ? _count : _width;\n"
           "#pragma unroll\n"
           "    for (int _k0 = 0; _k0 < _pack; _k0 += _together) {\n"
           "        if (_k0 > 0) __syncthreads();\n"
           "        if (_any) {\n"
           "#pragma unroll\n"
           "            for (int _k = _k0; _k < _k0 + _together; ++_k)\n"
           "                _lanes[(_k - _k0) * 256 + _thread] = _a[_k].value;\n"
           "        }\n"
           "#pragma unroll 1\n"
           "        for (int _half = _width / 2; _half > 0; _half /= 2) {\n"
           "            __syncthreads();\n"
           "            if (_lane >= _half || _lane + _half >= _used) continue;\n"
           "#pragma unroll\n"
           "            for (int _k = _k0; _k < _k0 + _together; ++_k) {\n"
           "                _accumulator* const _to = _lanes + (_k - _k0) * 256 + _thread;\n"
           "                *_to = _reduce(*_to, _to[_half << _columns_log2]);\n"
           "            }\n"
           "        }\n"
           "        __syncthreads();\n"
           "        // Neighbouring threads write neighbouring outputs, whoever has computed them.\n"
           "#pragma unroll 1\n"
           "        for (int _j = _thread; _j < _together << _columns_log2; _j += 256) {\n" +
           std::string(text.walk.is_packed ? "            const int _slot = _j % _together, _owner = _j / _together;\n"
                                           : "            const int _slot = _j >> _columns_log2;\n"
                                             "            const int _owner = _j - (_slot << _columns_log2);\n") +
           "            const long long _o = _first + " + place_of(text, "_owner", "(_k0 + _slot)") + ";\n"
           "            if (_o >= _r.outputs) continue;\n"
           "            const _accumulator& _v = _lanes[_slot * 256 + _owner];\n" +
           finish +
           "        }\n"
           "    }\n";
}

/// Everything that precedes a kernel.
void add_declarations(SourceWriter& writer, const ReductionText& text) {
    const int axes = std::max(text.kept_rank + text.reduced_rank, 1);
    add_prelude(writer, text.typedefs, text.preamble, all_text(text));
    add_raw(writer, text.parameters);
    writer.add("struct _Axis { long long length; unsigned magic, shift; };\n");
    add_strided(writer, text.parameters, axes, text.walk.is_wide);
    writer.add("struct _Reduction {\n"
               "    long long outputs, reduced, elements, output_step, split_step;\n"
               "    int chunk, width_log2, is_split;\n"
               "    _Axis axes[" + number(axes) + "];\n};\n"
               "typedef ");
    if (text.has_own_type)
        writer.add("\n").add(Snippet{text.accumulator, text.name + " (reduce_type)", 1});
    else
        writer.add(text.accumulator);
    writer.add(" _accumulator;\n"
               "static_assert(sizeof(_accumulator) <= " + number(largest_accumulator) +
               ", \"the accumulator of a reduction has at most " + number(largest_accumulator) + " bytes\");\n");
    add_learners_functions(writer, text);
    writer.add("\n// Room for an accumulator, which may have no default constructor.\n"
               "union _Slot { _accumulator value; char nothing; __device__ _Slot() {} __device__ ~_Slot() {} };\n");
}

std::string pack_of(const ReductionText& text) { return "enum { _pack = " + number(text.walk.pack) + " };\n"; }

KernelSource finished(SourceWriter& writer, const ReductionText& text, const std::string& body) {
    const std::string entry = "libgpu_" + identifier(text.name);
    writer.add(kernel_head(text, entry) + body + "}\n");
    return writer.take(text.name, {entry}, text.options);
}

}  // namespace

KernelSource reduction_skeleton(const ReductionText& text) {
    SourceWriter writer;
    add_declarations(writer, text);
    writer.add(pack_of(text) + "template <class _T> struct alignas(sizeof(_T) * _pack) _Pack { _T at[_pack]; };\n");
    if (text.walk.is_short) return finished(writer, text, short_rows(text));
    return finished(writer, text,
                    text.walk.by_column
                        ? column_places(text, part_of_output) + column_elements(text) + column_tree(text, finish(text))
                        : std::string(row_place) + row_elements(text) + row_tree(finish(text)));
}

KernelSource join_skeleton(const ReductionText& whole) {
    ReductionText text = whole;
    text.map = {};
    text.reduced_rank = 0;
    std::erase_if(text.parameters,
                  [](const Parameter& parameter) { return parameter.in_map_only || is_mapped(parameter); });

    SourceWriter writer;
    add_declarations(writer, text);
    const bool by_column = text.walk.by_column;
    writer.add((by_column ? pack_of(text) : std::string()) +
               "// Partial results that a thread loads before it uses the first one: of 64 bytes.\n"
               "enum { _joinable = 64 / (sizeof(_accumulator)" +
               std::string(by_column ? " * _pack" : "") +
               "), _joined = _joinable > 8 ? 8 : _joinable < 1 ? 1 : _joinable };\n");
    return finished(writer, text,
                    by_column ? column_places(text, all_partials) + column_partials() +
                                    column_tree(text, finish_join(text))
                              : std::string(row_place) + row_partials() + row_tree(finish_join(text)));
}

}  // namespace gpu::detail::cuda
