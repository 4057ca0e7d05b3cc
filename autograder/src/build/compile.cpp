// SPDX-License-Identifier: MIT
#include "build/compile.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <fmt/format.h>

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::size_t compiler_memory = std::size_t{4} << 30;

/// One error, plain text, no line folding: what diagnostics.cpp reads.
std::vector<std::string> plain_messages(const Toolchain& toolchain) {
    if (is_clang(toolchain)) return {"-fno-color-diagnostics", "-ferror-limit=1", "-fmessage-length=0"};
    return {"-fdiagnostics-color=never", "-fmax-errors=1", "-fmessage-length=0"};
}

/// True if the disk has less room than a compiler's files may take. What its messages say of that, an #error can say.
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

bool is_clang(const Toolchain& toolchain) { return toolchain.compiler.find("clang") != std::string::npos; }

// Right code gives none of these: a wrong result, a crash or a line without effect is behind each. What is a matter of
// taste (unused variables, signs compared) isn't among them, nor what a compiler guesses (maybe-uninitialized).
static constexpr std::string_view warning_names[] = {
    "address", "bool-compare", "bool-operation", "comma-subscript", "dangling-else", "dangling-pointer", "div-by-zero",
    "empty-body", "format", "infinite-recursion", "init-self", "int-in-bool-context", "misleading-indentation",
    "nonnull", "overflow", "parentheses", "return-local-addr", "return-type", "sequence-point", "shift-count-negative",
    "shift-count-overflow", "sizeof-array-div", "sizeof-pointer-div", "tautological-compare", "uninitialized",
    "unused-result", "unused-value",
    // clang's own names of some of these, which g++ refuses
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
    // Of clang's DWARF 5, binutils' addr2line doesn't find all functions that were put into others.
    // An index past the end of a std::vector ends the program with a line that says so, and not somewhere later.
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

std::string failure_text(const ProcessResult& result, const PathNames& names) {
    using Ending = ProcessResult::Ending;
    if (result.ending == Ending::timed_out || (result.ending == Ending::signalled && result.code == SIGXCPU))
        return "the compiler did not finish in time, and was stopped";
    if (result.output.find("File size limit exceeded") != std::string::npos)
        return "the compiler was stopped: it was about to write a file of more than 256 MiB";
    if (std::string text = first_error(result.output, names); !text.empty()) return text;
    if (std::string text = first_link_error(result.output, names); !text.empty()) return text;
    for (const char* sign : {"out of memory", "memory exhausted", "cannot allocate", "Killed signal", "bad_alloc"})
        if (result.output.find(sign) != std::string::npos)
            return "the compiler needed more than 4 GiB of memory, and was stopped";
    if (result.ending == Ending::signalled)
        return fmt::format("the compiler was ended by signal {} ({})", result.code, ::strsignal(result.code));
    return names.apply(result.output.substr(0, 1000));
}

}  // namespace course
