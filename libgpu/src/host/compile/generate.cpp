// SPDX-License-Identifier: MIT
#include "host/compile/generate.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "base.hpp"
#include "codegen/kernel_declarations.hpp"
#include "codegen/kernel_support.hpp"
#include "host/base/device_limits.hpp"
#include "host/compile/kernel_variables.hpp"
#include "host/compile/native_words.hpp"
#include "host/compile/refusals.hpp"
#include "host/compile/source_scan.hpp"
#include "host/compile/text_writer.hpp"
#include "host/prelude/prelude.hpp"

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

// Elements that write to a raw array may write to the same element.
std::string loop_hint(const ElementwiseText& text) { return has_raw_output(text.parameters) ? "" : "GPU_INDEPENDENT"; }

void write_linear_loop(TextWriter& out, const ElementwiseText& text) {
    out.line("    " + loop_hint(text));
    out.line("    for (long gpu_i = gpu_begin; gpu_i < gpu_end; ++gpu_i) " + call_of_body(text, false, false));
}

// Row by row along the last axis; each row is its own vectorised loop.
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
    KernelSource source = out.source(text.name, text.options, KernelMode::elementwise);
    source.learners.made_in = text.body.made_in;
    return source;
}

namespace {

bool is_scalar(const Parameter& parameter) { return parameter.role == Parameter::Role::scalar; }

// A reduction over no axes is handled as one over an axis of length 1.
int reduced_axes(const ReductionText& text) { return std::max(1, text.reduced_rank); }

// Loads the inputs at one index: `along` walks the last reduced axis, `across` the last kept one.
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
        along += "gpu_p" + n + (parameter.broadcast_inner ? "[0], " : "[gpu_unit ? gpu_k : gpu_k * gpu_r" + n + "], ");
        across += "gpu_p" + n + (parameter.broadcast_outer ? "[0], " : "[gpu_unit ? gpu_k : gpu_k * gpu_k" + n + "], ");
        if (!parameter.broadcast_inner) unit_along += " && gpu_r" + n + " == 1";
        if (!parameter.broadcast_outer) unit_across += " && gpu_k" + n + " == 1";
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
    KernelSource source = out.source(text.name, text.options, KernelMode::reduction);
    source.learners.made_in = text.made_in;
    return source;
}

// Check mode's skeletons: each element is a thread, see generated_check.cuh. An input is loaded once, at the line that
// first names it, whatever the learner's text does with it; likewise an output is stored where it is first assigned.

namespace {

using Role = Parameter::Role;

std::string truth(bool value) { return value ? "true" : "false"; }

// Like a raw kernel's: pointers to the values, and the types they point to.
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
    return "gpu_raw_argument<" + raw_array_type(parameter) + ">(gpu_call, " + std::to_string(k) + ")";
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
    std::vector<SourceText> stores;
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
    for (const SourceText& store : stores) out.snippet(store);
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

    // A reduction over no axes is handled as one over an axis of length 1.
    const std::string kept = std::to_string(text.kept_rank), reduced = std::to_string(std::max(1, text.reduced_rank));
    std::string inputs, post;
    std::vector<SourceText> loads;
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
    for (const SourceText& load : loads) out.snippet(load);
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

namespace {

constexpr std::string_view loop_prelude = "#include \"libgpu/raw_loop.hpp\"\n";
constexpr std::string_view check_prelude = "#include \"libgpu/raw_check.hpp\"\n";
constexpr std::string_view turns_prelude = "#include \"libgpu/turns.hpp\"\n";
constexpr std::string_view fiber_prelude = "#include \"libgpu/raw_fiber.hpp\"\n";

std::string dynamic_shared() {
    return "extern \"C\" { __thread __attribute__((aligned(1024))) unsigned char gpu_dynamic_shared[" +
           std::to_string(limits::max_shared) + "]; }";
}

// The table by which libgpu finds the text's k-th kernel, and what makes the compiler compare its signature.
void add_entry(TextWriter& out, const std::vector<KernelDeclaration>& kernels, const RawEntry& entry, std::size_t k) {
    std::string parameters;
    std::vector<std::string> others;
    const std::string base = bare_name(entry.name), number = k == 0 ? "" : '_' + std::to_string(k);
    for (const KernelDeclaration& kernel : kernels) {
        if (kernel.name == base)
            parameters = joined(parameter_names(kernel.parameters), ",");
        else
            others.push_back(kernel.name);
    }
    std::string kernel = entry.name;
    if (!entry.signature.empty()) {
        kernel = "gpu_kernel" + number;
        out.marked("libgpu:signature",
                   "static constexpr void (*" + kernel + ")" + entry.signature + " = " + entry.name + ";");
    }
    out.marked("libgpu:entry", "GPU_RAW_MODULE(libgpu_module" + number + ", " + string_literal(entry.name) + ", " +
                                   string_literal(parameters) + ", " + string_literal(joined(others, ",")) + ", " +
                                   kernel +
                                   ")");
}

// With this option, NVRTC treats functions without __device__ as the device's, too.
bool has_default_device(const std::vector<std::string>& options) {
    return std::any_of(options.begin(), options.end(), [](const std::string& option) {
        return option.starts_with("-default-device") || option.starts_with("--device-as-default");
    });
}

}  // namespace

KernelSource generate_raw(const RawText& text, bool checked, bool only_cuda) {
    const std::vector<Token> tokens = tokens_of(text.source.text);
    const std::vector<KernelDeclaration> kernels = find_kernels(tokens);
    const bool waits = may_wait(tokens);
    const KernelMode mode = checked                        ? KernelMode::check
                            : waits || synchronises(tokens) ? KernelMode::fiber
                                                            : KernelMode::loop;
    bool has_dynamic_shared = false;
    SourceText learners = text.source;
    learners.text = without_static_variables(text.source.text, tokens);
    learners.text = with_shared_variables(without_instantiations(learners.text, tokens), tokens, has_dynamic_shared);
    if (checked) learners.text = with_watched_variables(learners.text, tokens_of(learners.text));
    TextWriter out(text.name);
    out.line(checked ? check_prelude : mode == KernelMode::fiber ? fiber_prelude : loop_prelude);
    if (const std::string half = short_float_headers(text, tokens); !half.empty()) out.line(half);
    const std::string all = text_and_names(text);
    const std::vector<Token> named = tokens_of(all);
    if (const std::string more = optional_preludes(named); !more.empty()) out.line(more);
    if (const std::string textures = texture_prelude(named); !textures.empty()) out.line(textures);
    if (const std::string view = strided_view_text(tokens); !view.empty()) out.line(view);
    if (has_dynamic_shared) out.line(dynamic_shared());
    out.line(sealing_preludes(tokens));
    write_definitions(out, text.options);
    if (waits && !checked) {  // the last line before the learner's own text
        out.line(turns_prelude);
        if (declares_in_while(tokens)) out.line("#undef while\n");  // a macro can't wrap a declaration
    }
    out.snippet(learners);
    if (!text.structs.empty()) out.line(layout_checks(text.structs));
    add_entry(out, kernels, {text.name, text.signature}, 0);
    for (std::size_t k = 0; k < text.more.size(); ++k) add_entry(out, kernels, text.more[k], k + 1);

    KernelSource source = out.source(text.name, text.options, mode);
    for (std::size_t k = 0; k < text.more.size(); ++k)
        source.entries.push_back("libgpu_module_" + std::to_string(k + 1));
    source.learners = text.source;
    if (!text.source.plain.empty()) source.learners.text = text.source.plain;
    source.unresolved = unresolved_kernel(kernels, text.name, text.signature);
    source.unresolved.is_certain = is_no_kernel(tokens, bare_name(text.name));
    const bool needs_annotations = !source.unresolved.is_certain && !has_default_device(text.options);
    source.refusals = unsupported(tokens, text.source.file, text.source.line, needs_annotations);
    source.only_cuda = only_cuda;
    if (only_cuda && source.refusals.empty()) source.refusals = native_words(text);
    return source;
}

KernelSource in_fiber_mode(const KernelSource& source) {
    if (source.mode != KernelMode::loop) return {};
    KernelSource other = source;
    other.mode = KernelMode::fiber;
    other.text.replace(0, loop_prelude.size(), fiber_prelude);
    for (std::size_t& mark : other.marks) mark += fiber_prelude.size() - loop_prelude.size();
    return other;
}

}  // namespace gpu::detail::host
