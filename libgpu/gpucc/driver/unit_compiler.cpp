// SPDX-License-Identifier: MIT
#include "gpucc/driver/unit_compiler.hpp"

#include <cxxabi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <memory>
#include <set>
#include <string_view>

#include <gpu/error.hpp>

#include "gpucc/runtime/unit.hpp"
#include "gpucc/runtime/words.hpp"
#include "gpucc/split/device_text.hpp"
#include "gpucc/split/host_text.hpp"
#include "gpucc/split/lambdas.hpp"
#include "host/base/process.hpp"

namespace gpucc {

namespace fs = std::filesystem;
using gpu::detail::host::read_file;
using gpu::detail::host::write_file;

namespace {

using Command = std::vector<std::string>;

void append(Command& command, const Command& more) { command.insert(command.end(), more.begin(), more.end()); }

// A name for the file's table that no other file of the program has.
std::string unit_name(const std::string& input) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char letter : fs::absolute(input).lexically_normal().string())
        hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

/// An instance of a kernel, as the assembly has it.
struct Instance {
    std::string variable, function;  ///< symbols; the function's may be empty
    NamedKernel kernel;
};

// "void ns::scale<float>(float*, int)": a function's name and its parameters.
NamedKernel parted(std::string name) {
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    for (std::size_t at; (at = name.find(unnamed)) != std::string::npos;) name.erase(at, unnamed.size());
    NamedKernel kernel;
    if (!name.empty() && name.back() == ')') {
        int depth = 0;
        std::size_t at = name.size();
        while (at-- > 0) {
            depth += name[at] == ')' ? 1 : name[at] == '(' ? -1 : 0;
            if (depth == 0) break;
        }
        kernel.signature = name.substr(at);
        name.resize(at);
    }
    if (name.starts_with("void ")) name.erase(0, 5);
    kernel.name = name;
    return kernel;
}

// The kernels' instances: each stub has a static variable of the same name.
std::vector<Instance> instances_in(const std::string& assembly) {
    const std::string end = "E" + std::to_string(stub_variable.size()) + std::string(stub_variable);
    std::set<std::string> symbols;
    for (std::size_t at = 0; (at = assembly.find("_ZZ", at)) != std::string::npos;) {
        std::size_t last = at;
        while (last < assembly.size() && (gpu::detail::is_name_part(assembly[last]) || assembly[last] == '.')) ++last;
        const std::string symbol = assembly.substr(at, last - at);
        at = last;
        if (symbol.ends_with(end)) symbols.insert(symbol);
    }
    std::set<std::string_view> labels;
    for (std::size_t at = 0, line_end = 0; at < assembly.size(); at = line_end + 1) {
        line_end = std::min(assembly.find('\n', at), assembly.size());
        const std::size_t last = assembly.find_first_of(":\t #\n", at);
        if (last < line_end && assembly[last] == ':') labels.insert(std::string_view(assembly).substr(at, last - at));
    }
    std::vector<Instance> instances;
    for (const std::string& symbol : symbols) {
        int status = 0;
        const std::unique_ptr<char, void (*)(void*)> plain(
            abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
        if (plain == nullptr) continue;
        std::string name = plain.get();
        name.resize(name.rfind("::"));
        Instance instance{.variable = symbol, .function = "", .kernel = parted(name)};
        const std::string function = "_Z" + symbol.substr(3, symbol.size() - 3 - end.size());
        for (const std::string& candidate : {function, instance.kernel.name})  // the second is extern "C"
            if (labels.contains(candidate)) {
                instance.function = candidate;
                break;
            }
        instances.push_back(std::move(instance));
    }
    return instances;
}

std::string quoted(std::string_view text) {
    std::string out = "\t.ascii \"";
    std::size_t length = 0;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (letter == '\n')
            out += "\\n";
        else if (letter == '"' || letter == '\\')
            (out += '\\') += letter;
        else if (byte >= 32 && byte < 127)
            out += letter;
        else {
            char octal[5];
            std::snprintf(octal, sizeof octal, "\\%03o", byte);
            out += octal;
        }
        if (++length % 4000 == 0) out += "\"\n\t.ascii \"";
    }
    return out + "\\000\"\n";
}

// The file's table, see Unit: it names what is local to the file, so it is a part of the same assembly.
std::string table(const std::string& unit, const std::vector<Instance>& instances, const DeviceText& device,
                  const std::string& options) {
    std::string strings = "\t.section .rodata.gpucc,\"a\"\n", rows = "\t.section .data.gpucc,\"aw\"\n\t.balign 8\n";
    int count = 0;
    const auto string_at = [&](std::string_view text) {
        const std::string label = ".Lgpucc_text_" + std::to_string(++count);
        strings += label + ":\n" + quoted(text);
        return label;
    };
    const auto word = [](const std::string& value) { return "\t.quad " + value + "\n"; };
    rows += ".Lgpucc_kernels:\n";
    for (const Instance& one : instances) {
        rows += word(one.variable) + word(one.function.empty() ? "0" : one.function);
        rows += word(string_at(one.kernel.name)) + word(string_at(one.kernel.signature));
    }
    const std::string name = "gpucc_unit_" + unit;
    rows += "\t.globl " + name + "\n\t.hidden " + name + "\n" + name + ":\n";
    rows += word(".Lgpucc_kernels") + word(std::to_string(instances.size())) + word(string_at(device.text));
    rows += word(string_at(device.file)) + word(std::to_string(device.line)) + word(string_at(options));
    return strings + rows;
}

void show_command(const Command& command, const Options& options) {
    if (!options.verbose) return;
    std::string line;
    for (const std::string& word : command) line += word + ' ';
    std::fprintf(stderr, "%s\n", line.c_str());
}

// What make wants to know, in the preprocessor's words.
Command dependencies(const Options& options, const std::string& input, const std::string& object) {
    if (options.dependencies.empty()) return {};
    Command command = options.dependencies;
    const bool is_beside = std::find_if(command.begin(), command.end(),
                                        [](const std::string& one) { return one.ends_with("D"); }) != command.end();
    const std::string made = options.only_compile || !is_beside || options.output.empty() ? object : options.output;
    if (!options.dependency_file.empty())
        append(command, {"-MF", options.dependency_file});
    else if (is_beside)
        append(command, {"-MF", options.only_compile ? fs::path(object).replace_extension(".d").string()
                                                     : fs::path(input).stem().string() + ".d"});
    append(command, {"-MT", !options.dependency_target.empty() ? options.dependency_target : made});
    return command;
}

/// The two halves' compile of one file.
class UnitCompiler {
public:
    UnitCompiler(std::string input, std::string folder, const Options& options, std::string compiler,
                 const Installation& installation)
        : input_(std::move(input)),
          folder_(std::move(folder)),
          options_(options),
          compiler_(std::move(compiler)),
          installation_(installation),
          unit_(unit_name(input_)) {}

    // Returns the kernels that it only declares.
    std::vector<std::string> compile(const std::string& object) {
        std::future<Outcome> both =
            std::async(std::launch::async, [this] { return preprocessed("device.ii", true, {}); });
        const Outcome host_side = preprocessed("host.ii", false, dependencies(options_, input_, object));
        const Outcome device_side = both.get();
        finish(host_side);
        finish(device_side);  // whose errors are often the same
        if (options_.dry_run) {
            run_command(host_command(), options_);
            run_command(assembly_command(), options_);
            return {};
        }
        const PreprocessedText host_source(with_named_lambdas(read_file(folder_ + "/host.ii"), unit_)),
            device_source(with_named_lambdas(read_file(folder_ + "/device.ii"), unit_));
        const std::vector<Token> device_tokens = code_tokens(device_source.own());
        const std::vector<Item> device_items = items_of(device_tokens);
        DeviceText device = device_text(device_source, device_tokens, device_items);
        const std::vector<Token> host_tokens = code_tokens(host_source.own());
        const HostText host = host_text(host_source, host_tokens, items_of(host_tokens), unit_);
        if (!host.errors.empty()) {
            std::fputs(host.errors.c_str(), stderr);
            throw BuildFailure(input_);
        }
        std::string options = "-default-device\n";
        for (const std::string& option : options_.device) options += option + '\n';
        // The first line names the compiler's input, for debuggers and linkers.
        write_file(folder_ + "/unit.ii", "# 1 \"" + input_ + "\"\n" + host.text + registration());
        // Kernels that aren't templates are known by now: both compilers work at the same time.
        const bool is_known = !device.text.empty() && !device.has_templates && device.overloaded_kernels.empty();
        std::future<std::string> kernels;
        if (is_known)
            kernels = std::async(std::launch::async, [&] { return kernel_errors(device, options, named(device)); });
        const Outcome compiled = run_captured(host_command(), options_);
        std::fputs(compiled.messages.c_str(), stderr);
        std::exception_ptr failure;
        std::vector<Instance> instances;
        try {
            if (compiled.has_failed) throw BuildFailure(input_);
            const std::string assembly = read_file(folder_ + "/unit.s");
            instances = instances_in(assembly);
            std::vector<std::string> names;  // of templates' instances
            for (Instance& one : instances) {
                finish(one, device);
                if (one.kernel.name.find('<') != std::string::npos) names.push_back(one.kernel.name);
            }
            if (!names.empty()) device = device_text(device_source, device_tokens, device_items, names);
            std::fputs(device.warnings.c_str(), stderr);
            write_file(folder_ + "/unit.s", assembly + table(unit_, instances, device, options));
            run_command(assembly_command(), options_);
        } catch (const BuildFailure&) {
            failure = std::current_exception();
        }
        std::string errors;
        if (is_known) {
            errors = kernels.get();
        } else if (!device.text.empty() && failure == nullptr) {
            std::vector<NamedKernel> names;
            for (const Instance& one : instances) names.push_back(one.kernel);
            errors = kernel_errors(device, options, names);
        }
        if (!is_about(compiled.messages, errors)) std::fputs(errors.c_str(), stderr);
        if (failure != nullptr) std::rethrow_exception(failure);
        if (!errors.empty()) throw BuildFailure(input_);
        write_file(object, read_file(folder_ + "/whole.o"));
        std::vector<std::string> declared;
        for (const Item& item : device_items)
            if (item.is_kernel() && item.body.empty() && !item.names.empty())
                declared.push_back(item.scope + item.names.front());
        return declared;
    }

    void preprocess(const std::string& to) const {
        finish(preprocessed(to, false, dependencies(options_, input_, fs::path(input_).stem().string() + ".o")));
    }

private:
    void finish(const Outcome& ended) const {
        std::fputs(ended.messages.c_str(), stderr);
        if (ended.has_failed) throw BuildFailure(input_);
    }

    [[nodiscard]] Outcome preprocessed(const std::string& to, bool for_device, const Command& more) const {
        Command command{compiler_, "-x", "c++", "-E", options_.standard};
        if (for_device) append(command, {"-isystem", installation_.include + "/device"});
        append(command, {"-isystem", installation_.include, "-isystem", folder_ + "/../absent"});
        append(command, {"-D__CUDACC__", "-D__NVCC__", "-D__GPUCC__", "-D__CUDACC_VER_MAJOR__=13",
                         "-D__CUDACC_VER_MINOR__=0", "-include", "cuda_runtime.h"});
        if (for_device) command.insert(command.end(), {"-D__CUDA_ARCH__=900", "-w"});
        append(command, options_.preprocess);
        for (const std::string& option : options_.compile)
            if (option.starts_with("-f") || option.starts_with("-O") || option.starts_with("-m"))
                command.push_back(option);
        append(command, more);
        append(command, {input_, "-o", folder_ + "/" + to});
        return run_captured(command, options_);
    }
    [[nodiscard]] Command host_command() const {
        Command command{compiler_, options_.standard, "-g1",
                        "-gdwarf-4"};  // lines for what check mode finds in host code
        append(command, options_.compile);
        append(command, {"-S", folder_ + "/unit.ii", "-o", folder_ + "/unit.s"});
        return command;
    }
    [[nodiscard]] Command assembly_command() const {
        return {compiler_, "-c", folder_ + "/unit.s", "-o", folder_ + "/whole.o"};
    }

    // True if these messages have the errors' place: the same text is in both halves.
    [[nodiscard]] static bool is_about(const std::string& messages, const std::string& errors) {
        const std::size_t begin = errors.rfind('\n', errors.find(": error: ")) + 1;
        const std::size_t line = errors.find(':', errors.find(':', begin) + 1);
        return line != std::string::npos && messages.find(errors.substr(begin, line + 1 - begin)) != std::string::npos;
    }

    // Before anything of the program runs, its kernels are known.
    [[nodiscard]] std::string registration() const {
        return "\n# 1 \"gpucc\" 1 3\n__attribute__((constructor(101))) static void gpucc_register_unit() { "
               "::gpucc::register_unit(&gpucc_unit_" +
               unit_ + "); }\n";
    }

    static std::vector<NamedKernel> named(const DeviceText& device) {
        std::vector<NamedKernel> names;
        for (const std::string& name : device.plain_kernels) names.push_back({name, ""});
        return names;
    }

    // Signatures tell overloads apart; others need none.
    void finish(Instance& instance, const DeviceText& device) const {
        NamedKernel& kernel = instance.kernel;
        if (kernel.name.find("{lambda") != std::string::npos || kernel.name.find("'lambda") != std::string::npos)
            refuse("kernel " + kernel.name +
                   ": a lambda is a template's argument, and device code can't name it: mark it __device__, or write a "
                   "struct with `__device__ ... operator()(...) const`");
        if (kernel.name.find(")::") != std::string::npos || kernel.name.find("main::") != std::string::npos)
            refuse("kernel " + kernel.name +
                   ": a type that is declared in a function is a template's argument; declare "
                   "it outside of functions");
        const std::string plain = kernel.name.substr(0, kernel.name.find('<'));
        const auto is_in = [&](const std::vector<std::string>& names) {
            return std::find(names.begin(), names.end(), plain) != names.end();
        };
        const bool is_instance = plain.size() < kernel.name.size();
        if (is_instance && is_in(device.overloaded_templates))
            refuse("several templates of kernels have the name " + plain + ": give each a name of its own");
        if (is_instance || !is_in(device.overloaded_kernels)) kernel.signature.clear();
    }
    [[noreturn]] void refuse(const std::string& why) const {
        std::fprintf(stderr, "%s: error: %s\n", input_.c_str(), why.c_str());
        throw BuildFailure(input_);
    }

    // What the kernels' compiler says; empty: all is well.
    [[nodiscard]] std::string kernel_errors(const DeviceText& device, const std::string& options,
                                            const std::vector<NamedKernel>& names) const {
        try {
            if (options_.verbose) write_file(folder_ + "/device.cu", device.text);
            UnitModule::compile(device.text, device.file, device.line, options, names);
            return "";
        } catch (const gpu::CompileError& error) {
            std::string text = in_cuda(error.what());
            text += '\n';
            for (const std::string& name : device.host_functions)
                if (text.find("error: " + name + " is not declared") != std::string::npos)
                    text +=
                        "help: " + name + " is a function of the host: mark it __device__, or __host__ __device__\n";
            for (const char* const library : {"cub", "thrust"})
                if (text.find(std::string("error: ") + library + " is not declared") != std::string::npos)
                    text += std::string("help: gpucc has ") + library +
                            "'s algorithms for host code alone: in a kernel, reduce and scan in shared memory, or with "
                            "cooperative_groups/reduce.h\n";
            return text;
        }
    }

    const std::string input_, folder_;
    const Options& options_;
    const std::string compiler_;
    const Installation& installation_;
    const std::string unit_;
};

}  // namespace

Installation find_installation() {
    const fs::path root = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
    for (const char* const library : {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"})
        if (fs::exists(root / "include/gpucc/cuda_runtime.h") && fs::exists(root / library / "libgpucc.so"))
            return {(root / "include/gpucc").string(), (root / library).string(), (root / "share/libgpu").string()};
    throw std::runtime_error("include/gpucc/cuda_runtime.h or lib/libgpucc.so is missing in " + root.string() +
                             ": gpucc was moved without what belongs to it");
}

std::string find_compiler(const Options& options) {
    const auto found_at = [](const std::string& name) {
        return name.empty() ? "" : gpu::detail::host::find_program(fs::is_directory(name) ? name + "/g++" : name);
    };
    const char* const variable = std::getenv("GPUCC_CXX");
    const std::string wanted = !options.compiler.empty() ? options.compiler : variable != nullptr ? variable : "";
    if (!wanted.empty()) {
        if (std::string found = found_at(wanted); !found.empty()) return found;
        throw std::runtime_error("the C++ compiler " + wanted + ", which " +
                                 (options.compiler.empty() ? "GPUCC_CXX" : "-ccbin") +
                                 " names, isn't there: name one that is, or leave it out");
    }
    for (const char* const name : {GPUCC_DEFAULT_CXX, "c++", "g++", "clang++"})
        if (std::string found = found_at(name); !found.empty()) return found;
    throw std::runtime_error(
        "no C++ compiler was found, and gpucc needs one for the program's host code and for its kernels: install g++ "
        "(Debian and Ubuntu: apt install g++; Fedora: dnf install gcc-c++) or clang++, or name one by -ccbin or "
        "GPUCC_CXX");
}

Outcome run_captured(Command command, const Options& options) {
    show_command(command, options);
    if (options.dry_run) return {};
    if (::isatty(STDERR_FILENO) != 0) command.insert(command.begin() + 1, "-fdiagnostics-color=always");
    const auto result = gpu::detail::host::run_process(command, {}, std::chrono::hours(24));
    using End = gpu::detail::host::ProcessResult::End;
    if (result.end == End::not_started) throw std::runtime_error(command.front() + " could not be started");
    return {result.output, result.end != End::exited || result.code != 0};
}

void run_command(const Command& command, const Options& options) {
    show_command(command, options);
    if (options.dry_run) return;
    pid_t child = 0;
    const int error = gpu::detail::host::start_program(child, command, {-1, STDERR_FILENO, STDERR_FILENO});
    if (error != 0) throw std::runtime_error(command.front() + " could not be started");
    const int status = gpu::detail::host::wait_for_end(child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw BuildFailure(command.front());
}

void preprocess_unit(const std::string& input, const Options& options, const std::string& folder,
                     const std::string& compiler, const Installation& installation) {
    UnitCompiler(input, folder, options, compiler, installation).preprocess("host.ii");
    if (options.dry_run || !options.dependency_file.empty()) return;
    const std::string text = read_file(folder + "/host.ii");
    if (options.output.empty())
        std::fwrite(text.data(), 1, text.size(), stdout);
    else
        write_file(options.output, text);
}

std::vector<std::string> compile_unit(const std::string& input, const std::string& object, const std::string& folder,
                                      const Options& options, const std::string& compiler,
                                      const Installation& installation) {
    const std::string kind = fs::path(input).extension();
    if (options.language.empty() ? kind == ".cu" : options.language == "cu")
        return UnitCompiler(input, folder, options, compiler, installation).compile(object);
    const bool is_c = options.language.empty() ? kind == ".c" : options.language == "c";
    Command command{compiler, "-x", is_c ? "c" : "c++", "-g1", "-gdwarf-4"};
    if (!is_c) command.push_back(options.standard);
    append(command, {"-isystem", installation.include, "-isystem", folder + "/../absent"});
    append(command, options.preprocess);
    append(command, options.compile);
    append(command, dependencies(options, input, object));
    append(command, {"-c", input, "-o", object});
    run_command(command, options);
    return {};
}

}  // namespace gpucc
