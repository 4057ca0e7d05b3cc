// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>

#include "codegen/kernel_declarations.hpp"
#include "codegen/kernel_structs.hpp"
#include "host/compile/generate.hpp"
#include "host/compile/parameter_text.hpp"
#include "host/prelude/prelude.hpp"
#include "host/compile/source_scan.hpp"
#include "host/compile/text_writer.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::string_view refusal_mark = "//libgpu:refused ";
constexpr std::string_view loop_prelude = "#include \"libgpu/raw_loop.hpp\"\n";
constexpr std::string_view check_prelude = "#include \"libgpu/raw_check.hpp\"\n";
constexpr std::string_view fiber_prelude = "#include \"libgpu/raw_fiber.hpp\"\n";

// 227 KiB: what a block can ask for on the GPUs of today.
constexpr std::string_view dynamic_shared =
    "extern \"C\" { __thread __attribute__((aligned(1024))) unsigned char gpu_dynamic_shared[232448]; }";

// "mul" of "ns::mul<float>".
std::string base_name(std::string_view entry) {
    const std::string_view plain = entry.substr(0, entry.find('<'));
    const std::size_t colon = plain.rfind(':');
    return std::string(colon == std::string_view::npos ? plain : plain.substr(colon + 1));
}

std::string joined(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
    return list;
}

// The table by which libgpu finds the text's k-th kernel, and what makes the compiler compare its signature.
void add_entry(TextWriter& out, const RawText& text, const RawEntry& entry, std::size_t k) {
    std::string parameters;
    std::vector<std::string> others;
    const std::string base = base_name(entry.name), number = k == 0 ? "" : '_' + std::to_string(k);
    for (const KernelDeclaration& kernel : find_kernels(text.source.text)) {
        if (kernel.name == base) parameters = joined(parameter_names(kernel.parameters));
        else others.push_back(kernel.name);
    }
    std::string kernel = entry.name;
    if (!entry.signature.empty()) {
        kernel = "gpu_kernel" + number;
        out.marked("libgpu:signature",
                   "static constexpr void (*" + kernel + ")" + entry.signature + " = " + entry.name + ";");
    }
    out.marked("libgpu:entry", "GPU_RAW_MODULE(libgpu_module" + number + ", " + string_literal(entry.name) + ", " +
                                   string_literal(parameters) + ", " + string_literal(joined(others)) + ", " + kernel + ")");
}

}  // namespace

KernelSource generate_raw(const RawText& text, bool checked) {
    const std::string blanked = without_comments(text.source.text);
    const std::vector<Token> tokens = tokens_of(blanked);
    KernelSource source{.name = text.name, .text = {}, .entry = "libgpu_module", .options = text.options};

    source.unresolved = unresolved_kernel(text.source.text, text.name, text.signature);
    std::string refused = unsupported(text.source.text, blanked, tokens, text.source.file, text.source.line);
    if (refused.empty() && is_no_kernel(tokens, base_name(text.name))) refused = source.unresolved + '\n';
    for (std::size_t begin = 0; begin < refused.size();) {
        const std::size_t end = refused.find('\n', begin);
        source.text += std::string(refusal_mark) + refused.substr(begin, end - begin) + '\n';
        begin = end + 1;
    }

    bool has_dynamic_shared = false;
    Snippet learners = text.source;
    learners.text = without_static_variables(text.source.text, tokens);
    learners.text = with_dynamic_shared(without_instantiations(learners.text, tokens), tokens, has_dynamic_shared);
    TextWriter out(text.name);
    out.line(checked ? check_prelude : synchronises(tokens) ? fiber_prelude : loop_prelude);
    if (const std::string more = optional_preludes(text.source.text); !more.empty()) out.line(more);
    if (const std::string view = strided_view_text(text.source.text); !view.empty()) out.line(view);
    if (has_dynamic_shared) out.line(dynamic_shared);
    write_definitions(out, text.options);
    out.snippet(learners);
    if (!text.structs.empty()) out.line(layout_checks(text.structs));
    add_entry(out, text, {text.name, text.signature}, 0);
    for (std::size_t k = 0; k < text.more.size(); ++k) {
        add_entry(out, text, text.more[k], k + 1);
        source.entry += "\nlibgpu_module_" + std::to_string(k + 1);
    }
    source.text += out.text();
    source.learners = text.source;
    if (!text.source.plain.empty()) source.learners.text = text.source.plain;
    return source;
}

std::string refusals(const KernelSource& source) {
    std::string log;
    std::string_view rest = source.text;
    while (rest.substr(0, refusal_mark.size()) == refusal_mark) {
        const std::size_t end = rest.find('\n');
        log += rest.substr(refusal_mark.size(), end + 1 - refusal_mark.size());
        rest.remove_prefix(end + 1);
    }
    return log;
}

KernelSource in_fiber_mode(const KernelSource& source) {
    if (source.text.substr(0, loop_prelude.size()) != loop_prelude) return {};
    KernelSource other = source;
    other.text.replace(0, loop_prelude.size(), fiber_prelude);
    return other;
}

}  // namespace gpu::detail::host
