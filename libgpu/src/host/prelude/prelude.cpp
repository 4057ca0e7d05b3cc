// SPDX-License-Identifier: MIT
#include "host/prelude/prelude.hpp"

#include <xxhash.h>

#include <algorithm>
#include <set>

#include "codegen/kernel_complex.hpp"
#include "host/abi.hpp"
#include "host/compile/source_scan.hpp"

namespace gpu::detail::host {

namespace {

struct OptionalFile {
    std::string_view name, text;
    std::set<std::string> offers;
};

std::set<std::string_view> names_in(std::string_view blanked) {
    std::set<std::string_view> names;
    for (const Token& token : tokens_of(blanked))
        if (token.is_name()) names.insert(token.text);
    return names;
}

// The text without its macros' definitions, which name nothing that a kernel could call.
std::string without_directives(std::string_view text) {
    std::string result(text);
    bool inside = false;
    for (std::size_t begin = 0; begin < result.size();) {
        const std::size_t end = std::min(result.find('\n', begin), result.size());
        const bool directive = inside || result[begin] == '#';
        inside = directive && end > begin && result[end - 1] == '\\';
        if (directive) result.replace(begin, end - begin, end - begin, ' ');
        begin = end + 1;
    }
    return result;
}

// What a file declares: names that begin with "__", functions, and what our own macros are given to declare. One too
// many costs a learner milliseconds, nothing else.
std::set<std::string> offers_of(const std::string& text, const std::set<std::string_view>& known) {
    const auto starts = [](std::string_view name, std::string_view prefix) {
        return name.substr(0, prefix.size()) == prefix;
    };
    const std::vector<Token> tokens = tokens_of(text);
    std::set<std::string> offers;
    int macro = 0;  // brackets open since a macro's name
    for (std::size_t k = 1; k + 1 < tokens.size(); ++k) {
        const std::string_view name = tokens[k].text, before = tokens[k - 1].text;
        if (name == "(" && (macro > 0 || starts(before, "GPU_"))) ++macro;
        if (name == ")" && macro > 0) --macro;
        if (!tokens[k].is_name() || name.size() < 2 || starts(name, "gpu_") || starts(name, "GPU_") ||
            starts(name, "__builtin") || known.count(name) != 0)
            continue;
        const bool declared = tokens[k + 1].text == "(" && tokens[k - 1].is_name() && before != "return";
        if (starts(name, "__") || declared || macro > 0) offers.emplace(name);
    }
    return offers;
}

std::vector<OptionalFile> make_optional_files() {
    std::set<std::string_view> known;
    for (const char* const text : {text::types, text::vectors, text::math, text::math_more, text::atomics, text::raw,
                                   text::sync, text::generated})
        known.merge(names_in(text));
    std::vector<OptionalFile> files{{"libgpu/intrinsics.hpp", text::intrinsics, {}},
                                    {"libgpu/special.hpp", text::special, {}},
                                    {"libgpu/simd.hpp", text::simd, {}}};
    for (OptionalFile& file : files) file.offers = offers_of(without_directives(file.text), known);
    return files;
}

}  // namespace

const std::vector<PreludeFile>& prelude_files() {
    static const auto* const complex =
        new std::string("#pragma GCC system_header\n#pragma once\n" + kernel_complex());
    static const auto* const files = new std::vector<PreludeFile>{
        {"libgpu/abi.hpp", text::abi},
        {"libgpu/types.hpp", text::types},
        {"libgpu/vectors.hpp", text::vectors},
        {"libgpu/math.hpp", text::math},
        {"libgpu/math_more.hpp", text::math_more},
        {"libgpu/atomics.hpp", text::atomics},
        {"libgpu/print.hpp", text::print},
        {"libgpu/raw.hpp", text::raw},
        {"libgpu/sync.hpp", text::sync},
        {"libgpu/raw_loop.hpp", text::raw_loop},
        {"libgpu/raw_fiber.hpp", text::raw_fiber},
        {"libgpu/check.hpp", text::check},
        {"libgpu/raw_check.hpp", text::raw_check},
        {"libgpu/positions.hpp", text::positions},
        {"libgpu/generated.hpp", text::generated},
        {"libgpu/generated_atomics.hpp", text::generated_atomics},
        {"libgpu/generated_check.hpp", text::generated_check},
        {"libgpu/intrinsics.hpp", text::intrinsics},
        {"libgpu/special.hpp", text::special},
        {"libgpu/simd.hpp", text::simd},
        {"libgpu/complex.hpp", *complex},
        {"libgpu/half_bits.hpp", text::half_bits},
        {"libgpu/half.hpp", text::half},
        {"libgpu/half_math.hpp", text::half_math},
        {"cuda_fp16.h", "#include \"libgpu/half.hpp\"\n"},
        {"cooperative_groups.h", text::groups},
        {"cooperative_groups/reduce.h", text::groups_reduce},
        {"math_constants.h", text::constants},
        // All that a kernel could want of these is there already.
        {"cuda_runtime.h", ""},
        {"device_launch_parameters.h", ""},
    };
    return *files;
}

std::vector<const PreludeFile*> prelude_files_for(std::string_view text) {
    std::vector<const PreludeFile*> needed;
    const auto add_from = [&needed](std::string_view includer) {
        constexpr std::string_view word = "include";
        for (std::size_t at = includer.find(word); at != std::string_view::npos; at = includer.find(word, at + 1)) {
            const std::size_t open = includer.find_first_not_of(" \t", at + word.size());
            if (open == std::string_view::npos || (includer[open] != '"' && includer[open] != '<')) continue;
            const std::size_t close = includer.find_first_of("\">\n", open + 1);
            const std::string_view name = includer.substr(open + 1, close - open - 1);
            for (const PreludeFile& file : prelude_files())
                if (file.name == name && std::find(needed.begin(), needed.end(), &file) == needed.end())
                    needed.push_back(&file);
        }
    };
    add_from(text);
    for (std::size_t k = 0; k < needed.size(); ++k) add_from(needed[k]->text);
    return needed;
}

std::string prelude_fingerprint() {
    XXH64_hash_t hash = GPU_ABI;
    for (const PreludeFile& file : prelude_files()) hash = XXH64(file.text.data(), file.text.size(), hash);
    return std::to_string(hash);
}

std::string optional_preludes(std::string_view learners) {
    static const auto* const files = new std::vector<OptionalFile>(make_optional_files());
    const std::string blanked = without_comments(learners);
    const std::set<std::string_view> named = names_in(blanked);
    std::string lines;
    for (const OptionalFile& file : *files) {
        if (std::any_of(named.begin(), named.end(),
                        [&](std::string_view name) { return file.offers.count(std::string(name)) != 0; }))
            lines += "#include \"" + std::string(file.name) + "\"\n";
    }
    if (names_complex(blanked)) lines += "#include \"libgpu/complex.hpp\"\n";
    return lines;
}

}  // namespace gpu::detail::host
