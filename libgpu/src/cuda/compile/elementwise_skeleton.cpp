// SPDX-License-Identifier: MIT
#include <algorithm>

#include "codegen/kernel_complex.hpp"
#include "codegen/kernel_structs.hpp"
#include "codegen/kernel_support.hpp"
#include "cuda/compile/mixed_math.hpp"
#include "cuda/compile/portable_names.hpp"
#include "cuda/compile/skeletons.hpp"

namespace gpu::detail::cuda {

namespace {

using Role = Parameter::Role;

// A longer body is bound by its arithmetic, and unrolling it several times would cost more compile time than it wins.
constexpr std::size_t longest_packed_body = 160;

bool is_packed(const ElementwiseText& text) {
    bool any_array = false;
    for (const Parameter& parameter : text.parameters) {
        if (parameter.strided) return false;
        any_array = any_array || (parameter.role != Role::scalar && !parameter.is_raw);
    }
    return any_array && !text.has_axes && text.body.text.size() <= longest_packed_body;
}

/// One call of the body; `argument` says how a parameter's element is spelled.
template <class F>
std::string call_element(const ElementwiseText& text, const std::string& index, F argument) {
    std::string call = "_element(";
    for (const Parameter& parameter : text.parameters) {
        const bool is_whole = parameter.role == Role::scalar || parameter.is_raw;
        call += (is_whole ? "_arg_" + parameter.name : argument(parameter)) + ", ";
    }
    return call + index + ", _ind);\n";
}

void add_element_function(SourceWriter& writer, const ElementwiseText& text) {
    std::string types = "\n";
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

bool needs_axes(const ElementwiseText& text) {
    return text.has_axes || std::any_of(text.parameters.begin(), text.parameters.end(),
                                        [](const Parameter& parameter) { return parameter.strided; });
}

/// The loop over whole packs: one access of 16 bytes (for the widest type) fetches or stores several elements.
void add_packed_loop(SourceWriter& writer, const ElementwiseText& text) {
    std::string addresses, fetch, store;
    for (const Parameter& parameter : text.parameters) {
        if (parameter.role == Role::scalar || parameter.is_raw) continue;
        const std::string& name = parameter.name;
        const bool is_output = parameter.role == Role::output;
        const std::string pack = "_Pack<" + parameter.type + ">";
        addresses += (addresses.empty() ? "" : " | ") + ("(size_t)_arg_" + name);
        fetch += "            " + std::string(is_output ? "" : "const ") + pack + " _arg_" + name + "_pack = ((const " +
                 pack + "*)_arg_" + name + ")[_i];\n";
        if (is_output) store += "            ((" + pack + "*)_arg_" + name + ")[_i] = _arg_" + name + "_pack;\n";
    }
    writer.add("    if ((" + addresses + ") % 16 == 0) {\n"
               "#pragma unroll 1\n"
               "        for (const long long _packs = _space.size / _width; _i < _packs; _i += _step) {\n" +
               fetch +
               "#pragma unroll\n"
               "            for (int _k = 0; _k < _width; ++_k) {\n                " +
               call_element(text, "_i * _width + _k",
                            [](const Parameter& parameter) { return "_arg_" + parameter.name + "_pack.at[_k]"; }) +
               "            }\n" + store +
               "        }\n"
               "        _i = _space.size / _width * _width + _first;  // what is left\n"
               "    }\n");
}

void add_pack_type(SourceWriter& writer, const ElementwiseText& text) {
    std::string members;
    for (const Parameter& parameter : text.parameters) {
        if (parameter.role == Role::scalar || parameter.is_raw) continue;
        members += " " + parameter.type + " _arg_" + parameter.name + ";";
    }
    writer.add("\n// Elements of a pack: 16 bytes of the widest type, but no more than 8.\n"
               "union _Any {" + members + " };\n"
               "enum { _widest = sizeof(_Any), _width = _widest >= 16 ? 1 : _widest <= 2 ? 8 : 16 / _widest };\n"
               "template <class _T> struct alignas(sizeof(_T) * _width) _Pack { _T at[_width]; };\n");
}

void add_loop(SourceWriter& writer, const ElementwiseText& text) {
    const bool strided = needs_axes(text);
    std::string loop = "#pragma unroll 1\n    for (; _i < _space.size; _i += _step) {\n";
    if (strided) {
        loop += "        long long _rest = _i;\n";
        for (int axis = text.rank - 1; axis > 0; --axis) {
            const std::string number = std::to_string(axis);
            loop += "        const long long _c" + number + " = _cut(_rest, _space.axes[" + number +
                    "], _space.narrow);\n";
        }
        loop += "        const long long _c0 = _rest;\n";
    }
    if (text.has_axes) {
        loop += "        const _Index _ind{_space.size, {{";
        for (int axis = 0; axis < std::max(text.rank, 1); ++axis) {
            loop += (axis == 0 ? "_c" : ", _c") + std::to_string(axis);
        }
        loop += "}}};\n";
    }
    loop += "        " + call_element(text, "_i", [&](const Parameter& parameter) {
        const std::string array = "_arg_" + parameter.name;
        return parameter.strided ? array + ".data[" + offset(array, 0, text.rank) + "]" : array + "[_i]";
    });
    writer.add(loop + "    }\n");
}

}  // namespace

KernelSource elementwise_skeleton(const ElementwiseText& text) {
    const int axes = std::max(text.rank, 1);
    const std::string entry = "libgpu_" + identifier(text.name);
    const bool packed = is_packed(text);

    SourceWriter writer;
    add_prelude(writer, text.typedefs, text.preamble, all_text(text));
    add_raw(writer, text.parameters);
    add_strided(writer, text.parameters, axes, text.has_axes);
    writer.add("struct _Space { long long size, narrow; _Axis axes[" + std::to_string(axes) + "]; };\n");
    add_element_function(writer, text);
    if (packed) add_pack_type(writer, text);

    std::string head = "\nextern \"C\" __global__ void __launch_bounds__(" + std::to_string(text.block) + ") " + entry +
                       "(const _Space _space";
    for (const Parameter& parameter : text.parameters) head += ", " + kernel_parameter(parameter);
    writer.add(head + ") {\n" + (text.has_axes ? "" : "    const _Index _ind{_space.size};\n") +
               "    const long long _first = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    const long long _step = (long long)gridDim.x * blockDim.x;\n"
               "    long long _i = _first;\n");
    if (packed) add_packed_loop(writer, text);
    add_loop(writer, text);
    writer.add("}\n");
    return writer.take(text.name, {entry}, text.options);
}

KernelSource raw_skeleton(const RawText& text) {
    const std::string all = text_and_names(text);
    const std::vector<Token> tokens = tokens_of(all);
    SourceWriter writer;
    writer.add(half_header(text, tokens));
    writer.add(portable_names(tokens));
    if (names_complex(tokens)) writer.add(kernel_complex());
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

}  // namespace gpu::detail::cuda
