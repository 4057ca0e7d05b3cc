// SPDX-License-Identifier: MIT
#include "host/generate.hpp"
#include "host/parameter_text.hpp"
#include "host/text_writer.hpp"

namespace gpu::detail::host {

namespace {

std::string call_of_body(const std::vector<Parameter>& parameters, bool strided_loop, bool unit) {
    std::string call = "gpu_body(";
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const std::string n = std::to_string(k);
        if (parameters[k].role == Parameter::Role::scalar) call += "gpu_c" + n;
        else if (!strided_loop) call += "gpu_p" + n + "[i]";
        else if (!parameters[k].strided) call += "gpu_p" + n + "[i + k]";
        else call += "gpu_q" + n + (unit ? "[k]" : "[k * gpu_s" + n + "]");
        call += ", ";
    }
    return call + (strided_loop ? "i + k, _ind);" : "i, _ind);");
}

void write_linear_loop(TextWriter& out, const std::vector<Parameter>& parameters) {
    out.line("    GPU_INDEPENDENT");
    out.line("    for (long i = begin; i < end; ++i) " + call_of_body(parameters, false, false));
}

// Row by row along the last axis; each row is a vectorised loop of its own.
void write_strided_loop(TextWriter& out, const std::vector<Parameter>& parameters, int rank) {
    const std::string last = std::to_string(rank - 1);
    std::string all_unit;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        if (!parameters[k].strided) continue;
        const std::string n = std::to_string(k);
        out.line("    const long* const gpu_t" + n + " = call->arguments[" + n + "].array.strides;");
        out.line("    const long gpu_s" + n + " = gpu_t" + n + "[" + last + "];");
        all_unit += (all_unit.empty() ? "gpu_s" : " && gpu_s") + n + " == 1";
    }
    out.line("    gpu_position<" + std::to_string(rank) + "> at;");
    out.line("    at.set(begin, call->shape);");
    out.line("    for (long i = begin; i < end;) {");
    out.line("        const long left = call->shape[" + last + "] - at.at[" + last + "];");
    out.line("        const long run = left < end - i ? left : end - i;");
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        if (!parameters[k].strided) continue;
        const std::string n = std::to_string(k);
        out.line("        auto* const gpu_q" + n + " = gpu_p" + n + " + at.offset(gpu_t" + n + ");");
    }
    out.line("        if (" + all_unit + ") {");
    out.line("            GPU_INDEPENDENT");
    out.line("            for (long k = 0; k < run; ++k) " + call_of_body(parameters, true, true));
    out.line("        } else {");
    out.line("            GPU_INDEPENDENT");
    out.line("            for (long k = 0; k < run; ++k) " + call_of_body(parameters, true, false));
    out.line("        }");
    out.line("        i += run;");
    out.line("        at.at[" + last + "] += run;");
    out.line("        at.carry(call->shape);");
    out.line("    }");
}

}  // namespace

KernelSource generate_elementwise(const ElementwiseText& text) {
    bool strided = false;
    std::string signature;
    for (const Parameter& parameter : text.parameters) {
        strided = strided || parameter.strided;
        signature += (parameter.role == Parameter::Role::output ? "" : "const ") + parameter.type + "& " +
                     parameter.name + ", ";
    }
    TextWriter out(text.name);
    out.line("#include \"libgpu/generated.hpp\"");
    if (!text.typedefs.empty()) out.line(text.typedefs);
    if (!text.preamble.text.empty()) out.snippet(text.preamble);
    out.line("GPU_INLINE void gpu_body(" + signature + "const long long i, const gpu_indexer _ind) {");
    out.snippet(text.body);
    out.line(";");
    out.line("}");
    out.line("static void gpu_elements(const gpu_elementwise_call* call, long begin, long end) {");
    out.line("    const gpu_indexer _ind = {call->size};");
    write_locals(out, text.parameters);
    if (strided) write_strided_loop(out, text.parameters, text.rank);
    else write_linear_loop(out, text.parameters);
    out.line("}");
    write_parameter_list(out, text.parameters);
    out.line("GPU_ELEMENTWISE_MODULE(" + quoted(text.name) + ", " + std::to_string(text.parameters.size()) + ")");
    return {.name = text.name, .text = out.text(), .entry = "libgpu_module", .options = {}};
}

}  // namespace gpu::detail::host
