// SPDX-License-Identifier: MIT
// What g++, clang or NVRTC printed of a kernel, made into what the learner reads. The input: the kernel's text, a
// line "=====", the log.
#include <gpu/error.hpp>

#include "codegen/kernel_declarations.hpp"
#include "fuzz/fuzz_target.hpp"
#include "host/compile/generate.hpp"
#include "host/compile/header_errors.hpp"
#include "jit/compile_error.hpp"

namespace fuzz {

using namespace gpu::detail;

FUZZ_TARGET(kernel_log, std::size_t{1} << 16) {
    const std::string text(take_part(input)), log(input);
    const RawText raw{.name = "add",
                      .source = {.text = text, .file = "add.cu"},
                      .signature = "(const float*, float*, int)",
                      .options = {}};
    const KernelSource source = host::generate_raw(raw, !log.empty() && log.front() == '!');
    (void)host::explain_headers(log, source.text);
    const std::string explained = explain_compile_failure(source, {.log = log});
    require(explained.starts_with("kernel add does not compile\n"), "an explanation without its title");
    require(explained.size() <= 2 * input.size() + 3 * text.size() + 2000, "an explanation longer than text and log");
    try {
        fail_to_compile(source, {.log = log});
    } catch (const gpu::CompileError& error) {
        require(std::string_view(error.what()).find("kernel add does not compile") != std::string_view::npos,
                "an error without its title");
    }
}

/// The text alone: the lexer and those that look at its tokens.
FUZZ_TARGET(kernel_text, std::size_t{1} << 16) {
    const std::vector<Token> tokens = tokens_and_comments_of(input);
    std::size_t end = 0;
    int line = 1;
    for (const Token& token : tokens) {
        require(token.offset >= end && token.end() <= input.size() && !token.text.empty(), "tokens that overlap");
        require(token.line >= line && token.column() >= 1, "a token before the one before it");
        end = token.end();
        line = token.line;
    }
    const std::string blank = blanked(input);
    require(blank.size() == input.size(), "blanking moves characters");
    for (std::size_t k = 0; k < blank.size(); ++k)
        require(blank[k] == input[k] || blank[k] == ' ', "blanking writes something");
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].text == "#" && tokens[k].starts_line)
            (void)line_directive_at(tokens, k), (void)included(tokens, k);
    }
    const std::string text(input);
    (void)possible_kernels(text);
    for (const std::string& name : plain_kernels(text)) require(!name.empty(), "a kernel without a name");
    const std::vector<KernelDeclaration> kernels = find_kernels(input);
    for (const KernelDeclaration& one : kernels) (void)unresolved_kernel(kernels, one.name, "(float*)");
}

}  // namespace fuzz
