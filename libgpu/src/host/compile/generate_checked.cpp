// SPDX-License-Identifier: MIT
// Check mode's skeletons: each element is a thread, see prelude_generated_check.cpp. An input is loaded once, at the
// line that first names it, whatever the learner's text does with it; so is an output stored that the text assigns
// first.
#include <algorithm>

#include "codegen/kernel_accesses.hpp"
#include "codegen/kernel_raw_array.hpp"
#include "host/compile/generate.hpp"
#include "host/compile/native_words.hpp"
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
        const std::string type = parameter.type + (is_array ? "*" : "");
        out.line("    {" + string_literal(parameter.name) + ", sizeof(" + type + "), " + truth(is_array) + ", " +
                 truth(parameter.role != Role::output) + ", " + truth(parameter.strided) + "," +
                 (is_array ? " sizeof(" + parameter.type + ")" : " 0") + "},");
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

KernelSource generate_checked(const ElementwiseText& text, bool only_cuda) {
    TextWriter out(text.name);
    write_head(out, "libgpu/generated_check.hpp", text);
    write_body(out, text);
    const std::string count = std::to_string(text.parameters.size());
    out.line("static void gpu_thread(void* const* gpu_arguments) {");
    out.line("    const auto* const gpu_call = gpu_call_of<gpu_elementwise_call>(gpu_arguments, " + count + ");");
    out.line("    const long gpu_i = gpu_this_element(), gpu_n = gpu_size_of(gpu_call);");
    out.line("    if (gpu_i >= gpu_n) return;");
    std::string call = "    gpu_body(";
    std::vector<Snippet> stores;
    for (std::size_t k = 0; k < text.parameters.size(); ++k) {
        const Parameter& parameter = text.parameters[k];
        const std::string n = std::to_string(k);
        if (parameter.role == Role::scalar || parameter.is_raw) {
            call += (parameter.is_raw ? raw_call(parameter, k) : scalar_call(parameter, k)) + ", ";
            continue;
        }
        const bool is_input = parameter.role == Role::input;
        const std::string element = "*gpu_element_at<" + std::string(is_input ? "const " : "") + parameter.type + ", " +
                                    std::to_string(text.rank) + ", " + truth(parameter.strided) + ">(gpu_call, " + n +
                                    ", gpu_i)";
        const int line = line_naming(text.body, parameter.name);
        const bool is_stored = !is_input && assigns_first(text, parameter.name);
        if (is_input) {
            out.snippet({"    const " + parameter.type + " gpu_v" + n + " = " + element + ";", text.body.file, line});
        } else if (is_stored) {
            out.line("    " + parameter.type + " gpu_v" + n + ";");
            stores.push_back({"    " + element + " = gpu_v" + n + ";", text.body.file, line});
        }
        call += (is_input || is_stored ? "gpu_v" + n : element) + ", ";
    }
    const std::string rank = std::to_string(std::max(text.rank, 1));
    out.line(call +
             (text.has_axes ? "gpu_i, gpu_place_of<" + rank + ">(gpu_call, gpu_i));" : "gpu_i, gpu_indexer{gpu_n});"));
    for (const Snippet& store : stores) out.snippet(store);
    out.line("}");
    write_raw_parameter_list(out, text.parameters);
    out.line("GPU_CHECKED_MODULE(" + string_literal(text.name) + ", " + count + ", 0)");
    KernelSource source = out.source(text.name, text.options, KernelMode::check);
    source.learners = text.body;
    source.only_cuda = only_cuda;
    if (only_cuda) source.refusals = native_words(text);
    return source;
}

KernelSource generate_checked(const ReductionText& text, bool only_cuda) {
    TextWriter out(text.name);
    write_head(out, "libgpu/generated_check.hpp", text);
    write_accumulator(out, text);
    write_expressions(out, text);

    // A reduction over no axes is one over an axis of length 1.
    const std::string kept = std::to_string(text.kept_rank), reduced = std::to_string(std::max(1, text.reduced_rank));
    std::string inputs, post;
    std::vector<Snippet> loads;
    for (std::size_t k = 0; k < text.parameters.size(); ++k) {
        const Parameter& parameter = text.parameters[k];
        const std::string n = std::to_string(k);
        if (parameter.role == Role::scalar || parameter.is_raw) {
            const std::string value = parameter.is_raw ? raw_call(parameter, k) : scalar_call(parameter, k);
            inputs += value + ", ";
            if (is_in_post(parameter)) post += ", " + value;
        } else if (parameter.role == Role::input) {
            inputs += "gpu_v" + n + ", ";
            loads.push_back({"        const " + parameter.type + " gpu_v" + n + " = *gpu_input<const " +
                                 parameter.type + ", " + kept + ", " + reduced + ", " + truth(parameter.strided) +
                                 ">(gpu_call, " + n + ", gpu_output, gpu_r);",
                             text.map.file, line_naming(text.map, parameter.name)});
        } else {
            post += ", *gpu_result<" + parameter.type + ", " + kept + ", " + truth(parameter.strided) + ">(gpu_call, " +
                    n + ", gpu_output)";
        }
    }
    const std::string begin = "    GPU_INLINE static ",
                      call = "(const gpu_checked_reduction* gpu_call, long gpu_output, ";
    const std::string sizes = "gpu_all_of(gpu_call), gpu_results_of(gpu_call)";
    out.line("struct gpu_expressions {");
    out.line(begin + "gpu_value map" + call + "long gpu_r) {");
    for (const Snippet& load : loads) out.snippet(load);
    out.line("        return gpu_map(" + inputs + sizes + ", gpu_r);");
    out.line("    }");
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
    KernelSource source = out.source(text.name, text.options, KernelMode::check);
    source.learners.made_in = text.made_in;
    source.only_cuda = only_cuda;
    if (only_cuda) source.refusals = native_words(text);
    return source;
}

}  // namespace gpu::detail::host
