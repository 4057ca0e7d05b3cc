// SPDX-License-Identifier: MIT
#include <algorithm>

#include "codegen/kernel_raw_array.hpp"
#include "host/compile/generate.hpp"
#include "host/compile/parameter_text.hpp"
#include "host/compile/text_writer.hpp"

namespace gpu::detail::host {

namespace {

std::string call_of_body(const ElementwiseText& text, bool strided_loop, bool unit) {
    const std::vector<Parameter>& parameters = text.parameters;
    std::string call = "gpu_body(";
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const std::string n = std::to_string(k);
        if (parameters[k].role == Parameter::Role::scalar || parameters[k].is_raw) call += "gpu_c" + n;
        else if (!strided_loop) call += "gpu_p" + n + "[gpu_i]";
        else if (!parameters[k].strided) call += "gpu_p" + n + "[gpu_i + gpu_k]";
        else call += "gpu_q" + n + (unit ? "[gpu_k]" : "[gpu_k * gpu_s" + n + "]");
        call += ", ";
    }
    const std::string index = strided_loop ? "gpu_i + gpu_k" : "gpu_i";
    if (!text.has_axes) return call + index + ", gpu_ind);";
    return call + index + ", gpu_place_at<" + std::to_string(std::max(text.rank, 1)) + ">(gpu_call->size, " + index +
           ", gpu_call->shape));";
}

// Elements that write to a raw array may write to the same place.
std::string loop_hint(const ElementwiseText& text) { return has_raw_output(text.parameters) ? "" : "GPU_INDEPENDENT"; }

void write_linear_loop(TextWriter& out, const ElementwiseText& text) {
    out.line("    " + loop_hint(text));
    out.line("    for (long gpu_i = gpu_begin; gpu_i < gpu_end; ++gpu_i) " + call_of_body(text, false, false));
}

// Row by row along the last axis; each row is a vectorised loop of its own.
void write_strided_loop(TextWriter& out, const ElementwiseText& text) {
    const std::vector<Parameter>& parameters = text.parameters;
    const int rank = text.rank;
    const std::string last = std::to_string(rank - 1);
    std::string all_unit;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        if (!parameters[k].strided) continue;
        const std::string n = std::to_string(k);
        out.line("    const long* const gpu_t" + n + " = gpu_call->arguments[" + n + "].array.strides;");
        out.line("    const long gpu_s" + n + " = gpu_t" + n + "[" + last + "];");
        all_unit += (all_unit.empty() ? "gpu_s" : " && gpu_s") + n + " == 1";
    }
    out.line("    gpu_position<" + std::to_string(rank) + "> gpu_at;");
    out.line("    gpu_at.set(gpu_begin, gpu_call->shape);");
    out.line("    for (long gpu_i = gpu_begin; gpu_i < gpu_end;) {");
    out.line("        const long gpu_left = gpu_call->shape[" + last + "] - gpu_at.at[" + last + "];");
    out.line("        const long gpu_run = gpu_left < gpu_end - gpu_i ? gpu_left : gpu_end - gpu_i;");
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        if (!parameters[k].strided) continue;
        const std::string n = std::to_string(k);
        out.line("        auto* const gpu_q" + n + " = gpu_p" + n + " + gpu_at.offset(gpu_t" + n + ");");
    }
    out.line("        if (" + all_unit + ") {");
    out.line("            " + loop_hint(text));
    out.line("            for (long gpu_k = 0; gpu_k < gpu_run; ++gpu_k) " + call_of_body(text, true, true));
    out.line("        } else {");
    out.line("            " + loop_hint(text));
    out.line("            for (long gpu_k = 0; gpu_k < gpu_run; ++gpu_k) " + call_of_body(text, true, false));
    out.line("        }");
    out.line("        gpu_i += gpu_run;");
    out.line("        gpu_at.at[" + last + "] += gpu_run;");
    out.line("        gpu_at.carry(gpu_call->shape);");
    out.line("    }");
}

}  // namespace

KernelSource generate_elementwise(const ElementwiseText& text) {
    bool strided = false;
    for (const Parameter& parameter : text.parameters) strided = strided || parameter.strided;
    TextWriter out(text.name);
    write_head(out, "libgpu/generated.hpp", text);
    write_body(out, text);
    out.line("static void gpu_elements(const gpu_elementwise_call* gpu_call, long gpu_begin, long gpu_end) {");
    out.line("    const gpu_indexer gpu_ind = {gpu_call->size};");
    write_locals(out, text.parameters);
    if (strided) write_strided_loop(out, text);
    else write_linear_loop(out, text);
    out.line("}");
    write_parameter_list(out, text.parameters);
    const std::string count = std::to_string(text.parameters.size());
    out.line("GPU_ELEMENTWISE_MODULE(" + string_literal(text.name) + ", " + count + ")");
    return out.source(text.name, text.options, KernelMode::elementwise);
}

}  // namespace gpu::detail::host
