// SPDX-License-Identifier: MIT
#include "build/compile.hpp"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "kit_config.hpp"
#include "support/files.hpp"
#include "support/process.hpp"
#include "support/progress.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::size_t compiler_memory = std::size_t{4} << 30;

/// True if the disk has less room than a compiler's files may take. Its messages don't prove it: an #error can say the
/// same.
bool is_short_of_room(const fs::path& folder) {
    struct statvfs info {};
    return ::statvfs(folder.c_str(), &info) != 0 || info.f_favail == 0 ||
           static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize < std::uint64_t{1} << 30;
}

std::vector<std::string> command(const Toolchain& toolchain, std::vector<std::string> flags) {
    std::vector<std::string> all = {toolchain.compiler, "-std=c++20", "-fPIC"};
    for (const auto& more : {flags, plain_messages(toolchain), toolchain.sanitize})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace

std::vector<std::string> plain_messages(const Toolchain& toolchain) {
    if (is_clang(toolchain)) return {"-fno-color-diagnostics", "-ferror-limit=1", "-fmessage-length=0"};
    return {"-fdiagnostics-color=never", "-fmax-errors=1", "-fmessage-length=0"};
}

bool is_clang(const Toolchain& toolchain) { return toolchain.compiler.find("clang") != std::string::npos; }

// Correct code causes none of these warnings: each points to a wrong result, a crash or a line without effect. Matters
// of taste (unused variables, sign comparisons) aren't included, nor a compiler's guesses (maybe-uninitialized).
static constexpr std::string_view warning_names[] = {
    "address", "bool-compare", "bool-operation", "comma-subscript", "dangling-else", "dangling-pointer", "div-by-zero",
    "empty-body", "format", "infinite-recursion", "init-self", "int-in-bool-context", "misleading-indentation",
    "nonnull", "overflow", "parentheses", "return-local-addr", "return-type", "sequence-point", "shift-count-negative",
    "shift-count-overflow", "sizeof-array-div", "sizeof-pointer-div", "tautological-compare", "uninitialized",
    "unused-result", "unused-value",
    // clang's own names for some of these, which g++ rejects
    "dangling", "dangling-gsl", "division-by-zero", "return-stack-address", "self-assign", "unsequenced",
    "unused-comparison"};
static constexpr std::size_t clang_names = 7;

std::span<const std::string_view> shown_warnings() noexcept { return warning_names; }

std::vector<std::string> warning_flags(const Toolchain& toolchain) {
    std::vector<std::string> flags;
    const auto names = shown_warnings();
    for (const std::string_view name : is_clang(toolchain) ? names : names.first(names.size() - clang_names))
        flags.push_back("-W" + std::string(name));
    if (is_clang(toolchain)) flags.emplace_back("-Wno-unknown-warning-option");
    return flags;
}

std::vector<std::string> student_flags(const Toolchain& toolchain) {
    // In clang's DWARF 5, binutils' addr2line misses some inlined functions.
    // An index past the end of a std::vector then ends the program with a clear message, not somewhere later.
    return command(toolchain, {"-O1", "-D_GLIBCXX_ASSERTIONS", "-gdwarf-4", "-g1", "-isystem",
                               toolchain.eigen_include.string()});
}

std::vector<std::string> check_flags(const Toolchain& toolchain) {
    return command(toolchain, {"-O2", "-w", "-shared", "-fvisibility=hidden", "-I" + toolchain.course_include.string(),
                               "-isystem", toolchain.eigen_include.string()});
}

std::string compiler_identity(const Toolchain& toolchain) {
    const fs::path program = toolchain.compiler_path();
    struct stat info {};
    if (program.empty() || ::stat(program.c_str(), &info) != 0) return toolchain.compiler;
    return fmt::format("{} {} {}", program.string(), info.st_size, info.st_mtim.tv_sec);
}

ProcessResult compile(const Toolchain& toolchain, const std::vector<std::string>& command, const fs::path& scratch,
                      double seconds, Sandbox* sandbox) {
    Command run{.arguments = command, .environment = Toolchain::environment(scratch), .folder = scratch};
    run.seconds = seconds;
    run.memory_bytes = compiler_memory;
    if (sandbox) run.before_start = [sandbox] { return sandbox->enter() == nullptr; };
    ProcessResult result = run_process(run);
    if (result.ending == ProcessResult::Ending::not_started)
        throw BuildFault(fmt::format("the C++ compiler {} can't be started: {}\nTo install what the kit needs: ./setup",
                                     toolchain.compiler, std::strerror(result.code)));
    const bool says_so = result.output.find("No space left on device") != std::string::npos;
    if (!result.succeeded() && says_so && is_short_of_room(scratch))
        throw BuildFault(fmt::format("could not write {}: No space left on device\nMake room there, or set TMPDIR to "
                                     "another folder.", scratch.string()));
    return result;
}

std::string failure_text(const ProcessResult& result, const PathNames& names, Vocabulary words) {
    using Ending = ProcessResult::Ending;
    if (result.ending == Ending::timed_out || (result.ending == Ending::signalled && result.code == SIGXCPU))
        return "the compiler did not finish in time, and was stopped";
    if (result.output.find("File size limit exceeded") != std::string::npos)
        return "the compiler was stopped: it was about to write a file of more than 256 MiB";
    if (std::string text = first_error(result.output, names, words); !text.empty()) return text;
    if (std::string text = first_link_error(result.output, names, words); !text.empty()) return text;
    for (const char* sign : {"out of memory", "memory exhausted", "cannot allocate", "Killed signal", "bad_alloc"})
        if (result.output.find(sign) != std::string::npos)
            return "the compiler needed more than 4 GiB of memory, and was stopped";
    if (result.ending == Ending::signalled)
        return fmt::format("the compiler was ended by signal {} ({})", result.code, ::strsignal(result.code));
    return names.apply(result.output.substr(0, 1000));
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

std::string from_environment(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value && *value ? value : otherwise;
}

}  // namespace

Toolchain Toolchain::configured() {
    Toolchain chain;
    chain.compiler = from_environment("COURSE_CXX", kit::compiler);
    std::istringstream flags(kit::sanitize_flags);
    for (std::string flag; std::getline(flags, flag, ';');)
        if (!flag.empty()) chain.sanitize.push_back(flag);
    chain.source_dir = kit::source_dir;
    chain.build_dir = kit::build_dir;
    chain.program_dir = kit::program_dir;
    chain.library_dir = kit::library_dir;
    chain.gpu_include = chain.source_dir / "libgpu/include";
    chain.course_include = chain.source_dir / "autograder/include";
    chain.eigen_include = kit::eigen_include_dir;
    chain.gpucc = chain.program_dir / "gpucc";
    chain.gpucc_include = chain.build_dir / "include/gpucc";
    chain.sandbox = sandbox_use_of_environment();
    return chain;
}

std::string Toolchain::compiler_version() const {
    Command command{.arguments = {compiler, "--version"}, .environment = environment({}), .folder = {}};
    command.seconds = 10;
    const ProcessResult result = run_process(command);
    return result.succeeded() ? result.output.substr(0, result.output.find('\n')) : std::string();
}

std::filesystem::path Toolchain::compiler_path() const {
    if (compiler.find('/') != compiler.npos) return compiler;
    const std::string folders = from_environment("PATH", "/usr/local/bin:/usr/bin:/bin") + ':';
    for (std::size_t from = 0, to; (to = folders.find(':', from)) != folders.npos; from = to + 1) {
        const fs::path candidate = fs::path(folders.substr(from, to - from)) / compiler;
        std::error_code error;
        if (fs::is_regular_file(candidate, error)) return candidate;
    }
    return {};
}

Surroundings Toolchain::surroundings() const {
    Surroundings around = surroundings_of_environment();
    for (const fs::path& folder : {source_dir, build_dir}) around.hidden.push_back(folder);
    around.hidden.insert(around.hidden.end(), hidden.begin(), hidden.end());
    for (const fs::path& folder : {library_dir, eigen_include}) around.readable.push_back(folder);
    if (*kit::cuda_library_dir) around.readable.push_back(fs::path(kit::cuda_library_dir).parent_path());
    for (const fs::path& compilers : {compiler_path(), fs::path(from_environment("LIBGPU_HOST_CXX", ""))}) {
        // For a compiler /opt/gcc-13/bin/g++, all of /opt/gcc-13; for one in a user's bin, only that folder.
        std::error_code error;
        const fs::path bin = fs::canonical(compilers, error).parent_path(), prefix = bin.parent_path();
        if (error) continue;
        const bool is_its_own = bin.filename() == "bin" && without_hidden(prefix, around.hidden) == std::vector{prefix};
        around.readable.push_back(is_its_own ? prefix : bin);
        char first[2]{};
        std::ifstream(compilers, std::ios::binary).read(first, 2);
        if (first[0] == '#' && first[1] == '!') around.compiler_is_script = true;
    }
    return around;
}

std::vector<std::string> Toolchain::environment(const std::filesystem::path& scratch) {
    std::vector<std::string> variables = {"LC_ALL=C",
                                          "PATH=" + from_environment("PATH", "/usr/local/bin:/usr/bin:/bin")};
    if (scratch.empty()) return variables;
    variables.push_back("TMPDIR=" + scratch.string());
    variables.push_back("LIBGPU_CACHE_DIR=" + (scratch / "kernels").string());  // where gpucc puts a program's
    return variables;
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

// "[12/41]" from ninja's last line, or nothing.
std::string last_step(std::string_view printed) {
    const std::size_t from = printed.rfind("\n[") == printed.npos ? printed.find('[') : printed.rfind("\n[") + 1;
    if (from == printed.npos) return {};
    const std::size_t to = printed.find(']', from);
    return to == printed.npos ? std::string() : " " + std::string(printed.substr(from, to - from + 1));
}

// Builds what few exercises need, the first time that one does.
void build_once(const Toolchain& toolchain, const std::string& target, const fs::path& made,
                const std::string& what) try {
    if (fs::exists(made)) return;
    ProgressLine progress("building " + what + " ...");
    const FileLock lock(toolchain.build_dir / ".lock");   // cmake/build_quietly uses the same one
    if (fs::exists(made)) return;
    const ProcessResult result =
        run_process({.arguments = {"cmake", "--build", toolchain.build_dir.string(), "--target", target},
                     .environment = Toolchain::environment({}),
                     .folder = toolchain.build_dir,
                     .seconds = 3600,
                     .on_output = [&](std::string_view printed) {
                         if (const std::string step = last_step(printed); !step.empty())
                             progress.say("building " + what + step);
                     }});
    if (result.succeeded() && fs::exists(made)) return;
    const std::string why = result.ending == ProcessResult::Ending::not_started
                                ? fmt::format("cmake can't be started: {}", std::strerror(result.code))
                                : result.output;
    throw BuildFault(what.substr(0, what.find(" (")) + " could not be built; make build says why:\n" +
                     why.substr(why.size() - std::min<std::size_t>(why.size(), 2000)));
} catch (const FileError& error) {
    throw BuildFault(error.what());
}

}  // namespace

void build_linear_algebra(const Toolchain& toolchain) {
    build_once(toolchain, "gpu_host_linalg", toolchain.library_dir / "libgpu_host_linalg.so",
               "libgpu's linear algebra for the host (once; without OpenBLAS it takes some minutes)");
}

void build_gpucc(const Toolchain& toolchain) {
    build_once(toolchain, "gpucc", toolchain.gpucc,
               "gpucc, which compiles plain CUDA programs (once; it takes a minute)");
}

}  // namespace course
