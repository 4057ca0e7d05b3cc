// SPDX-License-Identifier: MIT
#include "host/compile/compiler.hpp"

#include <sys/stat.h>
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <vector>

#include <gpu/error.hpp>

#include "base.hpp"
#include "codegen/kernel_tokens.hpp"
#include "host/base/debugger.hpp"
#include "host/base/process.hpp"
#include "host/compile/generate.hpp"
#include "host/compile/header_errors.hpp"
#include "host/compile/native_code.hpp"
#include "host/compile/native_words.hpp"
#include "host/compile/refusals.hpp"
#include "host/compile/text_writer.hpp"
#include "host/prelude/prelude.hpp"

namespace gpu::detail::host {

namespace {

// LIBGPU_HOST_COMPILE_LIMIT, in seconds.
std::chrono::milliseconds compile_limit() {
    const char* const text = std::getenv("LIBGPU_HOST_COMPILE_LIMIT");
    const double seconds = text != nullptr ? std::strtod(text, nullptr) : 0;
    if (!(seconds > 0 && seconds < 1e6)) return std::chrono::seconds(60);
    return std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
}

constexpr std::chrono::seconds version_limit{20};
constexpr const char* portable = "portable";

// The -march= value: LIBGPU_HOST_ARCH, otherwise this CPU. "portable" means the features of CPUs since about 2015, so
// that a cache can travel between machines; an older CPU compiles for itself.
std::string architecture() {
    const char* const named = std::getenv("LIBGPU_HOST_ARCH");
    if (named == nullptr || *named == '\0') return "native";
    if (std::strcmp(named, portable) != 0) return named;
#if defined(__x86_64__)
    const bool has_it = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    return has_it ? "x86-64-v3" : "native";
#elif defined(__aarch64__)
    return "armv8-a";
#else
    return "native";
#endif
}

// -fno-trapping-math lets the loop of `if (i < n) z[i] = ...` vectorise; -fno-math-errno makes sqrt an instruction;
// -fstack-clash-protection touches every page of a large local array, so that none jumps over a guard page;
// -fno-finite-loops keeps endless loops without side effects, which clang removes along with what follows them.
const std::vector<std::string>& flags() {
    static const auto* const list = new std::vector<std::string>{"-std=c++17",
                                                                 "-fPIC",
                                                                 "-pipe",
                                                                 "-fvisibility=hidden",
                                                                 "-fno-exceptions",
                                                                 "-fno-rtti",
                                                                 "-fno-asynchronous-unwind-tables",
                                                                 "-fno-stack-protector",
                                                                 "-fstack-clash-protection",
                                                                 "-fno-trapping-math",
                                                                 "-fno-math-errno",
                                                                 "-fno-finite-loops",
                                                                 "-ffp-contract=fast",
                                                                 "-nostdinc",
                                                                 "-nostdinc++",
                                                                 "-fdiagnostics-color=never",
                                                                 "-fdata-sections",  // sorted by name: raw_fiber
                                                                 "-ftemplate-depth=200"};
    return *list;
}

// NVRTC accepts narrowing in braces, but no arrays of variable length. (-w would hide that error; warnings are filtered
// from the log instead.) On arm64, g++ assumes guards of 64 KiB; those of threads' stacks are one page.
const std::vector<std::string>& flags_of(bool is_clang) {
    static const auto* const gcc = new std::vector<std::string> {
        "-Wno-narrowing", "-Werror=vla",
#if defined(__aarch64__)
            "--param=stack-clash-protection-guard-size=12",
#endif
    };
    static const auto* const clang = new std::vector<std::string>{"-Wno-c++11-narrowing", "-Werror=vla"};
    return is_clang ? *clang : *gcc;
}

// -O3 compiles more slowly; it pays for kernels that are nothing but a loop over elements or threads.
const std::vector<std::string>& run_flags(const KernelSource& source) {
    static const auto* const loops = new std::vector<std::string>{"-O3", "-ftree-vectorize"};
    static const auto* const others = new std::vector<std::string>{"-O2", "-ftree-vectorize"};
    const bool is_loop = source.mode == KernelMode::elementwise || source.mode == KernelMode::loop;
    return is_loop ? *loops : *others;
}

// How much of glibc's libmvec there is, see math.cuh. A raw kernel gets the same numbers as in check mode: none of it.
const std::vector<std::string>& vector_math_flags(KernelMode mode, bool is_clang) {
    static const auto* const none = new std::vector<std::string>;
    static const auto* const all = [] {
        auto* const list = new std::vector<std::string>;
#if defined(__x86_64__) && defined(__GLIBC__)
        int major = 0, minor = 0;
        if (std::sscanf(::gnu_get_libc_version(), "%d.%d", &major, &minor) == 2)
            list->push_back(major > 2 || minor >= 35 ? "-DGPU_VECTOR_MATH=2" : "-DGPU_VECTOR_MATH=1");
#endif
        return list;
    }();
    const bool is_generated = mode == KernelMode::elementwise || mode == KernelMode::reduction;
    return is_generated && !is_clang ? *all : *none;
}

// Check mode: every access calls us, volatile ones under another name; calls keep their lines. -O1 leaves accesses as
// they are written, except those that g++ moves out of loops or behind conditions; -fno-tree-sra keeps copies of a
// float4 in one piece.
const std::vector<std::string>& check_flags(bool is_clang) {
    static const auto* const gcc =
        new std::vector<std::string>{"-O1",
                                     "-g1",
                                     "-fsanitize=thread,bounds,integer-divide-by-zero,alignment,shift-exponent",
                                     double_precision_flag,
                                     "--param=tsan-distinguish-volatile=1",
                                     "--param=tsan-instrument-func-entry-exit=0",
                                     "-fno-tree-loop-im",
                                     "-fno-tree-sink",
                                     "-fno-tree-sra",
                                     "-finline-functions",  // -fsanitize=thread misses what calls read of a structure
                                     "-finline-small-functions",
                                     "--param=early-inlining-insns=10000",
                                     "-fno-builtin-memcpy",  // as calls, which we intercept
                                     "-fno-builtin-memmove",
                                     "-fno-builtin-memset"};
    static const auto* const clang =
        new std::vector<std::string>{"-O1",
                                     "-g1",
                                     "-gdwarf-4",  // binutils 2.40 mistakes version 5's first file for another
                                     "-fsanitize=thread,array-bounds,integer-divide-by-zero,alignment,shift-exponent",
                                     double_precision_flag,
                                     "-mllvm",
                                     "-tsan-instrument-read-before-write",
                                     "-mllvm",
                                     "-tsan-distinguish-volatile",
                                     "-mllvm",
                                     "-tsan-instrument-func-entry-exit=0",
                                     "-mllvm",
                                     "-instcombine-code-sinking=false"};
    return is_clang ? *clang : *gcc;
}

// A kernel needs neither g++'s start files for shared objects nor libstdc++. On arm64, libgcc's atomics ask libc for
// the CPU's features, so libgcc comes last.
const std::vector<std::string>& link_flags() {
    static const auto* const list = new std::vector<std::string>{
        "-nostdlib", "-Wl,-z,defs", "-Wl,--build-id=none", "-Wl,--sort-section=name", "-lm", "-lgcc", "-lc"};
    return *list;
}

// Nothing in the file may run when it is loaded, but a function with the name that the linker looks for would. No
// function can have these names.
const std::vector<std::string>& shared_flags() {
    static const auto* const list = new std::vector<std::string>{"-shared", "-Wl,-init=no function,-fini=no function"};
    return *list;
}

// CUDA C++ alone: C library functions that a compiler would turn into accesses, which nobody would see, stay calls and
// are refused as such.
const std::vector<std::string>& plain_call_flags() {
    static const auto* const list = [] {
        auto* const all = new std::vector<std::string>;
        for (const std::string name :
             {"memcmp",   "memchr",    "mempcpy",    "bcmp",        "bcopy",   "bzero",    "strlen",   "strnlen",
              "strcmp",   "strncmp",   "strcasecmp", "strncasecmp", "strchr",  "strrchr",  "strstr",   "strpbrk",
              "strspn",   "strcspn",   "index",      "rindex",      "strcpy",  "stpcpy",   "strncpy",  "stpncpy",
              "strcat",   "strncat",   "strdup",     "strndup",     "sprintf", "snprintf", "vsprintf", "vsnprintf",
              "puts",     "fputs",     "frexp",      "frexpf",      "modf",    "modff",    "remquo",   "remquof",
              "lgamma_r", "lgammaf_r", "sincos",     "sincosf"})
            all->push_back("-fno-builtin-" + name);
        return all;
    }();
    return *list;
}

// CUDA C++ alone: each call through a pointer asks linked/check_object.cpp whether a function begins there.
const std::vector<std::string>& call_flags(bool is_clang) {
#if defined(__x86_64__)
    static const auto* const gcc = new std::vector<std::string>{
        "-fcf-protection=branch", "-mindirect-branch=thunk-extern", "-mindirect-branch-register", "-fno-jump-tables"};
    static const auto* const clang =
        new std::vector<std::string>{"-fcf-protection=branch", "-mretpoline", "-mretpoline-external-thunk"};
#else
    static const auto* const gcc = new std::vector<std::string>;
    static const auto* const clang = gcc;
#endif
    return is_clang ? *clang : *gcc;
}

// For a debugger: the code as the learner wrote it. Function ends are reported as well.
std::vector<std::string> debug_flags(const std::vector<std::string>& check) {
    std::vector<std::string> list;
    for (const std::string& flag : check) {
        const bool is_entry_exit = flag.find("tsan-instrument-func-entry-exit") != std::string::npos;
        if (is_entry_exit && flag.front() == '-' && flag.compare(0, 7, "--param") != 0) list.pop_back();  // of -mllvm
        if (!is_entry_exit && flag != "-O1" && flag != "-g1") list.push_back(flag);
    }
    list.insert(list.end(), {"-O0", "-g", "-DGPU_DEBUGGED"});
    return list;
}

std::vector<std::string> candidates() {
    if (const char* named = std::getenv("LIBGPU_HOST_CXX"); named != nullptr && *named != '\0') return {named};
    std::vector<std::string> names;
#ifdef GPU_DEFAULT_CXX
    names.emplace_back(GPU_DEFAULT_CXX);
#endif
    names.insert(names.end(), {"c++", "g++", "clang++"});
    return names;
}

// Without the temporary directory's name, so that the same mistake always gives the same text.
std::string without_path(std::string log, const std::string& directory) {
    for (std::size_t at = log.find(directory); at != std::string::npos; at = log.find(directory, at))
        log.erase(at, directory.size() + (log.compare(at + directory.size(), 1, "/") == 0 ? 1 : 0));
    return log;
}

// Without warnings and their notes.
std::string without_warnings(const std::string& log) {
    std::string kept;
    bool in_warning = false;
    for (std::size_t begin = 0; begin < log.size();) {
        const std::size_t end = std::min(log.find('\n', begin), log.size() - 1) + 1;
        const std::string line = log.substr(begin, end - begin);
        begin = end;
        if (line.find(": note: ") == std::string::npos) in_warning = line.find(": warning: ") != std::string::npos;
        if (!in_warning) kept += line;
    }
    return kept;
}

std::string last_lines(const std::string& output) {
    const std::size_t from = output.size() > 2000 ? output.size() - 2000 : 0;
    return output.empty() ? "" : "; it said: " + output.substr(from);
}

}  // namespace

Compiler::Compiler() : architecture_("-march=" + architecture()) {
    const std::vector<std::string> names = candidates();
    for (const std::string& name : names) {
        path_ = find_program(name);
        if (!path_.empty()) break;
    }
    if (path_.empty()) {
        throw LibraryNotFound("the host backend needs a C++ compiler to build kernels, and found none (tried " +
                              joined(names, ", ") +
                              (std::getenv("LIBGPU_HOST_CXX") != nullptr ? ", which LIBGPU_HOST_CXX names" : "") +
                              "); install one (apt install g++) or set LIBGPU_HOST_CXX to its path");
    }
    // With -###, a compiler only prints what it would run: its version, and what -march=native means on this CPU.
    const ProcessResult version = run_process(
        {path_, "-###", architecture_, "-x", "c++", "-E", "/dev/null", "-o", "/dev/null"}, {"LC_ALL=C"}, version_limit);
    if (version.end != ProcessResult::End::exited || version.code != 0) {
        throw Error("the C++ compiler " + path_ + " could not be asked for its version" + last_lines(version.output));
    }
    if (const char* const named = std::getenv("LIBGPU_HOST_ARCH");  // -### takes any name
        named != nullptr && architecture_ == std::string("-march=") + named) {
        const ProcessResult trial =
            run_process({path_, architecture_, "-fsyntax-only", "-x", "c++", "/dev/null"}, {"LC_ALL=C"}, version_limit);
        if (trial.end != ProcessResult::End::exited || trial.code != 0)
            throw Error("the C++ compiler " + path_ + " does not compile for LIBGPU_HOST_ARCH=" + named +
                        "; write native, portable, or a name that its -march= takes" + last_lines(trial.output));
    }
    struct stat file {};
    ::stat(path_.c_str(), &file);
    is_clang_ = version.output.find("clang version") != std::string::npos;
    identity_ = "host " + path_ + ' ' + std::to_string(file.st_size) + '\n' + version.output + '\n' + "-O3 or -O2 or " +
                joined(check_flags(is_clang_), " ") + ' ' + (kernels_are_debugged() ? "debugged " : "") +
                joined(flags_of(is_clang_), " ") + ' ' + architecture_ + ' ' + joined(flags(), " ") + ' ' +
                joined(call_flags(is_clang_), " ") + ' ' + joined(plain_call_flags(), " ") + ' ' +
                joined(shared_flags(), " ") + ' ' + joined(link_flags(), " ") + ' ' +
                joined(vector_math_flags(KernelMode::elementwise, is_clang_), " ") + '\n' + prelude_fingerprint() +
                '\n';
}

std::vector<std::string> translated_options(const std::vector<std::string>& options) {
    std::vector<std::string> result;
    for (std::size_t k = 0; k < options.size(); ++k) {
        const std::string& option = options[k];
        const auto starts = [&option](std::string_view prefix) {
            return option.compare(0, prefix.size(), prefix) == 0;
        };
        if (is_definition(option)) continue;
        if (starts("-std=") || starts("-O"))
            result.push_back(option);
        else if (starts("--std="))
            result.push_back(option.substr(1));
        else if (option == "--use_fast_math" || option == "-use_fast_math")
            result.emplace_back("-ffast-math");
        else if (option == "--fmad=false" || option == "-fmad=false")
            result.emplace_back("-ffp-contract=off");
        else if (option == "-I" || option == "--include-path")
            ++k;  // the files there, like those after the next, are part of the text already
        else if (starts("-I") || starts("--include-path="))
            continue;
        else if (starts("--gpu-architecture") || starts("-arch") || starts("--maxrregcount") || starts("-lineinfo") ||
                 starts("--generate-line-info") || starts("-default-device") || starts("--device-as-default") ||
                 starts("--fmad=") || starts("-fmad="))
            continue;  // only concerns GPUs
        else
            throw CompileFailure{"error: the option \"" + option + "\" is not known to the host backend\n", options};
    }
    return result;
}

std::string Compiler::compile(const KernelSource& source) const { return compile(source, Wanted::object); }

void Compiler::examine(const KernelSource& source) const { (void)compile(source, Wanted::nothing); }

std::string Compiler::compile(const KernelSource& source, Wanted wanted) const {
    if (!source.refusals.empty()) throw CompileFailure{source.refusals, all_options_for(source)};
    if (source.unresolved.is_certain)
        throw CompileFailure{"error: the source has no kernel " + source.unresolved.wanted + '\n',
                             all_options_for(source), source.unresolved};
    const TemporaryDirectory directory;
    for (const char* const folder : {"/libgpu", "/cooperative_groups", "/cuda", "/cuda/std", "/cupy", "/thrust"})
        if (::mkdir((directory.path() + folder).c_str(), 0700) != 0)
            throw Error("could not write " + directory.path() + folder + ": " + std::strerror(errno));
    try {
        return compile_once(source, directory.path(), wanted);
    } catch (const CompileFailure& failure) {
        // A barrier inside a macro, or a token that the scan doesn't know: loop mode doesn't declare it.
        if (const KernelSource waiting = in_fiber_mode(source);
            !waiting.text.empty() &&
            (failure.log.find("__sync") != std::string::npos || failure.log.find("_sync'") != std::string::npos))
            return compile_once(waiting, directory.path(), wanted);
        KernelSource other = source;
        other.text.clear();
        // NVRTC accepts undeclared names in a template that is never instantiated.
        if (begins_with_undeclared_name(failure.log)) other.text = without_unused_templates(source.text);
        // g++ turns a loop that looks for a 0 into a call.
        for (const std::string name : {"strlen", "rawmemchr"})
            if (failure.log.starts_with("error: `" + name) && source.text.find(name) == std::string::npos)
                other.text = "#pragma GCC optimize(\"no-tree-loop-distribute-patterns\")\n" + source.text;
        if (other.text.empty()) throw;
        try {
            return compile_once(other, directory.path(), wanted);
        } catch (const CompileFailure&) {}
        throw;
    }
}

std::vector<std::string> Compiler::options_for(const KernelSource& source) const {
    std::vector<std::string> options = source.mode != KernelMode::check ? run_flags(source)
                                       : kernels_are_debugged()         ? debug_flags(check_flags(is_clang_))
                                                                        : check_flags(is_clang_);
    options.push_back(architecture_);
    options.insert(options.end(), flags().begin(), flags().end());
    if (source.only_cuda) {
        options.insert(options.end(), call_flags(is_clang_).begin(), call_flags(is_clang_).end());
        options.insert(options.end(), plain_call_flags().begin(), plain_call_flags().end());
    } else {
        options.emplace_back("-fno-plt");
    }
    const std::vector<std::string>& vectors = vector_math_flags(source.mode, is_clang_);
    options.insert(options.end(), vectors.begin(), vectors.end());
    options.emplace_back(is_clang_ ? "-fno-caret-diagnostics" : "-fno-diagnostics-show-caret");
    options.emplace_back(is_clang_ ? "-ferror-limit=20" : "-fmax-errors=20");
    if (!is_clang_) options.insert(options.end(), {"-fno-gnu-unique", "-fvect-cost-model=dynamic"});
    options.insert(options.end(), flags_of(is_clang_).begin(), flags_of(is_clang_).end());
    for (const std::string& own : translated_options(source.options)) {
        if (source.only_cuda && own.starts_with("-O")) continue;  // optimising more would report fewer accesses
        const bool is_gnu = source.only_cuda && own.starts_with("-std=gnu");
        options.push_back(is_gnu ? "-std=c" + own.substr(std::string_view("-std=gnu").size()) : own);
    }
    if (source.mode == KernelMode::check && kernels_are_debugged()) options.emplace_back("-O0");
    return options;
}

std::vector<std::string> Compiler::all_options_for(const KernelSource& source) const {
    std::vector<std::string> options = options_for(source);
    std::copy_if(source.options.begin(), source.options.end(), std::back_inserter(options), is_definition);
    options.insert(options.end(), link_flags().begin(), link_flags().end());
    return options;
}

void Compiler::refuse(const KernelSource& source, const std::string& name, const std::string& why) const {
    throw CompileFailure{"error: `" + name + "` can't be used in a kernel: " + why + '\n', all_options_for(source)};
}

void Compiler::refuse_foreign_code(const KernelSource& source, std::string_view object,
                                   const std::string& directory) const {
    if (const std::string name = foreign_function(object); !name.empty())
        refuse(source, name, "it is declared, and defined nowhere on a GPU");
    if (runs_when_loaded(object))
        refuse(source, "constructor",
               "no code of a kernel's file runs when it is loaded, and its variables begin with constants");
    if (!pastes_words(source.text)) return;
    if (const std::string name = instruction_of_cpu(expanded(source, source.text, directory)); !name.empty())
        refuse(source, name, "there are no vector instructions of a CPU in a kernel");
}

std::string Compiler::expanded(const KernelSource& source, const std::string& text,
                               const std::string& directory) const {
    const std::string input = directory + "/expanded.cpp", output = directory + "/expanded.ii";
    write_file(input, text);
    std::vector<std::string> command{path_};
    const std::vector<std::string> options = options_for(source);
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"-I", directory, input, "-E", "-P", "-o", output});
    static_cast<void>(run(command, source, directory));
    return read_file(output);
}

void Compiler::refuse_native_code(const KernelSource& source, const std::string& object, const std::string& dump,
                                  const std::string& directory) const {
    if (hides_words(source.text)) {
        std::string mark = "gpu_piece_";  // unpredictable for whoever writes a kernel
        std::copy_if(directory.begin(), directory.end(), std::back_inserter(mark), is_name_part);
        const std::string all = expanded(source, with_piece_marks(source, mark), directory);
        const std::string name = native_word_of_pieces(all, mark, source);
        if (!name.empty()) refuse(source, name, "with its macros expanded, the text has this word, which isn't CUDA's");
    }
    if (const ForeignCode found = foreign_code(object, check_object())) refuse(source, found.name, found.why);
    if (const std::string name = unseen_argument(dump); !name.empty())
        refuse(source, name,
               "it isn't inlined, and g++ hides from check mode what memory is passed to it by value, or gets "
               "its result; put a local variable between them, or set LIBGPU_HOST_CXX=clang++");
}

std::string Compiler::compile_once(const KernelSource& source, const std::string& directory, Wanted wanted) const {
    const std::string input = directory + "/kernel.cpp", output = directory + "/kernel.so",
                      object = directory + "/kernel.o", instrumentation = directory + "/check.o",
                      dump = directory + "/kernel.dump";
    for (const PreludeFile* file : prelude_files_for(source.text)) {
        std::string path = directory + '/';
        write_file(path += file->name, file->text);
    }
    write_file(input, source.text);
    std::vector<std::string> command{path_};
    const std::vector<std::string> options = options_for(source);
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"-I", directory, input});
    const auto add_link = [&] {
        command.insert(command.end(), shared_flags().begin(), shared_flags().end());
        command.insert(command.end(), {"-o", output});
        if (source.mode == KernelMode::check) {
            write_file(instrumentation, check_object());
            command.push_back(instrumentation);
        }
        command.insert(command.end(), link_flags().begin(), link_flags().end());
    };
    const bool is_dumped = source.only_cuda && !is_clang_ && !kernels_are_debugged();
    if (wanted == Wanted::nothing)
        command.emplace_back("-fsyntax-only");
    else if (source.only_cuda)
        command.insert(command.end(), {"-c", "-o", object});
    else
        add_link();
    if (is_dumped && wanted == Wanted::object) command.push_back("-fdump-tree-optimized-uid=" + dump);
    std::string log = run(command, source, directory);
    if (wanted == Wanted::nothing) return {};
    if (source.only_cuda) {
        refuse_native_code(source, read_file(object), is_dumped ? read_file(dump) : "", directory);
        command = {path_, object};
        add_link();
        log += run(command, source, directory);
    }
    std::string linked = read_file(output);
    if (!source.only_cuda) refuse_foreign_code(source, linked, directory);
    return with_promotions(std::move(linked), log);
}

std::string Compiler::run(const std::vector<std::string>& command, const KernelSource& source,
                          const std::string& directory) const {
    const std::chrono::milliseconds limit = compile_limit();
    // Folders from the environment would add headers that kernels don't have and that the cache's key doesn't cover.
    const ProcessResult result = run_process(
        command, {"LC_ALL=C", "TMPDIR=" + directory, "CPATH=", "C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH="}, limit);
    const std::string who = "the C++ compiler " + path_;
    switch (result.end) {
        case ProcessResult::End::not_started: throw Error(who + " could not be started: " + std::strerror(result.code));
        case ProcessResult::End::timed_out:
            throw Error(who + " did not finish kernel " + source.name + " within " + std::to_string(limit.count()) +
                        " ms and was stopped (LIBGPU_HOST_COMPILE_LIMIT sets another limit, in seconds)");
        case ProcessResult::End::signalled:
            throw Error(who + " crashed on kernel " + source.name + " (" + strsignal(result.code) + ")" +
                        last_lines(without_path(result.output, directory)));
        case ProcessResult::End::exited: break;
    }
    const std::string log = without_path(result.output, directory);
    // The driver survives its subprocesses: a crashed or starved one only shows in its output.
    if (log.find("No space left on device") != std::string::npos)
        throw Error("could not write to " + directory + ": No space left on device");
    if (result.code == 0) return log;
    if (log.find("internal compiler error") != std::string::npos ||
        log.find("PLEASE submit a bug report") != std::string::npos ||
        log.find(" signal terminated program") != std::string::npos)
        throw Error(who + " crashed on kernel " + source.name + last_lines(log));
    if (log.find("error") == std::string::npos && log.find("undefined") == std::string::npos)
        throw Error(who + " failed on kernel " + source.name + " with status " + std::to_string(result.code) +
                    last_lines(log));
    throw CompileFailure{explain_headers(without_warnings(log), source.text), all_options_for(source)};
}

}  // namespace gpu::detail::host
