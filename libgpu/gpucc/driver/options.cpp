// SPDX-License-Identifier: MIT
#include "gpucc/driver/options.hpp"

#include <algorithm>
#include <string_view>

namespace gpucc {

namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> at_commas(const std::string& list) {
    std::vector<std::string> parts(1);
    for (const char letter : list) {
        if (letter == ',')
            parts.emplace_back();
        else
            parts.back() += letter;
    }
    return parts;
}

/// Options of nvcc that mean something to a GPU alone: gpucc takes them, so that a Makefile stays as it is.
bool is_for_gpus(std::string_view name) {
    return is_one_of(name, {"-arch",           "--gpu-architecture",
                            "-gencode",        "--generate-code",
                            "-code",           "--gpu-code",
                            "-maxrregcount",   "--maxrregcount",
                            "-Xptxas",         "--ptxas-options",
                            "-Xnvlink",        "-t",
                            "--threads",       "-cudart",
                            "--cudart",        "-Xcudafe",
                            "-diag-suppress",  "--diag-suppress",
                            "-default-stream", "--default-stream"});
}
bool is_ignored(std::string_view name) {
    return is_one_of(name,
                     {"-lineinfo", "--generate-line-info", "-m64", "-rdc=false", "-lcudart", "-lcudadevrt", "-lcuda",
                      "--expt-relaxed-constexpr", "-expt-relaxed-constexpr", "-extended-lambda", "--extended-lambda",
                      "--expt-extended-lambda", "-expt-extended-lambda", "-forward-unknown-to-host-compiler",
                      "--forward-unknown-to-host-compiler", "-res-usage", "--resource-usage", "-dlto"});
}

std::string refusal(std::string_view name) {
    if (is_one_of(name, {"-rdc=true", "--relocatable-device-code=true", "-dc", "--device-c", "-dlink"}))
        return "device code that several files share (" + std::string(name) +
               ") isn't in gpucc: include the file that "
               "has the __device__ function, or put both into one; kernels of several files need no -rdc";
    if (is_one_of(name, {"-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin"}))
        return std::string(name) + " is for GPUs alone: gpucc makes a program for the CPU";
    for (const std::string_view library :
         {"cublas", "cufft", "cusolver", "cusparse", "curand", "nvrtc", "nppc", "cudnn"})
        if (name.substr(0, 2) == "-l" && name.substr(2, library.size()) == library)
            return "the library " + std::string(library) +
                   " isn't in gpucc; libgpu's C++ interface has matmul, fft, "
                   "linalg and random";
    return "";
}

// The number of a launch.
std::string launch_number(const std::string& text) {
    if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != text.npos || std::stoi(text) < 1)
        throw UsageError("--launch takes the number of a launch, 1 or more, not " + text);
    return text;
}

// What a program can exit with, 0 apart, which says that all is well.
std::string exit_code(const std::string& text) {
    const bool is_number = !text.empty() && text.size() <= 3 && text.find_first_not_of("0123456789") == text.npos;
    if (!is_number || std::stoi(text) < 1 || std::stoi(text) > 255)
        throw UsageError("--check-exit-code takes a number from 1 to 255, not " + text);
    return text;
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
    Options options;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const std::string& word = arguments[k];
        const std::size_t sign = word.find('=');
        const std::string name = word.substr(0, sign);
        const auto starts = [&](std::string_view prefix) { return word.starts_with(prefix); };
        const auto value = [&]() -> std::string {
            if (sign != std::string::npos && starts("-")) return word.substr(sign + 1);
            if (k + 1 == arguments.size()) throw UsageError(word + " needs a value");
            return arguments[++k];
        };
        if (const std::string why = refusal(word); !why.empty()) throw UsageError(why);
        if (word == "--") {
            options.run_arguments.assign(arguments.begin() + static_cast<std::ptrdiff_t>(k) + 1, arguments.end());
            break;
        }
        if (word == "--help" || word == "-h")
            options.help = true;
        else if (word == "--version" || word == "-V")
            options.version = true;
        else if (word == "-o" || word == "--output-file")
            options.output = value();
        else if (word == "-c" || word == "--compile")
            options.only_compile = true;
        else if (word == "-E" || word == "--preprocess")
            options.only_preprocess = true;
        else if (word == "-v" || word == "--verbose" || word == "--dryrun")
            options.verbose = true;
        else if (word == "--check")
            options.check = true;
        else if (name == "--check-exit-code")
            options.check_exit_code = exit_code(value());
        else if (word == "--counts")
            options.counts = true;
        else if (word == "--json")
            options.json = true;
        else if (word == "--leaks")
            options.leaks = true;
        else if (word == "-MD" || word == "-MMD")
            options.dependencies = word;
        else if (word == "-MP")
            options.has_phony_headers = true;
        else if (name == "-MF")
            options.dependency_file = value();
        else if (name == "-MT" || name == "-MQ")
            options.dependency_target = value();
        else if (word == "--ledger")
            options.ledger = true;
        else if (name == "--show")
            options.show = value();
        else if (name == "--kernel")
            options.show_kernel = value();
        else if (name == "--launch")
            options.show_launch = launch_number(value());
        else if (name == "--at")
            options.debug_at = value();
        else if (name == "-ccbin" || name == "--compiler-bindir")
            options.compiler = value();
        else if (name == "-std" || name == "--std")
            options.standard = "-std=" + value();
        else if (is_for_gpus(name))
            (void)value();
        else if (is_ignored(word))
            continue;
        else if (name == "-x" || word == "--x")
            (void)value();
        else if (word == "-G" || word == "--device-debug" || word == "--debug") {
            options.compile.emplace_back("-g");
            options.debug = options.debug || word == "--debug";
        } else if (name == "-Xcompiler" || name == "--compiler-options") {
            for (const std::string& part : at_commas(value())) {
                (part.starts_with("-D") || part.starts_with("-I") ? options.preprocess : options.compile)
                    .push_back(part);
                if (part == "-fopenmp" || part == "-pthread") options.link.push_back(part);
            }
        } else if (name == "-Xlinker" || name == "--linker-options") {
            for (const std::string& part : at_commas(value()))
                options.link.insert(options.link.end(), {"-Xlinker", part});
        } else if (word == "-use_fast_math" || word == "--use_fast_math")
            options.device.emplace_back("--use_fast_math");
        else if (word == "-fmad=false" || word == "--fmad=false")
            options.device.emplace_back("--fmad=false");
        else if (name == "-fmad" || name == "--fmad")
            continue;
        else if (is_one_of(word, {"-I", "-D", "-U", "-include", "-isystem", "--include-path", "--define-macro"})) {
            const std::string given = value();
            const std::string spelled = word == "--include-path" ? "-I" : word == "--define-macro" ? "-D" : word;
            options.preprocess.insert(options.preprocess.end(), {spelled, given});
        } else if (starts("-I") || starts("-D") || starts("-U"))
            options.preprocess.push_back(word);
        else if (word == "-L" || word == "-l")
            options.link.insert(options.link.end(), {word, value()});
        else if (starts("-L") || word == "-shared" || word == "-static-libstdc++")
            options.link.push_back(word);
        else if (starts("-l") || !starts("-"))
            options.inputs.push_back(word);
        else if (starts("-O") || starts("-g") || starts("-W") || starts("-f") || word == "-w" || word == "-pthread" ||
                 word == "-pg" || word == "-pedantic" || starts("-m")) {
            options.compile.push_back(word);
            if (word == "-fopenmp" || word == "-pthread" || starts("-fsanitize")) options.link.push_back(word);
        } else {
            throw UsageError("the option " + word +
                             " isn't known to gpucc; -Xcompiler hands options on to the host's "
                             "compiler");
        }
    }
    // nvcc's --debug is its -g.
    options.debug = options.debug && !options.only_compile && options.output.empty();
    if (options.show.empty() && !(options.show_kernel.empty() && options.show_launch.empty()))
        throw UsageError("--kernel and --launch choose what --show PAGE.html shows");
    if (!options.debug && !options.debug_at.empty()) throw UsageError("--at is a place where --debug stops");
    return options;
}

}  // namespace gpucc
