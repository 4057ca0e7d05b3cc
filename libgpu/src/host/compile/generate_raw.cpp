// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <string_view>

#include "codegen/kernel_declarations.hpp"
#include "codegen/kernel_structs.hpp"
#include "codegen/kernel_support.hpp"
#include "host/compile/generate.hpp"
#include "host/compile/local_arrays.hpp"
#include "host/compile/native_words.hpp"
#include "host/compile/parameter_text.hpp"
#include "host/compile/shared_declarations.hpp"
#include "host/compile/source_scan.hpp"
#include "host/compile/text_writer.hpp"
#include "host/prelude/prelude.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::string_view loop_prelude = "#include \"libgpu/raw_loop.hpp\"\n";
constexpr std::string_view check_prelude = "#include \"libgpu/raw_check.hpp\"\n";
constexpr std::string_view turns_prelude = "#include \"libgpu/turns.hpp\"\n";
constexpr std::string_view fiber_prelude = "#include \"libgpu/raw_fiber.hpp\"\n";

// 227 KiB: what a block can ask for on the GPUs of today.
constexpr std::string_view dynamic_shared =
    "extern \"C\" { __thread __attribute__((aligned(1024))) unsigned char gpu_dynamic_shared[232448]; }";

std::string joined(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
    return list;
}

// The table by which libgpu finds the text's k-th kernel, and what makes the compiler compare its signature.
void add_entry(TextWriter& out, const std::vector<KernelDeclaration>& kernels, const RawEntry& entry, std::size_t k) {
    std::string parameters;
    std::vector<std::string> others;
    const std::string base = bare_name(entry.name), number = k == 0 ? "" : '_' + std::to_string(k);
    for (const KernelDeclaration& kernel : kernels) {
        if (kernel.name == base)
            parameters = joined(parameter_names(kernel.parameters));
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
                                   string_literal(parameters) + ", " + string_literal(joined(others)) + ", " + kernel +
                                   ")");
}

// With this option NVRTC takes a function without __device__ for the device's, too.
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
    Snippet learners = text.source;
    learners.text = without_static_variables(text.source.text, tokens);
    learners.text = with_shared_variables(without_instantiations(learners.text, tokens), tokens, has_dynamic_shared);
    if (checked) learners.text = with_watched_variables(learners.text, tokens_of(learners.text));
    TextWriter out(text.name);
    out.line(checked ? check_prelude : mode == KernelMode::fiber ? fiber_prelude : loop_prelude);
    if (const std::string half = half_header(text, tokens); !half.empty()) out.line(half);
    const std::string all = text_and_names(text);
    const std::vector<Token> named = tokens_of(all);
    if (const std::string more = optional_preludes(named); !more.empty()) out.line(more);
    if (const std::string textures = texture_prelude(named); !textures.empty()) out.line(textures);
    if (const std::string view = strided_view_text(tokens); !view.empty()) out.line(view);
    if (has_dynamic_shared) out.line(dynamic_shared);
    out.line(sealing_preludes(tokens));
    write_definitions(out, text.options);
    if (waits && !checked) {  // the last before the learner's own text
        out.line(turns_prelude);
        if (declares_in_while(tokens)) out.line("#undef while\n");  // a macro can't go round a declaration
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
