// SPDX-License-Identifier: MIT
#include "host/parameter_text.hpp"

namespace gpu::detail::host {

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
