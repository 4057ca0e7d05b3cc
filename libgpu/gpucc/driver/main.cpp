// SPDX-License-Identifier: MIT
// gpucc: compiles plain CUDA C++ programs for libgpu's host backend.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gpucc/driver/absent_headers.hpp"
#include "gpucc/driver/debug.hpp"
#include "gpucc/driver/options.hpp"
#include "gpucc/driver/unit_compiler.hpp"
#include "host/base/process.hpp"

namespace {

namespace fs = std::filesystem;
using gpu::detail::host::TemporaryDirectory;
using namespace gpucc;

bool is_source(const std::string& input, const Options& options) {
    const std::string kind = fs::path(input).extension();
    if (!options.language.empty() && !input.starts_with("-l"))
        return kind != ".o" && kind != ".a" && !kind.starts_with(".so");
    return kind == ".cu" || kind == ".cpp" || kind == ".cc" || kind == ".cxx" || kind == ".C" || kind == ".c";
}

// What -c makes of a file: -o says it, or the file's name.
std::string object_of(const std::string& input, const Options& options) {
    if (!options.output.empty()) return options.output;
    const std::string name = fs::path(input).stem().string() + ".o";
    return options.folder.empty() ? name : (fs::path(options.folder) / name).string();
}

// Objects for the sources among the inputs; the others stay as they are.
struct Objects {
    std::vector<std::string> files;
    std::set<std::string> declared;  ///< kernels that a file only declares
};
Objects compile_all(const Options& options, const std::string& folder, const std::string& compiler,
                    const Installation& installation) {
    Objects objects;
    bool failed = false;
    int number = 0;
    for (const std::string& input : options.inputs) {
        if (!is_source(input, options)) {
            objects.files.push_back(input);
            continue;
        }
        if (!fs::exists(input)) throw UsageError(input + ": there is no such file");
        const std::string own = folder + "/" + std::to_string(++number);
        fs::create_directory(own);
        objects.files.push_back(options.only_compile ? object_of(input, options) : own + "/unit.o");
        try {
            for (std::string& kernel : compile_unit(input, objects.files.back(), own, options, compiler, installation))
                objects.declared.insert(std::move(kernel));
        } catch (const BuildFailure&) {
            failed = true;
        }
    }
    if (failed) throw BuildFailure("");
    return objects;
}

void link(const Options& options, const Objects& objects, const std::string& to, const std::string& compiler,
          const Installation& installation) {
    std::vector<std::string> command{compiler};
    for (const std::string& option : options.compile)
        if (option.starts_with("-g") || option.starts_with("-O") || option.starts_with("-m")) command.push_back(option);
    command.insert(command.end(), objects.files.begin(), objects.files.end());
    command.insert(command.end(), options.link.begin(), options.link.end());
    command.insert(command.end(), {"-L" + installation.library, "-lgpucc", "-Wl,-rpath," + installation.library,
                                   "-Wl,-rpath-link," + installation.library, "-o", to});
    const Outcome linked = run_captured(command, options);
    std::fputs(linked.messages.c_str(), stderr);
    if (!linked.has_failed) return;
    for (const std::string& kernel : objects.declared)
        if (linked.messages.find("undefined reference to `" + kernel + "(") != std::string::npos ||
            linked.messages.find("undefined reference to `void " + kernel + "<") != std::string::npos)
            std::fprintf(stderr, "help: kernel %s is declared and launched, and no file of the program has its body\n",
                         kernel.c_str());
    throw BuildFailure(to);
}

// A library of objects, as nvcc's -lib makes it.
void archive(const Options& options, const std::vector<std::string>& objects) {
    const std::string program = gpu::detail::host::find_program("ar");
    if (program.empty()) throw std::runtime_error("-lib needs the program ar, of binutils, and it isn't there");
    std::vector<std::string> command{program, "rcs", options.output.empty() ? "a.a" : options.output};
    for (const std::string& object : objects)
        if (!object.starts_with("-l")) command.push_back(object);
    run_command(command, options);
}

// The program, or gdb with it, with check mode's words in its environment; returns its exit code, a signal's as a shell
// says it.
int run_program(const std::string& program, const Options& options) {
    if (options.check || options.counts || options.json || !options.check_exit_code.empty())
        ::setenv("GPUCC_CHECK", "1", 1);
    if (options.counts) ::setenv("GPUCC_COUNTS", "1", 1);
    if (options.json) ::setenv("GPUCC_JSON", "-", 1);
    if (options.leaks) ::setenv("GPUCC_LEAKS", "1", 1);
    if (options.ledger) ::setenv("GPUCC_LEDGER", "1", 1);
    for (const auto& [name, value] :
         {std::pair("GPUCC_CHECK_EXIT_CODE", options.check_exit_code), std::pair("GPUCC_TIMEOUT", options.timeout),
          std::pair("GPUCC_SHOW", options.show),
          std::pair("GPUCC_SHOW_KERNEL", options.show_kernel), std::pair("GPUCC_SHOW_LAUNCH", options.show_launch)})
        if (!value.empty()) ::setenv(name, value.c_str(), 1);
    std::vector<std::string> words{program};
    words.insert(words.end(), options.run_arguments.begin(), options.run_arguments.end());
    if (options.debug) words = debug_command(words, options.debug_at, find_installation().share + "/gdb");
    int code = 0;
    if (const int error = gpu::detail::host::run_in_foreground(words, code); error != 0) {
        std::fprintf(stderr, "gpucc: %s could not be started: %s\n", program.c_str(), std::strerror(error));
        return 127;
    }
    return code;
}

// Neither a source nor an object: it was compiled already.
bool is_program_file(const std::string& input, const Options& options) {
    const std::string kind = fs::path(input).extension();
    return !is_source(input, options) && kind != ".o" && kind != ".a";
}

int build(const Options& options) {
    if (options.help || options.version) {
        std::fputs(options.help ? help_text().c_str() : "gpucc " GPUCC_VERSION ", for CUDA 13's runtime API\n", stdout);
        return 0;
    }
    if (options.inputs.empty()) throw UsageError("no file was named; gpucc --help lists the options");
    const bool is_program = options.runs() && options.inputs.size() == 1 && options.language.empty() &&
                            is_program_file(options.inputs.front(), options);
    if (is_program) return run_program(fs::absolute(options.inputs.front()).string(), options);
    if (options.only_compile && !options.output.empty() &&
        std::count_if(options.inputs.begin(), options.inputs.end(),
                      [&](const std::string& input) { return is_source(input, options); }) > 1)
        throw UsageError("-c with -o takes one file");
    const Installation installation = find_installation();
    const std::string compiler = find_compiler(options);
    const TemporaryDirectory folder;
    write_absent_headers(folder.path() + "/absent");
    if (options.only_preprocess) {
        for (const std::string& input : options.inputs) {
            if (!is_source(input, options)) continue;
            if (!fs::exists(input)) throw UsageError(input + ": there is no such file");
            preprocess_unit(input, options, folder.path() + "/absent", compiler, installation);
        }
        return 0;
    }
    const Objects objects = compile_all(options, folder.path(), compiler, installation);
    if (options.only_compile) return 0;
    if (options.archive) {
        archive(options, objects.files);
        return 0;
    }
    const bool is_kept = !options.runs() || !options.output.empty();
    const std::string program = !is_kept                 ? folder.path() + "/program"
                                : options.output.empty() ? "a.out"
                                                         : options.output;
    link(options, objects, program, compiler, installation);
    return options.runs() && !options.dry_run ? run_program(fs::absolute(program).string(), options) : 0;
}

}  // namespace

int main(int count, char** arguments) {
    ::setenv("LIBGPU_DEVICE", "host", 1);
    ::setenv("LIBGPU_HOST_COMPILE_LIMIT", "86400", 0);  // a compiler works as long as it must, and Ctrl-C ends it
    try {
        return build(parse_options(std::vector<std::string>(arguments + 1, arguments + count)));
    } catch (const BuildFailure&) {
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gpucc: %s\n", error.what());
        return 1;
    }
}
