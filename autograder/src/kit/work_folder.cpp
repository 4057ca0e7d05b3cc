// SPDX-License-Identifier: MIT
#include "kit/work_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "build/compile.hpp"
#include "collect/collect.hpp"
#include "manifest/names.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

bool is_there(const fs::path& path) {
    std::error_code error;
    return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

fs::path free_backup(const fs::path& file) {
    fs::path backup = file.string() + ".bak";
    for (int k = 2; is_there(backup); ++k) backup = file.string() + ".bak" + std::to_string(k);
    return backup;
}

/// The folder in work/ of the same exercise under another number or a former name, if no exercise has that folder now;
/// empty: there is none, or more than one.
fs::path former_work_folder(const Kit& kit, const Manifest& manifest) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(kit.root / "work", error)) {
        if (!fs::is_directory(entry.symlink_status())) continue;
        try {
            const std::string name = name_exercise(entry.path()).name;
            if (name != manifest.name && !is_one_of(name, manifest.was)) continue;
        } catch (const ManifestError&) {
            continue;   // not an exercise's folder
        }
        if (!is_there(kit.root / "exercises" / entry.path().filename())) found.push_back(entry.path());
    }
    return found.size() == 1 ? found.front() : fs::path();
}

}  // namespace

bool is_patch(const fs::path& path) {
    return fs::is_regular_file(path.extension() == ".patch" ? path.string() : path.string() + ".patch");
}

fs::path named_folder(const Kit& kit, const std::string& from) {
    for (const fs::path& path : {fs::absolute(from), kit.root / from})
        if (fs::is_directory(path) || is_patch(path)) return path.lexically_normal();
    throw UsageError(fmt::format("--from {}: there is no such folder", from));
}

fs::path answer_folder(const Kit& kit, const Manifest& manifest, const std::string& from) {
    if (!from.empty()) return named_folder(kit, from);
    make_work_folder(kit, manifest);
    return kit.work(manifest.folder);
}

bool make_work_folder(const Kit& kit, const Manifest& manifest) {
    const fs::path folder = kit.work(manifest.folder);
    if (is_there(folder)) return false;
    make_folders(folder.parent_path());
    if (const fs::path old = former_work_folder(kit, manifest); !old.empty()) {
        std::error_code error;
        fs::rename(old, folder, error);
        if (!error || is_there(folder)) return false;
        throw FileError("rename", old, error.value());
    }
    // Created elsewhere and renamed: another run, or a Ctrl-C, never sees half of it.
    std::string name = (folder.parent_path() / ".new-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw FileError("make the folder", folder, errno);
    const TemporaryPath temporary{fs::path(name)};
    for (const std::string& file : manifest.edit)
        write_file(temporary.path() / file, read_file(manifest.folder / file));
    std::error_code error;
    fs::permissions(temporary.path(), fs::perms(0755), error);
    fs::rename(temporary.path(), folder, error);
    if (error && is_there(folder)) return false;   // another run was faster
    if (error) throw FileError("make the folder", folder, error.value());
    return true;
}

std::string saved_beside_work(const Kit& kit, const Manifest& manifest) {
    std::vector<std::string> saved;
    for (const std::string& name : manifest.edit) {
        const fs::path given = manifest.folder / name, own = kit.work(manifest.folder) / name;
        std::error_code error;
        if (!fs::is_regular_file(fs::symlink_status(own, error))) continue;
        const auto then = fs::last_write_time(own, error), now = fs::last_write_time(given, error);
        if (error || now <= then) continue;
        try {
            if (!same_but_for_space(read_file(given), read_file(own))) saved.push_back(shown_path(given, kit.root));
        } catch (const FileError&) {
            continue;   // collecting the answer will report it
        }
    }
    if (saved.empty()) return "";
    const bool one = saved.size() == 1;
    return fmt::format("{} {} saved after your answer, and {} not part of it: what is judged is in {}",
                       fmt::join(saved, ", "), one ? "was" : "were", one ? "is" : "are",
                       shown_path(kit.work(manifest.folder), kit.root));
}

std::vector<std::string> reset_work_folder(const Kit& kit, const Manifest& manifest) {
    std::vector<std::string> kept;
    if (make_work_folder(kit, manifest)) return kept;
    const fs::path folder = kit.work(manifest.folder);
    for (const std::string& name : manifest.edit) {
        const fs::path file = folder / name;
        const std::string stub = read_file(manifest.folder / name);
        std::error_code error;
        if (fs::is_regular_file(fs::symlink_status(file, error))) {
            try {
                if (read_file(file) == stub) continue;
            } catch (const FileError&) {}   // unreadable: moved away like any other
        }
        if (is_there(file)) {
            const fs::path backup = free_backup(file);
            fs::rename(file, backup, error);
            if (error) throw FileError("rename", file, error.value());
            kept.push_back(backup.filename().string());
        }
        write_file_atomically(file, stub);
    }
    return kept;
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

using Flags = std::vector<std::string>;

constexpr std::string_view clangd_mark = "# Made by make, and again when the folder has moved.";

/// The text quoted for JSON and YAML.
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

/// For a kernel, as the host backend compiles it; CUDA's names come from a header of libgpu's, so CUDA isn't needed.
Flags kernel_flags(const Toolchain& toolchain) {
    return {"-xc++", "-std=c++17", "-nostdinc", "-nostdinc++", "-fno-exceptions", "-fno-rtti",
            "-I" + (toolchain.build_dir / "editor").string(),
            "-include", (toolchain.source_dir / "libgpu/editor/cuda_words.hpp").string(),
            "-Wno-c++11-narrowing", "-Wno-builtin-macro-redefined", "-Wno-return-stack-address"};
}

/// For a plain CUDA program: clang knows launches, and gpucc's headers the rest. Some of them are made when gpucc is.
Flags program_flags(const Toolchain& toolchain) {
    return {"-xcuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-Xclang", "-fcuda-allow-variadic-functions",
            "-std=c++17", "-isystem", (toolchain.source_dir / "libgpu/gpucc/include").string(),
            "-isystem", toolchain.gpucc_include.string(), "-include", "gpucc/editor.h", "-Wno-unknown-cuda-version"};
}

/// For host code; `exercise` is the folder with its exercise.hpp.
Flags host_flags(const Toolchain& toolchain, const fs::path& exercise) {
    Toolchain clang = toolchain;   // clangd's own compiler, whatever builds the kit
    clang.compiler = "clang++";
    Flags flags = {"-xc++", "-std=c++20", "-I" + exercise.string(), "-I" + toolchain.gpu_include.string(),
                   "-I" + toolchain.course_include.string(), "-isystem", toolchain.eigen_include.string()};
    for (const std::string& flag : warning_flags(clang)) flags.push_back(flag);
    return flags;
}

/// Whether the exercise's .cu files are whole programs; false if its manifest can't be read.
bool is_program(const fs::path& exercise) {
    try {
        return read_manifest(exercise).is_program;
    } catch (const ManifestError&) {
        return false;
    }
}

/// The names of the folders whose .cu files are whole programs.
std::vector<std::string> program_folders(const Kit& kit) {
    std::vector<std::string> names;
    for (const ExerciseFolder& exercise : exercise_folders(kit.root))
        if (is_program(exercise.path)) names.push_back(exercise.path.filename().string());
    return names;
}

/// Adds one line of compile_commands.json for each source below the folder.
void add_commands(const Kit& kit, const fs::path& folder, const fs::path& exercise, const Flags& cuda,
                  std::vector<std::string>& lines) {
    std::error_code error;
    std::vector<fs::path> files;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        files.push_back(at->path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        const std::string kind = file.extension().string();
        if (kind != ".cu" && kind != ".cpp" && kind != ".hpp") continue;
        Flags arguments = kind == ".cu" ? cuda : host_flags(kit.toolchain, exercise);
        if (kind == ".hpp") arguments.front() = "-xc++-header";
        arguments.insert(arguments.begin(), kit.toolchain.compiler);
        arguments.insert(arguments.end(), {"-c", file.string()});
        lines.push_back(fmt::format(R"({{"directory": {}, "file": {}, "arguments": {}}})", in_quotes(kit.root.string()),
                                    in_quotes(file.string()), in_brackets(arguments)));
    }
}

std::string compile_commands(const Kit& kit, const std::vector<std::string>& programs) {
    std::vector<std::string> lines;
    const Flags of_kernels = kernel_flags(kit.toolchain), of_programs = program_flags(kit.toolchain);
    const auto add = [&](const fs::path& exercise) {
        for (const fs::path& folder : {kit.work(exercise), exercise, kit.solution(exercise)})
            add_commands(kit, folder, exercise,
                         is_one_of(exercise.filename().string(), programs) ? of_programs : of_kernels, lines);
    };
    for (const ExerciseFolder& exercise : exercise_folders(kit.root)) add(exercise.path);
    std::error_code none;
    for (const auto& capstone : fs::directory_iterator(kit.root / "capstone", none)) add(capstone.path());
    for (const auto& own : fs::directory_iterator(kit.root / "work" / "own", none))
        add_commands(kit, own.path(), own.path() / "check", of_kernels, lines);
    std::string text = "[\n";
    for (std::size_t k = 0; k < lines.size(); ++k) text += lines[k] + (k + 1 < lines.size() ? ",\n" : "\n");
    return text + "]\n";
}

std::string clangd_settings(const Kit& kit, const std::vector<std::string>& programs) {
    const std::string either = fmt::format("{}", fmt::join(programs, "|"));   // a regular expression
    const std::string others = programs.empty() ? "" : fmt::format(", PathExclude: '({})/.*'", either);
    std::string text = fmt::format(R"({}
# Settings of your own go into ~/.config/clangd/config.yaml; or remove the line above, and this file is yours.
CompileFlags:
  CompilationDatabase: {}
Diagnostics:
  UnusedIncludes: None
  ClangTidy: {{ Remove: "*" }}
---
If: {{ PathMatch: '.*\.cu'{} }}
CompileFlags:
  Add: {}
)",
                                   clangd_mark, in_quotes((kit.root / "work").string()), others,
                                   in_brackets(kernel_flags(kit.toolchain)));
    if (!programs.empty())
        text += fmt::format("---\nIf: {{ PathMatch: '({})/.*\\.cu' }}\nCompileFlags:\n  Add: {}\n", either,
                            in_brackets(program_flags(kit.toolchain)));
    return text;
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
        const std::vector<std::string> programs = program_folders(kit);
        write_if_changed(work / "compile_commands.json", compile_commands(kit, programs));
        if (!fs::exists(settings) || read_file(settings).starts_with(clangd_mark))
            write_if_changed(settings, clangd_settings(kit, programs));
    } catch (const std::exception&) {   // a full disk, a folder that can't be written: reported where it matters
    }
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

std::string replace_all(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

/// Copies the template's folder. In file names and texts, replaces TOPIC by the exercise's name, FOLDER by its
/// folder's, and NUMBER by its number.
void copy_template(const fs::path& from, const fs::path& to, const ExerciseFolder& exercise) {
    const auto fill = [&](std::string text) {
        text = replace_all(std::move(text), "TOPIC", exercise.name);
        text = replace_all(std::move(text), "FOLDER", exercise.path.filename().string());
        return replace_all(std::move(text), "NUMBER", std::to_string(exercise.number));
    };
    make_folders(to);
    for (const auto& entry : fs::recursive_directory_iterator(from)) {
        const fs::path target = to / fill(entry.path().lexically_relative(from).string());
        if (entry.is_directory())
            make_folders(target);
        else
            write_file(target, fill(read_file(entry.path())));
    }
}

}  // namespace

void make_from_template(const Kit& kit, const ExerciseFolder& exercise, const fs::path& solution) {
    const fs::path templates = kit.toolchain.source_dir / "autograder/template";
    copy_template(templates / "exercise", exercise.path, exercise);
    copy_template(templates / "solution", solution, exercise);
}

}  // namespace course
