// SPDX-License-Identifier: MIT
// Check mode's skeletons: each element is a thread, see prelude_generated_check.cpp.
#include <algorithm>

#include "codegen/kernel_raw_array.hpp"
#include "host/compile/generate.hpp"
#include "host/compile/parameter_text.hpp"
#include "host/compile/text_writer.hpp"

namespace gpu::detail::host {

namespace {

using Role = Parameter::Role;

std::string truth(bool value) { return value ? "true" : "false"; }

// As a raw kernel's: pointers to the values, and what a pointer points to.
void write_raw_parameter_list(TextWriter& out, const std::vector<Parameter>& parameters) {
    out.line("static const gpu_parameter gpu_parameter_list[] = {");
    for (const Parameter& parameter : parameters) {
        const bool is_array = parameter.role != Role::scalar;
        out.line("    {" + string_literal(parameter.name) + ", sizeof(" + parameter.type + (is_array ? "*" : "") + "), " +
                 truth(is_array) + ", " + truth(parameter.role != Role::output) + ", " + truth(parameter.strided) +
                 "," + (is_array ? " sizeof(" + parameter.type + ")" : " 0") + "},");
    }
    out.line("};");
}

std::string raw_call(const Parameter& parameter, std::size_t k) {
    return "gpu_raw<" + raw_array_type(parameter) + ">(gpu_call, " + std::to_string(k) + ")";
}

std::string scalar_call(const Parameter& parameter, std::size_t k) {
    return "gpu_scalar<" + parameter.type + ">(gpu_call, " + std::to_string(k) + ")";
}

}  // namespace

KernelSource generate_checked(const ElementwiseText& text) {
    TextWriter out(text.name);
    write_head(out, "libgpu/generated_check.hpp", text);
    write_body(out, text, text.in_place ? Inputs::by_value : Inputs::by_reference);
    std::string call = "    gpu_body(";
    for (std::size_t k = 0; k < text.parameters.size(); ++k) {
        const Parameter& parameter = text.parameters[k];
        if (parameter.role == Role::scalar || parameter.is_raw) {
            call += (parameter.is_raw ? raw_call(parameter, k) : scalar_call(parameter, k)) + ", ";
            continue;
        }
        call += "*gpu_element<" + std::string(parameter.role == Role::input ? "const " : "") + parameter.type + ", " +
                std::to_string(text.rank) + ", " + truth(parameter.strided) + ">(gpu_call, " + std::to_string(k) +
                ", gpu_i), ";
    }
    const std::string count = std::to_string(text.parameters.size());
    out.line("static void gpu_thread(void* const* gpu_arguments) {");
    out.line("    const auto* const gpu_call = gpu_call_of<gpu_elementwise_call>(gpu_arguments, " + count + ");");
    out.line("    const long gpu_i = gpu_this_element(), gpu_n = gpu_size_of(gpu_call);");
    out.line("    if (gpu_i >= gpu_n) return;");
    const std::string rank = std::to_string(std::max(text.rank, 1));
    call += text.has_axes ? "gpu_i, gpu_place_of<" + rank + ">(gpu_call, gpu_i));" : "gpu_i, gpu_indexer{gpu_n});";
    if (text.in_place)
        out.snippet({call, text.body.file, text.body.line});  // here the inputs are read
    else
        out.line(call);
    out.line("}");
    write_raw_parameter_list(out, text.parameters);
    out.line("GPU_CHECKED_MODULE(" + string_literal(text.name) + ", " + count + ", 0)");
    return {.name = text.name,
            .text = out.text(),
            .entry = "libgpu_module",
            .options = text.options,
            .learners = text.body};
}

KernelSource generate_checked(const ReductionText& text) {
    TextWriter out(text.name);
    write_head(out, "libgpu/generated_check.hpp", text);
    write_accumulator(out, text);
    write_expressions(out, text);

    // A reduction over no axes is one over an axis of length 1.
    const std::string kept = std::to_string(text.kept_rank), reduced = std::to_string(std::max(1, text.reduced_rank));
    std::string inputs, post;
    for (std::size_t k = 0; k < text.parameters.size(); ++k) {
        const Parameter& parameter = text.parameters[k];
        const std::string n = std::to_string(k);
        if (parameter.role == Role::scalar || parameter.is_raw) {
            const std::string value = parameter.is_raw ? raw_call(parameter, k) : scalar_call(parameter, k);
            inputs += value + ", ";
            if (is_in_post(parameter)) post += ", " + value;
        } else if (parameter.role == Role::input) {
            inputs += "*gpu_input<const " + parameter.type + ", " + kept + ", " + reduced + ", " +
                      truth(parameter.strided) + ">(gpu_call, " + n + ", gpu_output, gpu_r), ";
        } else {
            post += ", *gpu_result<" + parameter.type + ", " + kept + ", " + truth(parameter.strided) + ">(gpu_call, " +
                    n + ", gpu_output)";
        }
    }
    const std::string begin = "    GPU_INLINE static ",
                      call = "(const gpu_checked_reduction* gpu_call, long gpu_output, ";
    const std::string sizes = "gpu_all_of(gpu_call), gpu_results_of(gpu_call)";
    out.line("struct gpu_expressions {");
    out.line(begin + "gpu_value map" + call + "long gpu_r) { return gpu_map(" + inputs + sizes + ", gpu_r); }");
    out.line(begin + "gpu_value reduce(gpu_value gpu_a, gpu_value gpu_b) { return gpu_reduce(gpu_a, gpu_b); }");
    out.line(begin + "void finish" + call + "gpu_value gpu_combined, bool gpu_any) {");
    if (text.identity.empty()) {
        out.line("        const gpu_value gpu_a = gpu_combined;");
    } else {
        out.line("        gpu_value gpu_a = gpu_identity();");
        out.line("        if (gpu_any) gpu_a = gpu_reduce(gpu_a, gpu_combined);");
    }
    out.line("        gpu_post(gpu_a" + post + ", " + sizes + ");");
    out.line("    }");
    out.line("};");

    const std::string count = std::to_string(text.parameters.size());
    out.line("static void gpu_thread(void* const* gpu_arguments) {");
    out.line("    const auto* const gpu_call = gpu_call_of<gpu_checked_reduction>(gpu_arguments, " + count + ");");
    out.line("    gpu_reduce_checked<gpu_value, gpu_expressions>(gpu_call);");
    out.line("}");
    write_raw_parameter_list(out, text.parameters);
    out.line("GPU_CHECKED_MODULE(" + string_literal(text.name) + ", " + count + ", sizeof(gpu_value))");
    return {.name = text.name,
            .text = out.text(),
            .entry = "libgpu_module",
            .options = text.options,
            .learners = {.text = {}, .file = {}, .made_in = text.made_in}};
}

}  // namespace gpu::detail::host
