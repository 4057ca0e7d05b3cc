// SPDX-License-Identifier: MIT
#include "build/student_build.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <future>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "build/compile.hpp"
#include "build/scratch.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

bool is_header(const std::string& name) {
    return name.ends_with(".hpp") || name.ends_with(".h") || name.ends_with(".cuh");
}

bool is_cpp(const std::string& name) { return name.ends_with(".cpp"); }

void append(std::vector<std::string>& command, const std::vector<std::string>& more) {
    command.insert(command.end(), more.begin(), more.end());
}

}  // namespace

Policy compiler_policy(const Toolchain& toolchain, const Manifest& manifest, const fs::path& scratch) {
    const Surroundings around = toolchain.surroundings();
    Policy policy{.paths = system_rules(around), .calls = CallList::compiler, .forks = around.compiler_is_script};
    policy.paths.push_back({toolchain.gpu_include, Access::read});
    for (const auto& entry : fs::directory_iterator(manifest.folder))   // one by one: its check is in the same folder
        if (entry.is_regular_file() && is_header(entry.path().filename().string()))
            policy.paths.push_back({entry.path(), Access::read});
    if (!toolchain.student_header.empty())
        policy.paths.push_back({toolchain.student_header.parent_path(), Access::read});
    if (manifest.is_program) {
        policy.paths.push_back({toolchain.gpucc, Access::run});
        policy.paths.push_back({toolchain.gpucc_include, Access::read});
    }
    policy.paths.push_back({fs::absolute(scratch), Access::own});
    return policy;
}

StudentBuild::StudentBuild(const Toolchain& toolchain, const Manifest& manifest, const Answer& answer,
                           const fs::path& scratch)
    : toolchain_(toolchain), manifest_(manifest), scratch_(scratch), folder_(folder_in(scratch)) {
    try {
        make_folders(folder_);
        for (const AnswerFile& file : answer.files) {
            write_file(folder_ / file.name, file.text);
            result_.names.add_answer((folder_ / file.name).string(), file.shown, file.text);
        }
    } catch (const FileError& error) {
        throw BuildFault(fmt::format("{}\nMake room there, or set TMPDIR to another folder.", error.what()));
    }
    result_.names.add(folder_.string() + "/", "");
    result_.names.add(manifest.folder.parent_path().parent_path().string() + "/", "");
    result_.names.add(toolchain.source_dir.string() + "/", "");
    if (compiles_in_sandbox(toolchain.sandbox))
        sandbox_ = std::make_unique<Sandbox>(compiler_policy(toolchain, manifest, scratch));
}

bool StudentBuild::is_compiled(const std::string& name) const {
    return is_cpp(name) || (manifest_.is_program && name.ends_with(".cu"));
}

Vocabulary StudentBuild::words() const noexcept {
    return manifest_.is_program ? Vocabulary::plain_cuda : Vocabulary::libgpu;
}

std::vector<std::string> StudentBuild::command_for(const std::string& name) const {
    const std::vector<std::string> files = {"-c", "-I" + manifest_.folder.string(), (folder_ / name).string(), "-o",
                                            (folder_ / name).string() + ".o"};
    if (manifest_.is_program) {
        std::vector<std::string> command = {toolchain_.gpucc.string(), "-ccbin", toolchain_.compiler, "-O1", "-fPIC",
                                            "-D_GLIBCXX_ASSERTIONS"};  // as in student_flags()
        append(command, plain_messages(toolchain_));
        append(command, warning_flags(toolchain_));
        append(command, toolchain_.sanitize);
        append(command, files);
        return command;
    }
    std::vector<std::string> command = student_flags(toolchain_);
    append(command, warning_flags(toolchain_));
    if (!toolchain_.student_header.empty()) append(command, {"-include", toolchain_.student_header.string()});
    command.push_back("-I" + toolchain_.gpu_include.string());
    append(command, files);
    return command;
}

bool StudentBuild::compile_sources() {
    std::error_code error;
    if (manifest_.is_program) build_gpucc(toolchain_);
    std::vector<std::future<ProcessResult>> jobs;
    for (const std::string& name : manifest_.edit) {
        if (!is_compiled(name)) continue;
        // The copy's real path stays in __FILE__: gpu::file finds kernels there when the answer runs.
        const std::vector<std::string> command = command_for(name);
        jobs.push_back(std::async(std::launch::async, [this, command] {
            return compile(toolchain_, command, scratch_, 60, sandbox_.get());
        }));
    }
    for (const auto& job : jobs) job.wait();
    for (auto& job : jobs) {
        const ProcessResult result = job.get();
        if (!result.succeeded() && result_.error.empty()) result_.error = failure_text(result, result_.names, words());
        for (std::string& warning : warnings(result.output, result_.names, shown_warnings()))
            result_.warnings.push_back(std::move(warning));
    }
    return result_.error.empty();
}

bool StudentBuild::link(const fs::path& bind_object) {
    // Without the library, the linker would report the student's functions as missing.
    const fs::path library = toolchain_.library_dir / "libgpu";
    std::error_code error;
    if (!fs::exists(library.string() + ".so", error) && !fs::exists(library.string() + ".a", error))
        throw BuildFault(fmt::format("the kit's own library is missing: {}.so\nTo build it: make", library.string()));
    const fs::path object = folder_ / "student.so", bind = folder_ / "bind.o";
    std::error_code copied;
    fs::copy_file(bind_object, bind, fs::copy_options::overwrite_existing, copied);
    if (copied) throw BuildFault(fmt::format("could not copy {} to {}: {}", bind_object.string(), bind.string(),
                                             copied.message()));
    std::vector<std::string> command = {toolchain_.compiler, "-shared", "-fPIC"};
    append(command, toolchain_.sanitize);
    for (const std::string& name : manifest_.edit)
        if (is_compiled(name)) command.push_back((folder_ / name).string() + ".o");
    if (manifest_.is_program)   // exit() comes back to course::run_program(), see <course/program.hpp>
        append(command, {"-L" + toolchain_.library_dir.string(), "-lgpucc", "-Wl,--wrap=exit"});
    append(command, {bind.string(), "-o", object.string(), "-L" + toolchain_.library_dir.string(), "-lgpu",
                     "-Wl,-rpath," + toolchain_.library_dir.string(), "-Wl,-z,now"});
    // clang++ leaves the sanitizers' functions to the program that loads the object.
    if (toolchain_.sanitize.empty() || !is_clang(toolchain_)) command.emplace_back("-Wl,--no-undefined");
    const ProcessResult result = compile(toolchain_, command, scratch_, 60, sandbox_.get());
    if (result.succeeded()) {
        result_.object = object;
    } else {
        result_.error = failure_text(result, result_.names, words());
    }
    return result.succeeded();
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

std::vector<std::string> command_for(const Toolchain& toolchain) {
    std::vector<std::string> command = student_flags(toolchain);
    command.insert(command.end(), {"-I" + toolchain.gpu_include.string(), "-x", "c++-header"});
    return command;
}

}  // namespace

StudentHeader::StudentHeader(const Toolchain& toolchain)
    : StudentHeader(toolchain, toolchain.build_dir / "student-header") {}

StudentHeader::StudentHeader(const Toolchain& toolchain, const fs::path& folder)
    : toolchain_(toolchain), header_(folder / "gpu.hpp") {
    if (is_clang(toolchain)) return;
    SourceKey key;
    key.add(compiler_identity(toolchain));
    for (const std::string& argument : command_for(toolchain)) key.add(argument);
    key.add(gpu_headers_key(toolchain));
    key_ = key.value();
}

// The key of an object of this size and time, in seconds, as images store it: so 60 MB aren't read for each answer.
std::string StudentHeader::key_text() const {
    struct stat info {};
    if (::stat(precompiled().c_str(), &info) != 0) return "";
    return fmt::format("{} {} {}\n", key_, info.st_size, info.st_mtim.tv_sec);
}

fs::path StudentHeader::kept() const {
    std::error_code error;
    const bool is_there =
        !key_.empty() && fs::is_regular_file(key_file(), error) && fs::is_regular_file(header_, error);
    return is_there && read_file(key_file()) == key_text() ? header_ : fs::path();
}

fs::path StudentHeader::keep() const {
    if (key_.empty()) return {};
    try {
        make_folders(header_.parent_path());
        const FileLock lock(header_.parent_path() / "lock");
        if (const fs::path fresh = kept(); !fresh.empty()) return fresh;
        write_file_atomically(header_, "// SPDX-License-Identifier: MIT\n#include <gpu/gpu.hpp>\n");
        const TemporaryPath made(fmt::format("{}.{}.tmp", precompiled().string(), ::getpid()));
        std::vector<std::string> command = command_for(toolchain_);
        command.insert(command.end(), {header_.string(), "-o", made.path().string()});
        if (!compile(toolchain_, command, header_.parent_path(), 120).succeeded()) return {};
        fs::rename(made.path(), precompiled());
        write_file_atomically(key_file(), key_text());
        return header_;
    } catch (const FileError&) {
    } catch (const fs::filesystem_error&) {
    }
    return {};
}

}  // namespace course
