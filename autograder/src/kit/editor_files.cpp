// SPDX-License-Identifier: MIT
#include "kit/editor_files.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "build/compile.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

using Flags = std::vector<std::string>;

constexpr std::string_view clangd_mark = "# Made by make, and again when the folder has moved.";

/// As JSON and YAML write a text.
std::string in_quotes(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        if (static_cast<unsigned char>(c) < 0x20) quoted += fmt::format("\\u{:04x}", c);
        else quoted += c;
    }
    return quoted + '"';
}

std::string in_brackets(const Flags& flags) {
    std::string list;
    for (const std::string& flag : flags) list += (list.empty() ? "" : ", ") + in_quotes(flag);
    return "[" + list + "]";
}

/// A kernel, as the host backend compiles it; CUDA's words come from a header of libgpu's, so no CUDA is looked for.
Flags kernel_flags(const Toolchain& toolchain) {
    return {"-xc++", "-std=c++17", "-nostdinc", "-nostdinc++", "-fno-exceptions", "-fno-rtti",
            "-I" + (toolchain.build_dir / "editor").string(),
            "-include", (toolchain.source_dir / "libgpu/editor/cuda_words.hpp").string(),
            "-Wno-c++11-narrowing", "-Wno-builtin-macro-redefined", "-Wno-return-stack-address"};
}

/// Host code; `exercise` has its exercise.hpp.
Flags host_flags(const Toolchain& toolchain, const fs::path& exercise) {
    Toolchain clang = toolchain;   // clangd's own compiler, whatever builds the kit
    clang.compiler = "clang++";
    Flags flags = {"-xc++", "-std=c++20", "-I" + exercise.string(), "-I" + toolchain.gpu_include.string(),
                   "-I" + toolchain.course_include.string(), "-isystem", toolchain.eigen_include.string()};
    for (const std::string& flag : warning_flags(clang)) flags.push_back(flag);
    return flags;
}

/// One line of compile_commands.json for each source below the folder.
void add_commands(const Kit& kit, const fs::path& folder, const fs::path& exercise, std::vector<std::string>& lines) {
    std::error_code error;
    std::vector<fs::path> files;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        files.push_back(at->path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        const std::string kind = file.extension().string();
        if (kind != ".cu" && kind != ".cpp" && kind != ".hpp") continue;
        Flags arguments = kind == ".cu" ? kernel_flags(kit.toolchain) : host_flags(kit.toolchain, exercise);
        if (kind == ".hpp") arguments.front() = "-xc++-header";
        arguments.insert(arguments.begin(), kit.toolchain.compiler);
        arguments.insert(arguments.end(), {"-c", file.string()});
        lines.push_back(fmt::format(R"({{"directory": {}, "file": {}, "arguments": {}}})", in_quotes(kit.root.string()),
                                    in_quotes(file.string()), in_brackets(arguments)));
    }
}

std::string compile_commands(const Kit& kit) {
    std::vector<std::string> lines;
    const auto add = [&](const fs::path& exercise) {
        for (const fs::path& folder : {kit.work(exercise), exercise, kit.solution(exercise)})
            add_commands(kit, folder, exercise, lines);
    };
    for (const ExerciseFolder& exercise : exercise_folders(kit.root)) add(exercise.path);
    std::error_code none;
    for (const auto& capstone : fs::directory_iterator(kit.root / "capstone", none)) add(capstone.path());
    std::string text = "[\n";
    for (std::size_t k = 0; k < lines.size(); ++k) text += lines[k] + (k + 1 < lines.size() ? ",\n" : "\n");
    return text + "]\n";
}

std::string clangd_settings(const Kit& kit) {
    return fmt::format(R"({}
# Settings of your own go into ~/.config/clangd/config.yaml; or remove the line above, and this file is yours.
CompileFlags:
  CompilationDatabase: {}
Diagnostics:
  UnusedIncludes: None
  ClangTidy: {{ Remove: "*" }}
---
If: {{ PathMatch: '.*\.cu' }}
CompileFlags:
  Add: {}
)",
                       clangd_mark, in_quotes((kit.root / "work").string()), in_brackets(kernel_flags(kit.toolchain)));
}

void write_if_changed(const fs::path& file, const std::string& text) {
    std::error_code error;
    if (fs::exists(file, error) && read_file(file) == text) return;
    write_file_atomically(file, text);
}

}  // namespace

void refresh_editor_files(const Kit& kit) noexcept {
    try {
        const fs::path work = kit.root / "work", settings = work / ".clangd";
        if (!fs::is_directory(work)) return;
        write_if_changed(work / "compile_commands.json", compile_commands(kit));
        if (!fs::exists(settings) || read_file(settings).starts_with(clangd_mark))
            write_if_changed(settings, clangd_settings(kit));
    } catch (const std::exception&) {   // a full disk, a folder that can't be written: said where it matters
    }
}

}  // namespace course
