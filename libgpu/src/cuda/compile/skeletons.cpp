// SPDX-License-Identifier: MIT
#include "cuda/compile/skeletons.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <embedded/skeletons.hpp>

#include "base.hpp"
#include "codegen/kernel_declarations.hpp"
#include "codegen/kernel_support.hpp"
#include "codegen/kernel_tokens.hpp"
#include "cuda/compile/elementwise_kernel_writer.hpp"
#include "cuda/compile/portable_names.hpp"

namespace gpu::detail::cuda {

void add_prelude(SourceWriter& writer, const std::string& typedefs, const SourceText& preamble,
                 const std::string& all_text) {
    const std::vector<Token> tokens = tokens_of(all_text);
    writer.add(text::prelude);
    if (needs_complex(tokens)) writer.add(kernel_complex);
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

std::string kernel_parameter(const Parameter& parameter) {
    if (parameter.is_raw) return "const " + raw_array_type(parameter) + " _arg_" + parameter.name;
    const std::string type = (parameter.role == Parameter::Role::output ? "" : "const ") + parameter.type;
    if (parameter.role == Parameter::Role::scalar) return type + " _arg_" + parameter.name;
    if (parameter.strided) return "const _Strided<" + type + "> _arg_" + parameter.name;
    return type + "* _arg_" + parameter.name;
}

std::string kernel_member(const Parameter& parameter) {
    std::string member = kernel_parameter(parameter);
    if (parameter.is_raw || parameter.strided) member.insert(member.rfind(' '), "&");
    return member;
}

std::string device_function(const std::string& head, const std::string& lines) {
    return "    __device__ __forceinline__ " + head + " const {\n" + lines + "    }\n";
}

std::string user_parameter(const Parameter& parameter) {
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

std::string entry_of(const std::string& name) { return "libgpu_" + identifier(name); }

void add_element_function(SourceWriter& writer, const ElementwiseText& text) {
    std::string parameters;
    for (const Parameter& parameter : text.parameters) parameters += user_parameter(parameter) + ", ";
    writer.add_head("static __device__ __forceinline__ void _element(",
                    parameters + "const long long i, const _Index _ind", ") {\n");
    writer.add(text.body, SourceWriter::Ending::semicolon);
    writer.add("}\n");
}

}  // namespace

KernelSource elementwise_skeleton(const ElementwiseText& text) {
    const std::string entry = entry_of(text.name);
    const PlannedElementwise planned(text);
    const ElementwiseKernelWriter walk(planned);

    SourceWriter writer;
    add_prelude(writer, text.typedefs, text.preamble, all_text(text));
    add_raw(writer, text.parameters);
    writer.add(walk.space());
    add_element_function(writer, text);
    writer.add(walk.kernel(entry));
    KernelSource source = writer.take(text.name, {entry}, text.options);
    source.plan = std::make_shared<const ThreadWork>(walk.work());
    return source;
}

KernelSource raw_skeleton(const RawText& text) {
    const std::string all = text_and_names(text);
    const std::vector<Token> tokens = tokens_of(all);
    SourceWriter writer;
    writer.add(short_float_headers(text, tokens));
    writer.add(portable_names(tokens));
    if (needs_complex(tokens)) writer.add(kernel_complex);
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

/// A function of one expression of the learner's.
void add_expression(SourceWriter& writer, const std::string& name, const std::string& parameters,
                    const SourceText& expression) {
    writer.add_head("\nstatic __device__ __forceinline__ _accumulator " + name + '(', parameters,
                    ") {\n    return (_accumulator)(\n");
    writer.add(expression);
    writer.add("    );\n}\n");
}

// An array whose element at an index is mapped.
bool is_mapped(const Parameter& parameter) { return parameter.role == Role::input && !parameter.is_raw; }

void add_learners_functions(SourceWriter& writer, const PlannedReduction& text) {
    std::vector<std::string> map_parameters, post_parameters{"const _accumulator a"};
    for (const Parameter& parameter : text.parameters) {
        if (parameter.role != Role::output) map_parameters.push_back(user_parameter(parameter));
        if (is_in_post(parameter)) post_parameters.push_back(user_parameter(parameter));
    }
    for (const char* const size : {"const _Size _in_ind", "const _Size _out_ind"}) {
        map_parameters.emplace_back(size);
        post_parameters.emplace_back(size);
    }
    map_parameters.emplace_back("const long long _J");
    if (!text.map.text.empty())  // else it joins what was mapped before
        add_expression(writer, "_map", joined(map_parameters), text.map);
    add_expression(writer, "_reduce", "const _accumulator a, const _accumulator b", text.reduce);
    if (!text.identity.empty()) add_expression(writer, "_identity", "", {text.identity, text.name + " (identity)", 1});
    writer.add_head("\nstatic __device__ __forceinline__ void _post(", joined(post_parameters), ") {\n");
    writer.add(text.post, SourceWriter::Ending::semicolon);
    writer.add("}\n");
}

// These take so many instructions that copies of them cost more compile time than loads in flight win.
constexpr std::string_view costly[] = {"pow",  "sin",   "cos",   "tan",    "asin",   "acos", "atan", "atan2", "sinh",
                                       "cosh", "tanh",  "asinh", "acosh",  "atanh",  "exp",  "exp2", "expm1", "log",
                                       "log2", "log10", "log1p", "lgamma", "tgamma", "erf",  "erfc", "cbrt",  "fmod"};

bool is_long(const PlannedReduction& text) {
    constexpr std::size_t max_length = 240;
    if (text.map.text.size() + text.reduce.text.size() > max_length) return true;
    const std::string all = text.map.text + ' ' + text.reduce.text + ' ' + text.preamble.text;
    const std::vector<Token> tokens = tokens_of(all);
    return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
        return std::find(std::begin(costly), std::end(costly), token.text) != std::end(costly);
    });
}

bool accumulates_struct(const PlannedReduction& text) {
    const std::vector<Token> type = tokens_of(text.accumulator), tokens = tokens_of(text.preamble.text);
    for (std::size_t k = 1; k < tokens.size() && !type.empty(); ++k) {
        if (tokens[k - 1].text == "struct" && tokens[k].text == type.front().text) return true;
    }
    return false;
}

/// How many packs of 16 bytes a thread loads before it uses the first one: 64 bytes together are enough where it has
/// few of them, or where its accumulator is a struct, which needs its registers.
int packs_in_flight(const PlannedReduction& text) {
    const auto inputs = std::count_if(text.parameters.begin(), text.parameters.end(), is_mapped);
    if (is_long(text)) return 1;
    if (text.walk.deep_unroll && text.walk.pack <= 4 && inputs <= 2 && !accumulates_struct(text)) return 8;
    return inputs > 4 ? 1 : inputs > 2 || text.walk.pack > 4 ? 2 : 4;
}

/// Scalar loads in flight, for the tail after vector loads; without those, for everything.
int elements_in_flight(const PlannedReduction& text) { return is_long(text) ? 2 : text.walk.is_packed ? 4 : 8; }

/// Rows of several neighbouring outputs that a thread loads before it uses the first one: of outputs that lie anywhere,
/// more, since each is a load of its own.
int columns_in_flight(const PlannedReduction& text) {
    const int packs = packs_in_flight(text);
    return text.walk.is_packed || packs < 4 || accumulates_struct(text) ? packs : 8;
}

/// Writes what a reduction's kernel does with its parameters: `_Inputs` says where an output's elements begin, how they
/// are loaded and mapped, `_Outputs` how results are stored; then the kernel's head.
class ReductionParameters {
public:
    explicit ReductionParameters(const PlannedReduction& text)
        : text_(text),
          by_column_(text.walk.by_column),
          is_packed_(text.walk.is_packed),
          kept_(text.kept_rank),
          reduced_(text.reduced_rank) {}

    [[nodiscard]] std::string inputs() const {
        const auto is_in_map = [](const Parameter& parameter) { return parameter.role != Role::output; };
        return "\nstruct _Inputs {\n    const _Reduction& _r;\n" + members(is_in_map) + starts() +
               (is_packed_ && !by_column_ ? loads("_Packs", true) : "") + loads("_Loaded", is_packed_ && by_column_) +
               "};\n#define _inputs " + names(is_in_map) + "\n";
    }

    /// `whole` is the result of `_count` elements that come to `_v`.
    [[nodiscard]] std::string outputs(const std::string& whole) const {
        std::string arguments;
        for (const Parameter& parameter : text_.parameters) {
            if (!is_in_post(parameter)) continue;
            arguments += ", _arg_" + parameter.name;
            if (parameter.role != Role::output) continue;
            arguments += parameter.strided ? ".data[" + place(parameter, 0, kept_) + "]" : "[_o]";
        }
        return "\nstruct _Outputs {\n    const _Reduction& _r;\n" + members(is_in_post) +
               device_function("void _store(const long long _o, const _accumulator& _v, const int _count)",
                        "        const _accumulator _result = " + whole + ";\n" +
                            coordinates("(_Place)_o", 0, kept_, has_strided(Role::output)) +
                            "        _post(_result" + arguments + ", {_r.elements}, {_r.outputs});\n") +
               "};\n#define _outputs " + names(is_in_post) + "\n";
    }

    [[nodiscard]] std::string head() const {
        std::string parameters = "const _Reduction _r, _accumulator* const _partials";
        for (const Parameter& parameter : text_.parameters) parameters += ", " + kernel_parameter(parameter);
        return "\n#define _kernel " + entry_of(text_.name) + "\n#define _parameters " + parameters + "\n";
    }

private:
    template <class Wanted>
    std::string members(Wanted wanted) const {
        std::string lines;
        for (const Parameter& parameter : text_.parameters) {
            if (wanted(parameter)) lines += "    " + kernel_member(parameter) + ";\n";
        }
        return lines;
    }

    template <class Wanted>
    std::string names(Wanted wanted) const {
        std::string list = "_r";
        for (const Parameter& parameter : text_.parameters)
            if (wanted(parameter)) list += ", _arg_" + parameter.name;
        return list;
    }

    template <class F>
    std::string each(F line) const {
        std::string lines;
        for (const Parameter& parameter : text_.parameters)
            if (is_mapped(parameter)) lines += "        " + line(parameter, "_arg_" + parameter.name) + ";\n";
        return lines;
    }

    /// Where output `_o` begins, at the element `_begin`: the one of several with the number `_k`.
    std::string starts() const {
        return "    struct _Start {\n" + each([](const Parameter& one, const std::string& array) {
                   return "const " + one.type + "* " + array + "[_starts]";
               }) +
               "    };\n" +
               device_function("void _start(_Start& _from, const int _k, const long long _o, const long long _begin)",
                        coordinates("(_Place)_o", 0, kept_, has_strided(Role::input)) +
                            each([&](const Parameter& one, const std::string& array) {
                                const std::string from = "_from." + array + "[_k] = " + array;
                                if (!one.strided) return from + " + _o * _r.reduced + _begin";
                                const std::string step = array + ".strides[" + number(kept_) + "]";
                                return from + ".data + " + place(one, 0, kept_) +
                                       (reduced_ == 1 ? " + _begin * " + step : "");
                            }));
    }

    /// What is loaded at the element `_begin + _at` of each output, and mapped: a pack of each array, or an element.
    std::string loads(const std::string& type, bool is_pack) const {
        std::string arguments;
        for (const Parameter& parameter : text_.parameters) {
            if (parameter.role == Role::output) continue;
            arguments += (is_mapped(parameter) ? "_v._arg_" : "_arg_") + parameter.name;
            arguments += is_mapped(parameter) && is_pack && !is_one(parameter) ? ".at[_k], " : ", ";
        }
        return "    struct " + type + " {\n" + each([&](const Parameter& one, const std::string& array) {
                   return (is_pack && !is_one(one) ? "_Pack<" + one.type + "> " : one.type + " ") + array;
               }) +
               "    };\n" +
               device_function("void _load(" + type +
                            " (&_v)[_starts], const _Start& _from, const long long _begin, const int _at)",
                        coordinates("(_Place)_begin + _at", kept_, reduced_, reduced_ > 1 && has_strided(Role::input)) +
                            "#pragma unroll\n        for (int _k = 0; _k < _starts; ++_k) {\n" +
                            each([&](const Parameter& one, const std::string& array) {
                                const std::string to = "    _v[_k]." + array + " = ", from = "_from." + array + "[_k]";
                                if (!is_pack || is_one(one)) return to + from + "[" + along(one) + "]";
                                const bool is_step_1 = !by_column_ && reduced_ == 1 && !text_.walk.is_short;
                                return to + "*(const _Pack<" + one.type + ">*)(" + from + " + " +
                                       (is_step_1 ? "_at" : along(one)) + ")";
                            }) +
                            "        }\n") +
               device_function("_accumulator _value_of(const " + type + "& _v, const int _k, const long long _j)",
                        "        return _map(" + arguments + "{_r.elements}, {_r.outputs}, _j);\n");
    }

    bool has_strided(Role role) const {
        return std::any_of(text_.parameters.begin(), text_.parameters.end(), [&](const Parameter& parameter) {
            return parameter.strided && parameter.role == role;
        });
    }

    /// `_c0`, `_c1`, ...: the coordinates of a place along axes [first, first + count).
    static std::string coordinates(const std::string& place, int first, int count, bool wanted) {
        if (!wanted || count == 0) return {};
        std::string lines = "        _Place _rest = " + place + ";\n";
        for (int axis = first + count - 1; axis >= first; --axis) {
            const std::string rest = axis > first ? "_cut(_rest, _r.axes[" + number(axis) + "])" : "_rest";
            lines += "        const _Place _c" + number(axis) + " = " + rest + ";\n";
        }
        return lines;
    }
    static std::string place(const Parameter& parameter, int first, int count, const std::string& cast = "") {
        return offset("_arg_" + parameter.name, first, count, cast);
    }

    // An input that stays at one element along a pack.
    bool is_one(const Parameter& parameter) const {
        return is_packed_ && parameter.strided && (by_column_ ? parameter.broadcast_outer : parameter.broadcast_inner);
    }

    // Element by element the multiplications count, and have 32 bits where they may.
    std::string along(const Parameter& parameter) const {
        if (!parameter.strided) return "_at";
        const std::string cast = is_packed_ ? "" : "(_Offset)";
        if (reduced_ != 1) return place(parameter, kept_, reduced_, cast);
        return "_at * " + cast + "_arg_" + parameter.name + ".strides[" + number(kept_) + "]";
    }

    const PlannedReduction& text_;
    const bool by_column_, is_packed_;
    const int kept_, reduced_;
};

/// All that stands before `_Inputs`.
void add_declarations(SourceWriter& writer, const PlannedReduction& text, const std::string& constants) {
    const int axes = std::max(text.kept_rank + text.reduced_rank, 1);
    const auto is_strided = [](const Parameter& parameter) { return parameter.strided; };
    add_prelude(writer, text.typedefs, text.preamble, all_text(text));
    add_raw(writer, text.parameters);
    writer.add("enum { _axes = " + number(axes) + constants + " };\n").add(text::reduction);
    if (std::any_of(text.parameters.begin(), text.parameters.end(), is_strided))
        writer.add(text.walk.is_wide ? text::wide_places : text::narrow_places).add(text::strided);
    writer.add("typedef ");
    if (text.has_own_type)
        writer.add("\n").add(SourceText{text.accumulator, text.name + " (reduce_type)", 1});
    else
        writer.add(text.accumulator);
    writer.add(" _accumulator;\n"
               "static_assert(sizeof(_accumulator) <= " + number(max_accumulator_bytes) +
               ", \"the accumulator of a reduction has at most " + number(max_accumulator_bytes) + " bytes\");\n");
    add_learners_functions(writer, text);
    writer.add(text::slot);
}

}  // namespace

KernelSource reduction_skeleton(const ReductionText& whole) {
    const PlannedReduction text(whole);
    const ReductionWalk& walk = text.walk;
    const ReductionParameters parameters(text);
    std::string constants;
    if (walk.is_short) {
        constants = ", _rows = " + number(short_rows_together) + ", _starts = " + (is_long(text) ? "1" : "_rows");
    } else if (walk.by_column) {
        constants = std::string(", _starts = ") + (walk.is_packed ? "1" : "_pack") +
                    ", _is_packed = " + number(walk.is_packed) + ", _in_flight = " + number(columns_in_flight(text));
    } else {
        constants = ", _starts = 1, _in_flight = " + number(elements_in_flight(text));
    }
    SourceWriter writer;
    add_declarations(writer, text, ", _pack = " + number(walk.pack) + constants);
    if (walk.is_packed) writer.add(text::pack);
    writer.add(parameters.inputs())
        .add(parameters.outputs(text.identity.empty() ? "_v" : "_count > 0 ? _reduce(_identity(), _v) : _identity()"));
    if (!walk.is_short) writer.add(text::reduce_elements);
    writer.add(parameters.head());
    if (!walk.is_short && !walk.by_column && walk.is_packed)
        writer.add("#define _packs_in_flight " + number(packs_in_flight(text)) + "\n");
    writer.add(walk.is_short ? text::reduce_short_rows : walk.by_column ? text::reduce_columns : text::reduce_rows);
    return writer.take(text.name, {entry_of(text.name)}, text.options);
}

KernelSource join_skeleton(const ReductionText& whole) {
    PlannedReduction text(whole);
    text.map = {};
    text.reduced_rank = 0;
    std::erase_if(text.parameters,
                  [](const Parameter& parameter) { return parameter.map_stage_only || is_mapped(parameter); });

    const ReductionParameters parameters(text);
    const ReductionWalk& walk = text.walk;
    SourceWriter writer;
    add_declarations(writer, text,
                     walk.by_column ? ", _pack = " + number(walk.pack) + ", _starts = _pack, _by_column = 1" +
                                          ", _is_packed = " + number(walk.is_packed)
                                    : std::string(", _starts = 1, _by_column = 0"));
    writer.add(parameters.outputs(text.identity.empty() ? "_v" : "_reduce(_identity(), _v)"))
        .add(text::reduce_partials)
        .add(parameters.head())
        .add("#define _inputs _r, _partials\n")
        .add(walk.by_column ? text::reduce_columns : text::reduce_rows);
    return writer.take(text.name, {entry_of(text.name)}, text.options);
}

}  // namespace gpu::detail::cuda
