// SPDX-License-Identifier: MIT
#include "host/compile/text_writer.hpp"

#include <algorithm>

#include "codegen/kernel_support.hpp"
#include "codegen/kernel_tokens.hpp"
#include "host/prelude/prelude.hpp"

namespace gpu::detail::host {

std::string string_literal(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n') result += "\\n";
        else result += c;
    }
    return result + '"';
}

TextWriter::TextWriter(std::string_view name) : name_(string_literal("libgpu:" + std::string(name))) {}

void TextWriter::append(std::string_view text) {
    text_ += text;
    if (text.empty() || text.back() != '\n') text_ += '\n';
    next_line_ = static_cast<int>(std::count(text_.begin(), text_.end(), '\n')) + 1;
}

void TextWriter::announce(int line, std::string_view quoted_name) {
    marks_.push_back(text_.size());
    append("#line " + std::to_string(line) + ' ' + std::string(quoted_name));
}

void TextWriter::back() { announce(next_line_ + 1, name_); }

TextWriter& TextWriter::line(std::string_view text) {
    append(text);
    return *this;
}

TextWriter& TextWriter::snippet(const SourceText& snippet) {
    announce(snippet.line, string_literal(snippet.file));
    append(snippet.text);
    back();
    return *this;
}

TextWriter& TextWriter::marked(std::string_view marker, std::string_view text) {
    announce(1, string_literal(marker));
    append(text);
    back();
    return *this;
}

TextWriter& TextWriter::head(std::string_view before, std::string_view parameters, std::string_view behind) {
    ((heads_ += '(') += parameters) += ")\n";
    return line(std::string(before) + std::string(parameters) + std::string(behind));
}

KernelSource TextWriter::source(const std::string& name, const std::vector<std::string>& options,
                                KernelMode mode) const {
    return {.name = name,
            .text = text_,
            .entries = {"libgpu_module"},
            .options = options,
            .mode = mode,
            .heads = heads_,
            .marks = marks_};
}

namespace {

// Makes a raw array's object from the argument that a launch passes.
constexpr std::string_view raw_array_of = R"gpu(
template <class Raw> GPU_INLINE Raw gpu_raw_of(const gpu_argument& argument) {
    Raw raw;
    raw.gpu_data = (decltype(raw.gpu_data))argument.array.data;
    for (int axis = 0; axis < 8; ++axis) {
        raw.gpu_strides[axis] = argument.array.strides[axis];
        raw.gpu_lengths[axis] = argument.array.lengths[axis];
    }
    return raw;
}
)gpu";

// A function that returns the learner's expression.
void write_expression(TextWriter& out, const std::string& name, const std::string& parameters,
                      const SourceText& expression) {
    out.head("GPU_INLINE gpu_value " + name + '(', parameters, ") {");
    out.line("    return (gpu_value)(");
    out.snippet(expression);
    out.line("    );");
    out.line("}");
}

// float2, make_int4: CUDA's short vectors.
bool names_vector(const std::vector<Token>& tokens) {
    constexpr std::string_view elements[] = {"char", "uchar", "short",    "ushort",    "int",   "uint",
                                             "long", "ulong", "longlong", "ulonglong", "float", "double"};
    return std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) {
        std::string_view name = token.text;
        if (name.starts_with("make_")) name.remove_prefix(5);
        return token.is_name() && name.back() >= '1' && name.back() <= '4' &&
               std::find(std::begin(elements), std::end(elements), name.substr(0, name.size() - 1)) !=
                   std::end(elements);
    });
}

void write_support(TextWriter& out, const std::string& all_text, const std::vector<Parameter>& parameters) {
    const std::vector<Token> tokens = tokens_of(all_text);
    std::string support = optional_preludes(tokens);
    if (names_vector(tokens)) support += "#include \"libgpu/vectors.hpp\"\n";
    if (needs_half(tokens)) support += "#include \"libgpu/half_bits.hpp\"\n";
    if (needs_bfloat16(tokens)) support += "#include \"libgpu/bfloat16_bits.hpp\"\n";
    support += kernel_support(tokens);
    const bool has_atomic = std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
        return token.is_name() && token.text.find("atomic") != std::string_view::npos;
    });
    if (has_atomic) support += "#include \"libgpu/generated_atomics.hpp\"\n";
    if (has_name(tokens, "printf")) support += "#include \"libgpu/print.hpp\"\n";
    if (!support.empty()) out.line(support);
    if (has_raw(parameters)) out.line(std::string(kernel_raw_array) + std::string(raw_array_of));
}

template <class Text>
void head(TextWriter& out, std::string_view prelude, const Text& text) {
    out.line("#include \"" + std::string(prelude) + "\"");
    write_support(out, all_text(text), text.parameters);
    out.line(sealing_preludes({}));
    write_definitions(out, text.options);
    if (!text.typedefs.empty()) out.line(text.typedefs);
    if (!text.preamble.text.empty()) out.snippet(text.preamble);
}

}  // namespace

bool is_definition(const std::string& option) { return option.starts_with("-D") || option.starts_with("-U"); }

void write_definitions(TextWriter& out, const std::vector<std::string>& options) {
    for (const std::string& option : options) {
        if (!is_definition(option)) continue;
        const std::string what = option.substr(2);
        const std::size_t equals = what.find('=');
        if (option.compare(0, 2, "-U") == 0) {
            out.line("#undef " + what);
        } else {
            out.line("#define " + what.substr(0, equals) + ' ' +
                     (equals == std::string::npos ? "1" : what.substr(equals + 1)));
        }
    }
}

std::string declaration(const Parameter& parameter) {
    if (parameter.is_raw) return "const " + raw_array_type(parameter) + "& " + parameter.name;
    if (parameter.role == Parameter::Role::output) return parameter.type + "& " + parameter.name;
    return "const " + parameter.type + ' ' + parameter.name;
}

void write_head(TextWriter& out, std::string_view prelude, const ElementwiseText& text) {
    head(out, prelude, text);
}
void write_head(TextWriter& out, std::string_view prelude, const ReductionText& text) {
    head(out, prelude, text);
}

void write_body(TextWriter& out, const ElementwiseText& text) {
    std::string signature;
    for (const Parameter& parameter : text.parameters) signature += declaration(parameter) + ", ";
    const std::string indexer = text.has_axes ? "gpu_placed_indexer" : "gpu_indexer";
    out.head("GPU_INLINE void gpu_body(", signature + "const long long i, const " + indexer + " _ind", ") {");
    out.snippet(text.body);
    out.line(";");
    out.line("}");
}

void write_accumulator(TextWriter& out, const ReductionText& text) {
    if (!text.has_own_type) {
        out.line("typedef " + text.accumulator + " gpu_value;");
        return;
    }
    out.line("typedef");
    out.snippet({text.accumulator, text.name + " (reduce_type)", 1});
    out.line("gpu_value;");
}

void write_expressions(TextWriter& out, const ReductionText& text) {
    std::string inputs, post;
    for (const Parameter& parameter : text.parameters) {
        if (parameter.role != Parameter::Role::output) inputs += declaration(parameter) + ", ";
        if (is_in_post(parameter)) post += ", " + declaration(parameter);
    }
    const std::string sizes = "const gpu_indexer _in_ind, const gpu_indexer _out_ind";
    write_expression(out, "gpu_map", inputs + sizes + ", const long long _J", text.map);
    write_expression(out, "gpu_reduce", "const gpu_value a, const gpu_value b", text.reduce);
    if (!text.identity.empty())
        write_expression(out, "gpu_identity", "", {text.identity, text.name + " (identity)", 1});
    out.head("GPU_INLINE void gpu_post(", "const gpu_value a" + post + ", " + sizes, ") {");
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
        if (parameter.is_raw)
            out.line("    const auto gpu_c" + n + " = gpu_raw_of<" + raw_array_type(parameter) + ">(" + argument +
                     ");");
        else if (parameter.role == Parameter::Role::scalar)
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
        out.line("    {" + string_literal(parameter.name) + ", sizeof(" + parameter.type + "), " +
                 (is_array ? "true, " : "false, ") + (is_const ? "true, " : "false, ") +
                 (parameter.strided ? "true}," : "false},"));
    }
    out.line("};");
}

}  // namespace gpu::detail::host
