// SPDX-License-Identifier: MIT
#include "host/prelude/prelude.hpp"

#include <embedded/prelude.hpp>
#include <xxhash.h>

#include <algorithm>
#include <list>
#include <set>

#include "codegen/kernel_support.hpp"
#include "host/base/abi.hpp"

namespace gpu::detail::host {

namespace {

struct OptionalFile {
    std::string_view name, text;
    std::set<std::string> offers;
};

std::set<std::string_view> names_of(const std::vector<Token>& tokens) {
    std::set<std::string_view> names;
    for (const Token& token : tokens)
        if (token.is_name()) names.insert(token.text);
    return names;
}

// The names that a file declares, except its macros: names that begin with "__", functions, and the arguments of our
// own declaring macros. An extra name only costs a learner milliseconds.
std::set<std::string> offers_of(std::string_view text, const std::set<std::string_view>& known) {
    const auto starts = [](std::string_view name, std::string_view prefix) {
        return name.substr(0, prefix.size()) == prefix;
    };
    std::vector<Token> tokens = tokens_of(text);
    std::erase_if(tokens, [](const Token& token) { return token.in_directive; });
    std::set<std::string> offers;
    int macro = 0;  // open brackets since a macro's name
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
        known.merge(names_of(tokens_of(text)));
    std::vector<OptionalFile> files{{"libgpu/intrinsics.hpp", text::intrinsics, {}},
                                    {"libgpu/special.hpp", text::special, {}},
                                    {"libgpu/simd.hpp", text::simd, {}}};
    for (OptionalFile& file : files) file.offers = offers_of(file.text, known);
    files.push_back({"libgpu/runtime_types.hpp", text::runtime_types, {}});
    for (const std::string_view name : names_of(tokens_of(text::runtime_types)))
        if (name.starts_with("cuda")) files.back().offers.emplace(name);
    return files;
}

// The host backend's cuda_bf16.h: cuda_fp16.h's texts with other names and bits.
struct Renamed {
    std::string_view half, bfloat16;
};
constexpr Renamed renamed[] = {
    {"__half", "__nv_bfloat16"},
    {"__half2", "__nv_bfloat162"},
    {"__half_raw", "__nv_bfloat16_raw"},
    {"__half2_raw", "__nv_bfloat162_raw"},
    {"half", "nv_bfloat16"},
    {"half2", "nv_bfloat162"},
    {"0x7c00", "0x7f80"},
    {"0xfc00", "0xff80"},
};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

std::string bfloat16_of_half(std::string_view text) {
    const std::vector<Token> tokens = tokens_of(text);
    std::string result;
    std::size_t copied = 0;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const Token& token = tokens[k];
        std::string word = replaced(replaced(std::string(token.text), "half", "bfloat16"), "HALF", "BFLOAT16");
        const bool is_pasted = k + 2 < tokens.size() && tokens[k + 1].text == "#" && tokens[k + 2].text == "#";
        for (const Renamed& one : renamed)
            if (token.text == one.half && !is_pasted) word = one.bfloat16;
        result += text.substr(copied, token.offset - copied);
        result += word;
        copied = token.end();
    }
    return result += text.substr(copied);
}

// The host compiler's own atomics, which CUDA doesn't have and nobody counts; each also with a size appended.
std::string atomics_of_the_host() {
    std::string text;
    const auto add = [&text](const std::string& name) {
        text += "#pragma GCC poison " + name;
        for (const char* const size : {"_1", "_2", "_4", "_8"}) text += " " + name + size;
        text += "\n";
    };
    for (const std::string operation : {"add", "sub", "or", "and", "xor", "nand"})
        for (const std::string& name : {"__sync_fetch_and_" + operation, "__sync_" + operation + "_and_fetch",
                                       "__atomic_fetch_" + operation, "__atomic_" + operation + "_fetch"})
            add(name);
    for (const char* const name : {"__sync_bool_compare_and_swap", "__sync_val_compare_and_swap",
                                   "__sync_lock_test_and_set", "__sync_lock_release"})
        add(name);
    for (const std::string name : {"load", "store", "exchange", "compare_exchange"}) {
        add("__atomic_" + name);
        text += "#pragma GCC poison __atomic_" + name + "_n\n";
    }
    return text;
}

// The entry points to libgpu in linked/check_object.cpp.
std::string doors() {
    std::string text = "#pragma GCC poison";
    for (const char* const name :
         {"barrier", "barrier_count", "warp", "fail", "print", "clock", "active_lanes", "yield", "part_barrier",
          "grid_barrier", "skip_xorwow", "copy_later", "end_copy_group", "next_copy", "texels"})
        text += std::string(" gpu_to_host_") + name;
    for (const char* const name : {"atomic_begins", "block_scope", "local_begins", "local_ends", "allocate", "release",
                                   "copy_begins", "copy_ends", "barrier_phase"})
        text += std::string(" gpu_to_check_") + name;
    return text + "\n";
}

const std::vector<PreludeFile>* with_empty_headers(std::vector<PreludeFile>* files) {
    for (const std::string_view name : empty_headers) files->push_back({name, ""});
    for (const std::string_view name : {"algorithm", "array", "cmath", "cstddef", "cstdint", "functional", "limits",
                                        "tuple", "type_traits", "utility"}) {
        static auto* const names = new std::list<std::string>;  // the files refer to them
        names->push_back("cuda/std/" + std::string(name));
        files->push_back({names->back(), "#include \"libgpu/cuda_std.hpp\"\n"});
    }
    return files;
}

// False positives do no harm: `= delete` and placement new aren't calls.
bool allocates(const std::vector<Token>& tokens) {
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const bool is_called = k + 1 < tokens.size() && tokens[k + 1].text == "(";
        if (is_one_of(tokens[k].text, {"new", "delete"})) return true;
        if (is_called && is_one_of(tokens[k].text, {"malloc", "free"})) return true;
    }
    return false;
}

// The prelude's files that a text includes itself.
std::vector<const PreludeFile*> included_in(std::string_view text) {
    std::vector<const PreludeFile*> files;
    const std::vector<Token> tokens = tokens_of(text);
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const Token* const named = included(tokens, k);
        if (named == nullptr) continue;
        for (const PreludeFile& file : prelude_files())
            if (file.name == named->text.substr(1, named->text.size() - 2)) files.push_back(&file);
    }
    return files;
}

}  // namespace

const std::vector<PreludeFile>& prelude_files() {
    static const auto* const complex =
        new std::string("#pragma GCC system_header\n#pragma once\n" + std::string(kernel_complex));
    static const auto* const bfloat16 = new std::string(bfloat16_of_half(text::half));
    static const auto* const bfloat16_math = new std::string(bfloat16_of_half(text::half_math));
    static const auto* const sealed = new std::string(text::sealed + atomics_of_the_host() + doors());
    static const auto* const cu_complex =
        new std::string("#pragma GCC system_header\n#pragma once\n" + std::string(cu_complex_header));
    static const auto* const of_cupy = new std::string("#pragma GCC system_header\n#include \"libgpu/complex.hpp\"\n" +
                                                       std::string(complex_header));
    static const auto* const files = with_empty_headers(new std::vector<PreludeFile>{
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
        {"libgpu/turns.hpp", text::turns},
        {"libgpu/check.hpp", text::check},
        {"libgpu/raw_check.hpp", text::raw_check},
        {"libgpu/sealed.hpp", *sealed},
        {"libgpu/positions.hpp", text::positions},
        {"libgpu/generated.hpp", text::generated},
        {"libgpu/generated_atomics.hpp", text::generated_atomics},
        {"libgpu/generated_check.hpp", text::generated_check},
        {"libgpu/intrinsics.hpp", text::intrinsics},
        {"libgpu/special.hpp", text::special},
        {"libgpu/simd.hpp", text::simd},
        {"libgpu/runtime_types.hpp", text::runtime_types},
        {"libgpu/complex.hpp", *complex},
        {"libgpu/half_bits.hpp", text::half_bits},
        {"libgpu/half.hpp", text::half},
        {"libgpu/half_math.hpp", text::half_math},
        {"cuda_fp16.h", "#include \"libgpu/half.hpp\"\n"},
        {"cooperative_groups.h", text::groups},
        {"cooperative_groups/reduce.h", text::groups_reduce},
        {"math_constants.h", text::constants},
        {"libgpu/bfloat16_bits.hpp", text::bfloat16_bits},
        {"libgpu/bfloat16.hpp", *bfloat16},
        {"libgpu/bfloat16_math.hpp", *bfloat16_math},
        {"cuda_bf16.h", "#include \"libgpu/bfloat16.hpp\"\n"},
        {"cooperative_groups/scan.h", text::groups_scan},
        {"libgpu/cuda_std.hpp", text::cuda_std},
        {"libgpu/cuda_std_types.hpp", text::cuda_std_types},
        {"libgpu/classes.hpp", text::classes},
        {"libgpu/cuda_atomic.hpp", text::cuda_atomic},  // lines in it aren't the learner's
        {"cuda/atomic", "#include \"libgpu/cuda_atomic.hpp\"\n"},
        {"libgpu/heap.hpp", text::heap},
        {"libgpu/curand.hpp", text::curand},
        {"libgpu/texture.hpp", text::texture},
        {"curand_kernel.h", "#include \"libgpu/curand.hpp\"\n"},
        {"cuda/std/atomic", "#include \"libgpu/cuda_atomic.hpp\"\n"},
        {"libgpu/copies.hpp", text::copies},
        {"libgpu/groups_copies.hpp", text::groups_copies},
        {"libgpu/cuda_pipeline.hpp", text::cuda_pipeline},
        {"cuda_pipeline.h", "#include \"libgpu/copies.hpp\"\n"},
        {"cuda_pipeline_primitives.h", "#include \"libgpu/copies.hpp\"\n"},
        {"cooperative_groups/memcpy_async.h", "#include \"libgpu/groups_copies.hpp\"\n"},
        {"cuda/barrier", "#include \"libgpu/cuda_pipeline.hpp\"\n"},
        {"cuda/pipeline", "#include \"libgpu/cuda_pipeline.hpp\"\n"},
        {"cuComplex.h", *cu_complex},
        {complex_headers[0], "#include \"libgpu/complex_names.hpp\"\n"},
        {complex_headers[1], "#include \"libgpu/complex_names.hpp\"\n"},
        {"libgpu/complex_names.hpp", *of_cupy},
    });
    return *files;
}

std::vector<const PreludeFile*> prelude_files_for(std::string_view text) {
    // For each file, by its index in prelude_files(): what it includes.
    static const auto* const inner = [] {
        auto* const lists = new std::vector<std::vector<const PreludeFile*>>;
        for (const PreludeFile& file : prelude_files()) lists->push_back(included_in(file.text));
        return lists;
    }();
    std::vector<const PreludeFile*> needed = included_in(text);
    for (std::size_t k = 0; k < needed.size(); ++k) {
        for (const PreludeFile* const file : (*inner)[static_cast<std::size_t>(needed[k] - prelude_files().data())])
            if (std::find(needed.begin(), needed.end(), file) == needed.end()) needed.push_back(file);
    }
    return needed;
}

std::string prelude_fingerprint() {
    XXH64_hash_t hash = GPU_ABI;
    for (const PreludeFile& file : prelude_files()) hash = XXH64(file.text.data(), file.text.size(), hash);
    hash = XXH64(check_object().data(), check_object().size(), hash);
    return std::to_string(hash);
}

std::string optional_preludes(const std::vector<Token>& learners) {
    static const auto* const files = new std::vector<OptionalFile>(make_optional_files());
    const std::set<std::string_view> named = names_of(learners);
    std::string lines;
    for (const OptionalFile& file : *files) {
        if (std::any_of(named.begin(), named.end(),
                        [&](std::string_view name) { return file.offers.count(std::string(name)) != 0; }))
            lines += "#include \"" + std::string(file.name) + "\"\n";
    }
    if (needs_complex(learners)) lines += "#include \"libgpu/complex.hpp\"\n";
    if (allocates(learners)) lines += "#include \"libgpu/heap.hpp\"\n";
    if (named.count("virtual") != 0) lines += "#include \"libgpu/classes.hpp\"\n";
    return lines;
}

std::string texture_prelude(const std::vector<Token>& learners) {
    const bool reads_textures = std::any_of(learners.begin(), learners.end(), [](const Token& token) {
        return is_one_of(token.text, {"cudaTextureObject_t", "tex1Dfetch", "tex1D", "tex2D"});
    });
    return reads_textures ? "#include \"libgpu/texture.hpp\"\n" : "";
}

std::string sealing_preludes(const std::vector<Token>& learners) {
    std::string lines;
    const auto has = [&learners](std::string_view name) { return includes_header(learners, name); };
    for (const std::string name : {"cooperative_groups", "cuda_fp16", "cuda_bf16"})
        if (has(name)) lines += "#include <" + name + ".h>\n";
    if (has("cuda/atomic") || has("cuda/std/atomic")) lines += "#include <cuda/atomic>\n";
    if (has("curand_kernel.h")) lines += "#include <curand_kernel.h>\n";
    if (has("cuda_pipeline")) lines += "#include <cuda_pipeline.h>\n";
    if (has("cooperative_groups/memcpy_async.h")) lines += "#include <cooperative_groups/memcpy_async.h>\n";
    if (has("cuda/barrier") || has("cuda/pipeline")) lines += "#include <cuda/pipeline>\n";
    return lines + "#include \"libgpu/sealed.hpp\"\n";
}

}  // namespace gpu::detail::host
