// SPDX-License-Identifier: MIT
#include <algorithm>

#include "codegen/kernel_accesses.hpp"
#include "codegen/kernel_complex.hpp"
#include "codegen/kernel_support.hpp"
#include "cuda/compile/mixed_math.hpp"
#include "cuda/compile/portable_names.hpp"
#include "cuda/compile/skeletons.hpp"
#include "cuda/compile/walk_text.hpp"

namespace gpu::detail::cuda {

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
