// SPDX-License-Identifier: MIT
#include "host/parameter_text.hpp"

#include "codegen/kernel_support.hpp"
#include "host/prelude.hpp"

namespace gpu::detail::host {

namespace {

std::string declaration(const Parameter& parameter) { return "const " + parameter.type + "& " + parameter.name; }

// A function whose result is the learner's expression.
void write_expression(TextWriter& out, const std::string& head, const Snippet& expression) {
    out.line(head + " {");
    out.line("    return (gpu_value)(");
    out.snippet(expression);
    out.line("    );");
    out.line("}");
}

}  // namespace

void write_support(TextWriter& out, const std::string& all_text) {
    std::string support = optional_preludes(all_text);
    if (names_half(all_text)) support += "#include \"libgpu/half_bits.hpp\"\n";
    support += kernel_support(all_text);
    if (!support.empty()) out.line(support);
}

void write_body(TextWriter& out, const ElementwiseText& text, Inputs inputs) {
    std::string signature;
    for (const Parameter& parameter : text.parameters) {
        const bool is_output = parameter.role == Parameter::Role::output;
        signature += (is_output ? "" : "const ") + parameter.type;
        signature += (is_output || inputs == Inputs::by_reference ? "& " : " ") + parameter.name + ", ";
    }
    out.line("GPU_INLINE void gpu_body(" + signature + "const long long i, const gpu_indexer _ind) {");
    out.snippet(text.body);
    out.line(";");
    out.line("}");
}

void write_expressions(TextWriter& out, const ReductionText& text) {
    std::string inputs, scalars, output;
    for (const Parameter& parameter : text.parameters) {
        if (parameter.role == Parameter::Role::output)
            output = parameter.type + "& " + parameter.name;
        else
            inputs += declaration(parameter) + ", ";
        if (parameter.role == Parameter::Role::scalar) scalars += ", " + declaration(parameter);
    }
    write_expression(out, "GPU_INLINE gpu_value gpu_map(" + inputs + "const long long _J)", text.map);
    write_expression(out, "GPU_INLINE gpu_value gpu_reduce(const gpu_value a, const gpu_value b)", text.reduce);
    out.line("GPU_INLINE void gpu_post(const gpu_value a, " + output + scalars + ") {");
    out.snippet(text.post);
    out.line(";");
    out.line("}");
}

void write_locals(TextWriter& out, const std::vector<Parameter>& parameters) {
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const Parameter& parameter = parameters[k];
        const std::string n = std::to_string(k);
        const std::string argument = "gpu_call->arguments[" + n + "]";
        const std::string type = (parameter.role == Parameter::Role::output ? "" : "const ") + parameter.type;
        if (parameter.role == Parameter::Role::scalar)
            out.line("    " + type + " gpu_c" + n + " = *(" + type + "*)" + argument + ".scalar;");
        else
            out.line("    " + type + "* const gpu_p" + n + " = (" + type + "*)" + argument + ".array.data;");
    }
}

void write_parameter_list(TextWriter& out, const std::vector<Parameter>& parameters) {
    out.line("static const gpu_parameter gpu_parameter_list[] = {");
    for (const Parameter& parameter : parameters) {
        const bool is_array = parameter.role != Parameter::Role::scalar;
        const bool is_const = parameter.role != Parameter::Role::output;
        out.line("    {" + quoted(parameter.name) + ", sizeof(" + parameter.type + "), " +
                 (is_array ? "true, " : "false, ") + (is_const ? "true, " : "false, ") +
                 (parameter.strided ? "true}," : "false},"));
    }
    out.line("};");
}

}  // namespace gpu::detail::host
