// SPDX-License-Identifier: MIT
#include "gpucc/driver/options.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <string_view>
#include <utility>

namespace gpucc {

namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// A list's parts: nvcc parts it at commas, and its command line at blanks.
std::vector<std::string> at_commas(const std::string& list) {
    std::vector<std::string> parts(1);
    for (const char letter : list) {
        if (letter != ',' && letter != ' ')
            parts.back() += letter;
        else if (!parts.back().empty())
            parts.emplace_back();
    }
    if (parts.back().empty()) parts.pop_back();
    return parts;
}

/// Options of nvcc that mean something to a GPU, or to nvcc's own steps, alone: gpucc takes them, so that a Makefile
/// stays as it is. These have a value.
bool is_ignored_with_value(std::string_view name) {
    return is_one_of(name, {"-arch",
                            "--gpu-architecture",
                            "-gencode",
                            "--generate-code",
                            "-code",
                            "--gpu-code",
                            "-maxrregcount",
                            "--maxrregcount",
                            "-Xptxas",
                            "--ptxas-options",
                            "-Xnvlink",
                            "--nvlink-options",
                            "-Xarchive",
                            "--archive-options",
                            "-t",
                            "--threads",
                            "-split-compile",
                            "--split-compile",
                            "-cudart",
                            "--cudart",
                            "-cudadevrt",
                            "--cudadevrt",
                            "-Xcudafe",
                            "-diag-suppress",
                            "--diag-suppress",
                            "-diag-warn",
                            "--diag-warn",
                            "-diag-error",
                            "--diag-error",
                            "-opt-info",
                            "--optimization-info",
                            "-keep-dir",
                            "--keep-dir",
                            "-time",
                            "--time",
                            "-ftz",
                            "--ftz",
                            "-prec-div",
                            "--prec-div",
                            "-prec-sqrt",
                            "--prec-sqrt",
                            "-brief-diag",
                            "--brief-diagnostics",
                            "-ldir",
                            "--libdevice-directory",
                            "-target-dir",
                            "--target-directory",
                            "-arbin",
                            "--archiver-binary",
                            "-m",
                            "--machine"});
}
bool is_ignored(std::string_view word) {
    return is_one_of(word, {"-lineinfo",
                            "--generate-line-info",
                            "-m64",
                            "--m64",
                            "-rdc=false",
                            "--relocatable-device-code=false",
                            "-lcudart",
                            "-lcudart_static",
                            "-lcudadevrt",
                            "-lcuda",
                            "-lcublas",
                            "-lcurand",
                            "-link",
                            "--link",
                            "--expt-relaxed-constexpr",
                            "-expt-relaxed-constexpr",
                            "-extended-lambda",
                            "--extended-lambda",
                            "--expt-extended-lambda",
                            "-expt-extended-lambda",
                            "-forward-unknown-to-host-compiler",
                            "--forward-unknown-to-host-compiler",
                            "-forward-unknown-to-host-linker",
                            "--forward-unknown-to-host-linker",
                            "-forward-unknown-opts",
                            "--forward-unknown-opts",
                            "-allow-unsupported-compiler",
                            "--allow-unsupported-compiler",
                            "-res-usage",
                            "--resource-usage",
                            "-dlto",
                            "--dlink-time-opt",
                            "-restrict",
                            "--restrict",
                            "-src-in-ptx",
                            "--source-in-ptx",
                            "-extra-device-vectorization",
                            "--extra-device-vectorization",
                            "-Wno-deprecated-gpu-targets",
                            "--Wno-deprecated-gpu-targets",
                            "-Wdefault-stream-launch",
                            "-Wext-lambda-captures-this",
                            "-Wmissing-launch-bounds",
                            "-keep",
                            "--keep",
                            "-save-temps",
                            "--save-temps",
                            "-err-no",
                            "--display-error-number",
                            "-no-err-no",
                            "--no-display-error-number",
                            "-use-local-env",
                            "--use-local-env",
                            "-nodlink",
                            "--no-device-link",
                            "-jobserver",
                            "--jobserver"});
}

std::string refusal(std::string_view word) {
    if (is_one_of(word, {"-rdc=true", "--relocatable-device-code=true", "-dc", "--device-c", "-dlink", "--device-link",
                         "-dw", "--device-w", "-ewp", "--extensible-whole-program"}))
        return "device code that several files share (" + std::string(word) +
               ") isn't in gpucc: include the file that "
               "has the __device__ function, or put both into one; kernels of several files need no -rdc";
    if (is_one_of(word, {"-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin", "-ltoir", "--ltoir", "-optix-ir",
                         "--optix-ir", "-cuda", "--cuda"}))
        return std::string(word) + " is for GPUs alone: gpucc makes a program for the CPU";
    if (is_one_of(word, {"-code-ls", "--list-gpu-code", "-arch-ls", "--list-gpu-arch"}))
        return std::string(word) + " lists GPUs, and gpucc compiles for none: -arch and -gencode may say anything";
    if (is_one_of(word, {"-sanitize", "--sanitize"}))
        return std::string(word) + " is compute-sanitizer's: gpucc --check finds more";
    if (is_one_of(word, {"-static", "--static"}))
        return std::string(word) +
               ": libgpucc is a shared library, so a program can't be linked without any; leave it "
               "out";
    if (is_one_of(word, {"-default-stream=per-thread", "--default-stream=per-thread"}))
        return "a default stream of each thread (" + std::string(word) +
               ") isn't in gpucc: make a stream for each "
               "thread with cudaStreamCreate()";
    for (const std::string_view library :
         {"cublasLt", "cufft", "cusolver", "cusparse", "nvrtc", "nppc", "cudnn"})
        if (word.substr(0, 2) == "-l" && word.substr(2, library.size()) == library)
            return "the library " + std::string(library) +
                   " isn't in gpucc; libgpu's C++ interface has fft and linalg";
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

std::string time_limit(const std::string& text) {
    char* end = nullptr;
    const double seconds = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(seconds >= 0 && seconds <= 1e9))
        throw UsageError("--timeout takes a number of seconds, or 0 for no limit, not " + text);
    return text;
}

std::string language(const std::string& text) {
    if (!is_one_of(text, {"cu", "c++", "c"})) throw UsageError("-x takes cu, c++ or c, not " + text);
    return text;
}

// nvcc's kinds of warnings for -Werror.
bool is_kind_of_warning(std::string_view word) {
    return is_one_of(word, {"all-warnings", "cross-execution-space-call", "reorder", "default-stream-launch",
                            "missing-launch-bounds", "ext-lambda-captures-this", "deprecated-declarations"});
}

// The host compiler's spelling of an option of the preprocessor that has a value; empty for others.
std::string preprocessor_option(std::string_view name) {
    constexpr std::pair<std::string_view, const char*> spellings[] = {
        {"-I", "-I"},
        {"--include-path", "-I"},
        {"-D", "-D"},
        {"--define-macro", "-D"},
        {"-U", "-U"},
        {"--undefine-macro", "-U"},
        {"-include", "-include"},
        {"--pre-include", "-include"},
        {"-isystem", "-isystem"},
        {"--system-include", "-isystem"},
        {"-iquote", "-iquote"},
        {"-idirafter", "-idirafter"},
    };
    const auto* const found =
        std::find_if(std::begin(spellings), std::end(spellings), [&](const auto& one) { return one.first == name; });
    return found == std::end(spellings) ? "" : found->second;
}

// A file of options, one or several a line, as make and CMake write it where a command would be too long.
void read_options(std::vector<std::string>& arguments, std::size_t at, const std::string& path) {
    std::ifstream file(path);
    if (!file) throw UsageError("the file of options " + path + " can't be read");
    std::vector<std::string> words;
    for (std::string word; file >> std::quoted(word);) words.push_back(word);
    arguments.insert(arguments.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.begin(), words.end());
}

}  // namespace

Options parse_options(std::vector<std::string> arguments) {
    Options options;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const std::string word = arguments[k];
        const std::size_t sign = word.find('=');
        const std::string name = word.substr(0, sign);
        const auto starts = [&](std::string_view prefix) { return word.starts_with(prefix); };
        const auto value = [&]() -> std::string {
            if (sign != std::string::npos && starts("-")) return word.substr(sign + 1);
            if (k + 1 == arguments.size()) throw UsageError(word + " needs a value");
            return arguments[++k];
        };
        const auto is = [&](std::initializer_list<std::string_view> words) { return is_one_of(name, words); };
        if (const std::string why = refusal(word); !why.empty()) throw UsageError(why);
        if (word == "--") {
            options.run_arguments.assign(arguments.begin() + static_cast<std::ptrdiff_t>(k) + 1, arguments.end());
            break;
        }
        if (word == "--help" || word == "-h")
            options.help = true;
        else if (word == "--version" || word == "-V")
            options.version = true;
        else if (is({"-optf", "--options-file"}))
            for (const std::string& path : at_commas(value())) read_options(arguments, k, path);
        else if (starts("@"))
            read_options(arguments, k, word.substr(1));
        else if (is({"-o", "--output-file"}))
            options.output = value();
        else if (is({"-odir", "--output-directory"}))
            options.folder = value();
        else if (word == "-c" || word == "--compile")
            options.only_compile = true;
        else if (word == "-lib" || word == "--lib")
            options.archive = true;
        else if (word == "-E" || word == "--preprocess")
            options.only_preprocess = true;
        else if (is_one_of(word, {"-M", "-MM", "--generate-dependencies", "--generate-nonsystem-dependencies"})) {
            options.only_preprocess = true;
            options.dependencies.emplace_back(word == "--generate-dependencies"             ? "-M"
                                              : word == "--generate-nonsystem-dependencies" ? "-MM"
                                                                                            : word);
        } else if (is_one_of(word, {"-MD", "--generate-dependencies-with-compile"}))
            options.dependencies.emplace_back("-MD");
        else if (is_one_of(word, {"-MMD", "--generate-nonsystem-dependencies-with-compile"}))
            options.dependencies.emplace_back("-MMD");
        else if (is_one_of(word, {"-MP", "--generate-dependency-targets"}))
            options.dependencies.emplace_back("-MP");
        else if (is({"-MF", "--dependency-output"}))
            options.dependency_file = value();
        else if (is({"-MT", "-MQ", "--dependency-target-name"}))
            options.dependency_target = value();
        else if (word == "-v" || word == "--verbose")
            options.verbose = true;
        else if (word == "--dryrun" || word == "-dryrun")
            options.verbose = options.dry_run = true;
        else if (word == "--check")
            options.check = true;
        else if (name == "--check-exit-code")
            options.check_exit_code = exit_code(value());
        else if (name == "--timeout")
            options.timeout = time_limit(value());
        else if (word == "--counts")
            options.counts = true;
        else if (word == "--json")
            options.json = true;
        else if (word == "--leaks")
            options.leaks = true;
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
        else if (word == "-run" || word == "--run")
            options.run = true;
        else if (is({"-run-args", "--run-args"})) {
            for (std::string& part : at_commas(value())) options.run_arguments.push_back(std::move(part));
        } else if (is({"-ccbin", "--compiler-bindir"}))
            options.compiler = value();
        else if (is({"-std", "--std"}))
            options.standard = "-std=" + value();
        else if (is({"-default-stream", "--default-stream"})) {
            if (const std::string why = refusal("-default-stream=" + value()); !why.empty()) throw UsageError(why);
        } else if (is({"-rdc", "--relocatable-device-code"})) {
            if (const std::string why = refusal("-rdc=" + value()); !why.empty()) throw UsageError(why);
        } else if (is_ignored_with_value(name))
            value();
        else if (is_ignored(word))
            continue;
        else if (name == "-x" || name == "--x")
            options.language = language(value());
        else if (is_one_of(word, {"-G", "--device-debug", "-g", "--debug"})) {
            options.compile.emplace_back("-g");
            options.debug = options.debug || word == "--debug";
        } else if (is({"-Xcompiler", "--compiler-options"})) {
            for (const std::string& part : at_commas(value())) {
                const bool is_library = part.starts_with("-Wl,") || part.starts_with("-l") || part.starts_with("-L");
                (is_library                                                                   ? options.link
                 : part.starts_with("-D") || part.starts_with("-I") || part.starts_with("-U") ? options.preprocess
                                                                                              : options.compile)
                    .push_back(part);
                if (is_one_of(part, {"-fopenmp", "-pthread"}) || part.starts_with("-fsanitize"))
                    options.link.push_back(part);
            }
        } else if (is({"-Xlinker", "--linker-options"})) {
            for (const std::string& part : at_commas(value()))
                options.link.insert(options.link.end(), {"-Xlinker", part});
        } else if (word == "-use_fast_math" || word == "--use_fast_math")
            options.device.emplace_back("--use_fast_math");
        else if (is({"-fmad", "--fmad"})) {
            if (value() == "false") options.device.emplace_back("--fmad=false");
        } else if (const std::string spelled = preprocessor_option(name); !spelled.empty()) {
            for (const std::string& part : spelled == "-D" ? std::vector{value()} : at_commas(value()))
                options.preprocess.insert(options.preprocess.end(), {spelled, part});
        } else if (starts("-I") || starts("-D") || starts("-U"))
            options.preprocess.push_back(word);
        else if (is({"-L", "--library-path"}))
            options.link.insert(options.link.end(), {"-L", value()});
        else if (is({"-l", "--library"}))
            options.inputs.push_back("-l" + value());
        else if (is_one_of(word, {"-shared", "--shared"}))
            options.link.emplace_back("-shared");
        else if (starts("-L") || starts("-Wl,") ||
                 is_one_of(word, {"-static-libstdc++", "-static-libgcc", "-rdynamic", "-s", "-no-pie"}))
            options.link.push_back(word);
        else if (starts("-l") || !starts("-"))
            options.inputs.push_back(word);
        else if (is({"-O", "--optimize"}))
            options.compile.push_back("-O" + value());
        else if (is_one_of(word, {"-w", "--disable-warnings"}))
            options.compile.emplace_back("-w");
        else if (is_one_of(word, {"-pg", "--profile"})) {
            options.compile.emplace_back("-pg");
            options.link.emplace_back("-pg");
        } else if (is_one_of(word, {"-noeh", "--no-exceptions"}))
            options.compile.emplace_back("-fno-exceptions");
        else if (is({"-Werror", "--Werror"})) {
            // nvcc's has a kind: those of its own steps mean nothing here.
            const bool is_apart = word == name && k + 1 < arguments.size() && is_kind_of_warning(arguments[k + 1]);
            const std::string kind = word != name || is_apart ? value() : "all-warnings";
            if (kind == "all-warnings")
                options.compile.emplace_back("-Werror");
            else if (!is_kind_of_warning(kind))
                options.compile.push_back(word);
        } else if (starts("-O") || starts("-g") || starts("-W") || starts("-f") || word == "-pthread" ||
                   word == "-pedantic" || starts("-m")) {
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
