// SPDX-License-Identifier: MIT
// gpucc: compiles plain CUDA C++ programs for libgpu's host backend.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
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

bool is_source(const std::string& input) {
    const std::string kind = fs::path(input).extension();
    return kind == ".cu" || kind == ".cpp" || kind == ".cc" || kind == ".cxx" || kind == ".C" || kind == ".c";
}

// Objects for the sources among the inputs; the others stay as they are.
std::vector<std::string> compile_all(const Options& options, const std::string& folder, const std::string& compiler,
                                     const Installation& installation) {
    std::vector<std::string> objects;
    bool failed = false;
    int number = 0;
    for (const std::string& input : options.inputs) {
        if (!is_source(input)) {
            objects.push_back(input);
            continue;
        }
        if (!fs::exists(input)) throw UsageError(input + ": there is no such file");
        const std::string own = folder + "/" + std::to_string(++number);
        fs::create_directory(own);
        const std::string stem = fs::path(input).stem().string() + ".o";
        objects.push_back(!options.only_compile ? own + "/unit.o" : options.output.empty() ? stem : options.output);
        try {
            compile_unit(input, objects.back(), own, options, compiler, installation);
        } catch (const BuildFailure&) {
            failed = true;
        }
    }
    if (failed) throw BuildFailure("");
    return objects;
}

void link(const Options& options, const std::vector<std::string>& objects, const std::string& to,
          const std::string& compiler, const Installation& installation) {
    std::vector<std::string> command{compiler};
    for (const std::string& option : options.compile)
        if (option.starts_with("-g") || option.starts_with("-O") || option.starts_with("-m")) command.push_back(option);
    command.insert(command.end(), objects.begin(), objects.end());
    command.insert(command.end(), options.link.begin(), options.link.end());
    command.insert(command.end(), {"-L" + installation.library, "-lgpucc", "-Wl,-rpath," + installation.library,
                                   "-Wl,-rpath-link," + installation.library, "-o", to});
    run_command(command, options.verbose);
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
         {std::pair("GPUCC_CHECK_EXIT_CODE", options.check_exit_code), std::pair("GPUCC_SHOW", options.show),
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

int build(const Options& options) {
    if (options.help || options.version) {
        std::fputs(options.help ? help_text().c_str() : "gpucc " GPUCC_VERSION ", for CUDA 13's runtime API\n", stdout);
        return 0;
    }
    if (options.inputs.empty()) throw UsageError("no file was named; gpucc --help lists the options");
    const bool is_program = options.runs() && options.inputs.size() == 1 && !is_source(options.inputs.front());
    if (is_program) return run_program(fs::absolute(options.inputs.front()).string(), options);
    if (options.only_compile && !options.output.empty() && options.inputs.size() > 1)
        throw UsageError("-c with -o takes one file");
    const Installation installation = find_installation();
    const std::string compiler = find_compiler(options);
    const TemporaryDirectory folder;
    write_absent_headers(folder.path() + "/absent");
    if (options.only_preprocess) {
        for (const std::string& input : options.inputs) {
            if (!is_source(input)) continue;
            if (!fs::exists(input)) throw UsageError(input + ": there is no such file");
            preprocess_unit(input, options, folder.path() + "/absent", compiler, installation);
        }
        return 0;
    }
    const std::vector<std::string> objects = compile_all(options, folder.path(), compiler, installation);
    if (options.only_compile) return 0;
    const bool is_kept = !options.runs() || !options.output.empty();
    const std::string program = !is_kept                 ? folder.path() + "/program"
                                : options.output.empty() ? "a.out"
                                                         : options.output;
    link(options, objects, program, compiler, installation);
    return options.runs() ? run_program(fs::absolute(program).string(), options) : 0;
}

}  // namespace

int main(int count, char** arguments) {
    ::setenv("LIBGPU_DEVICE", "host", 1);
    try {
        return build(parse_options(std::vector<std::string>(arguments + 1, arguments + count)));
    } catch (const BuildFailure&) {
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gpucc: %s\n", error.what());
        return 1;
    }
}
