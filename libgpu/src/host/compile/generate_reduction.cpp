// SPDX-License-Identifier: MIT
#include "host/compile/generate.hpp"

#include <algorithm>

#include "codegen/kernel_raw_array.hpp"
#include "host/compile/parameter_text.hpp"
#include "host/compile/text_writer.hpp"

namespace gpu::detail::host {

namespace {

bool is_scalar(const Parameter& parameter) { return parameter.role == Parameter::Role::scalar; }

// A reduction over no axes is one over an axis of length 1.
int reduced_axes(const ReductionText& text) { return std::max(1, text.reduced_rank); }

// The inputs at one place: `along` the last reduced axis, or `across` the last kept one.
void write_inputs(TextWriter& out, const ReductionText& text) {
    const std::string kept = std::to_string(text.kept_rank), reduced = std::to_string(reduced_axes(text));
    const std::string last = std::to_string(text.kept_rank + reduced_axes(text) - 1);
    std::string members, along, across, unit_along = "true", unit_across = "true";
    std::vector<std::string> construct, seek;
    for (std::size_t k = 0; k < text.parameters.size(); ++k) {
        const Parameter& parameter = text.parameters[k];
        if (parameter.role == Parameter::Role::output) continue;
        const std::string n = std::to_string(k), argument = "gpu_call->arguments[" + n + "]";
        if (parameter.is_raw) {
            members += "    " + raw_array_type(parameter) + " gpu_c" + n + ";\n";
            construct.push_back("gpu_c" + n + " = gpu_raw_of<" + raw_array_type(parameter) + ">(" + argument + ");");
            along += "gpu_c" + n + ", ";
            across += "gpu_c" + n + ", ";
            continue;
        }
        if (is_scalar(parameter)) {
            members += "    " + parameter.type + " gpu_c" + n + ";\n";
            construct.push_back("gpu_c" + n + " = *(const " + parameter.type + "*)" + argument + ".scalar;");
            along += "gpu_c" + n + ", ";
            across += "gpu_c" + n + ", ";
            continue;
        }
        members += "    const " + parameter.type + "* gpu_p" + n + ";\n    long gpu_r" + n + ", gpu_k" + n + ";\n";
        const std::string base = "(const " + parameter.type + "*)" + argument + ".array.data";
        const std::string strides = argument + ".array.strides";
        construct.push_back("gpu_r" + n + " = " + (parameter.strided ? strides + "[" + last + "];" : "1;"));
        construct.push_back("gpu_k" + n + " = " +
                            (!parameter.strided ? "gpu_call->reduced;"
                             : text.kept_rank > 0 ? strides + "[" + std::to_string(text.kept_rank - 1) + "];"
                                                  : "0;"));
        seek.push_back("gpu_p" + n + " = " + base + " + " +
                       (parameter.strided
                            ? "gpu_kept.offset(" + strides + ") + gpu_at.offset(" + strides + " + " + kept + ");"
                            : "gpu_output * gpu_call->reduced + gpu_r;"));
        along += "gpu_p" + n + (parameter.same_along ? "[0], " : "[gpu_unit ? gpu_k : gpu_k * gpu_r" + n + "], ");
        across += "gpu_p" + n + (parameter.same_across ? "[0], " : "[gpu_unit ? gpu_k : gpu_k * gpu_k" + n + "], ");
        if (!parameter.same_along) unit_along += " && gpu_r" + n + " == 1";
        if (!parameter.same_across) unit_across += " && gpu_k" + n + " == 1";
    }
    out.line("struct gpu_inputs {");
    out.line(members + "    long gpu_first;\n    gpu_indexer gpu_in_ind, gpu_out_ind;");
    construct.emplace_back("gpu_in_ind = {gpu_call->outputs * gpu_call->reduced};");
    construct.emplace_back("gpu_out_ind = {gpu_call->outputs};");
    out.line("    GPU_INLINE explicit gpu_inputs(const gpu_reduction_call* gpu_call) {");
    for (const std::string& statement : construct) out.line("        " + statement);
    out.line("    }");
    out.line("    GPU_INLINE void seek(const gpu_reduction_call* gpu_call, const gpu_position<" + kept +
             ">& gpu_kept, const gpu_position<" + reduced + ">& gpu_at,");
    out.line("                         long gpu_output, long gpu_r) {");
    for (const std::string& statement : seek) out.line("        " + statement);
    out.line("        gpu_first = gpu_r;");
    out.line("    }");
    out.line("    template <bool gpu_unit> GPU_INLINE gpu_value along(long gpu_k) const { return gpu_map(" + along +
             "gpu_in_ind, gpu_out_ind, gpu_first + gpu_k); }");
    out.line("    template <bool gpu_unit> GPU_INLINE gpu_value across(long gpu_k) const { return gpu_map(" + across +
             "gpu_in_ind, gpu_out_ind, gpu_first); }");
    out.line(
        "    GPU_INLINE static gpu_value reduce(gpu_value gpu_a, gpu_value gpu_b) { return gpu_reduce(gpu_a, gpu_b); "
        "}");
    out.line("    GPU_INLINE bool unit_along() const { return " + unit_along + "; }");
    out.line("    GPU_INLINE bool unit_across() const { return " + unit_across + "; }");
    out.line("};");
}

void write_finish(TextWriter& out, const ReductionText& text) {
    const std::string kept = std::to_string(text.kept_rank);
    std::string others;
    for (std::size_t k = 0; k < text.parameters.size(); ++k) {
        const Parameter& parameter = text.parameters[k];
        const std::string n = std::to_string(k);
        if (parameter.role != Parameter::Role::output) {
            if (is_in_post(parameter)) others += ", gpu_c" + n;
            continue;
        }
        others += ", gpu_p" + n +
                 (parameter.strided ? "[gpu_kept.offset(gpu_call->arguments[" + n + "].array.strides)]" : "[gpu_o]");
    }
    out.line("static void gpu_finish(const gpu_reduction_call* gpu_call, long gpu_begin, long gpu_end) {");
    write_locals(out, text.parameters);
    out.line("    gpu_position<" + kept + "> gpu_kept;");
    out.line("    for (long gpu_o = gpu_begin; gpu_o < gpu_end; ++gpu_o) {");
    out.line("        gpu_kept.set(gpu_o, gpu_call->kept);");
    const std::string combine =
        "gpu_combine<gpu_inputs>((gpu_value*)gpu_call->partials + (gpu_o - gpu_call->base) * gpu_call->groups, "
        "gpu_call->groups)";
    if (text.identity.empty()) {
        out.line("        const gpu_value gpu_a = " + combine + ";");
    } else {
        out.line("        gpu_value gpu_a = gpu_identity();");
        out.line("        if (gpu_call->groups > 0) gpu_a = gpu_reduce(gpu_a, " + combine + ");");
    }
    out.line("        gpu_post(gpu_a" + others +
             ", {gpu_call->outputs * gpu_call->reduced}, {gpu_call->outputs});");
    out.line("    }");
    out.line("}");
}

}  // namespace

KernelSource generate_reduction(const ReductionText& text) {
    TextWriter out(text.name);
    write_head(out, "libgpu/generated.hpp", text);
    write_accumulator(out, text);
    write_expressions(out, text);
    write_inputs(out, text);
    const std::string arguments = "<gpu_value, gpu_inputs, " + std::to_string(text.kept_rank) + ", " +
                                  std::to_string(reduced_axes(text)) + ">";
    write_finish(out, text);
    write_parameter_list(out, text.parameters);
    out.line("static constexpr auto gpu_rows = gpu_reduce_rows" + arguments + ";");
    out.line("static constexpr auto gpu_columns = " +
             (text.kept_rank > 0 ? "gpu_reduce_columns" + arguments : "decltype(+gpu_reduce_rows" + arguments + ")()") +
             ";");
    out.line("GPU_REDUCTION_MODULE(" + string_literal(text.name) + ", " + std::to_string(text.parameters.size()) + ")");
    return out.source(text.name, text.options, KernelMode::reduction);
}

}  // namespace gpu::detail::host
