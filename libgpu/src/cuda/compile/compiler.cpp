// SPDX-License-Identifier: MIT
#include "cuda/compile/compiler.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <mutex>
#include <sstream>
#include <string_view>

#include <gpu/error.hpp>

#include "backend/backend.hpp"
#include "codegen/kernel_declarations.hpp"
#include "codegen/kernel_support.hpp"
#include "codegen/kernel_tokens.hpp"
#include "cuda/base/library.hpp"

namespace gpu::detail::cuda {

namespace {

std::string capability_text(int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

bool debug_wanted() {
    const char* value = std::getenv("LIBGPU_DEBUG");
    return value && std::string_view(value) == "1";
}

bool starts_with_any(const std::string& option, std::initializer_list<std::string_view> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return option.rfind(prefix, 0) == 0; });
}

using OwnHeaders = std::vector<std::pair<std::string, std::string>>;

/// Files that we give NVRTC, by name: empty ones for headers that sources include out of habit, CuPy's complex numbers,
/// <cuComplex.h> if NVRTC was installed without it, and the header of cuda::std with min and max, which toolkits have
/// under another name.
OwnHeaders own_headers(const KernelSource& source, const std::string& include_directory) {
    OwnHeaders headers;
    if (source.text.find("include") == std::string::npos) return headers;
    const std::vector<Token> tokens = tokens_of(source.text);
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const Token* const named = included(tokens, k);
        if (named == nullptr) continue;
        const std::string name(named->text.substr(1, named->text.size() - 2));
        const std::string file = include_directory + "/cccl/cuda/std/";
        std::error_code ignored;
        if (std::find(empty_headers.begin(), empty_headers.end(), name) != empty_headers.end())
            headers.emplace_back(name, "");
        else if (std::find(complex_headers.begin(), complex_headers.end(), name) != complex_headers.end())
            headers.emplace_back(name, complex_header);
        else if (name == "cuComplex.h" && !std::filesystem::exists(include_directory + '/' + name, ignored))
            headers.emplace_back(name, "#pragma once\n" + std::string(cu_complex_header));
        else if (name == "cuda/std/algorithm" && !std::filesystem::exists(file + "algorithm", ignored) &&
                 std::filesystem::exists(file + "__algorithm_", ignored))
            headers.emplace_back(name, "#include <cuda/std/__algorithm_>\n");
    }
    return headers;
}

/// True if a source can do without what NVRTC's --minimal leaves out, which costs each compile 3 ms: textures,
/// surfaces, and the functions of CUDA's runtime that device code calls.
bool is_minimal(const KernelSource& source) {
    const auto names = [](std::string_view text, std::string_view part) {
        return text.find(part) != std::string_view::npos;
    };
    const auto asks_for_more = [&](const Token& token) {
        if (token.in_directive && token.text == "include") return true;  // the header may need any of it
        return token.is_name() && (names(token.text, "tex") || names(token.text, "surf") || names(token.text, "cuda"));
    };
    const std::vector<Token> tokens = tokens_of(source.text);
    return std::none_of(tokens.begin(), tokens.end(), asks_for_more) && !names(source.text, "<<<") &&
           std::none_of(source.options.begin(), source.options.end(),
                        [&](const std::string& option) { return names(option, "include") || names(option, "-D"); });
}

/// One NVRTC program, destroyed at the end of the scope.
class Program {
public:
    Program(const NvrtcApi& api, const KernelSource& source, const OwnHeaders& headers) : api_(api) {
        std::vector<const char*> names, texts;
        for (const auto& [name, text] : headers) {
            names.push_back(name.c_str());
            texts.push_back(text.c_str());
        }
        check(api_.create_program(&program_, source.text.c_str(), "libgpu generated", static_cast<int>(names.size()),
                                  texts.data(), names.data()),
              "nvrtcCreateProgram");
    }
    ~Program() { (void)api_.destroy_program(&program_); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void add_name(const std::string& expression) {
        check(api_.add_name_expression(program_, expression.c_str()), "nvrtcAddNameExpression");
    }

    NvrtcApi::Result compile(const std::vector<std::string>& options) {
        std::vector<const char*> pointers;
        for (const std::string& option : options) pointers.push_back(option.c_str());
        return api_.compile_program(program_, static_cast<int>(pointers.size()), pointers.data());
    }

    [[nodiscard]] std::string log() {
        std::size_t size = 0;
        check(api_.get_program_log_size(program_, &size), "nvrtcGetProgramLogSize");
        std::string text(size, '\0');
        if (size > 0) check(api_.get_program_log(program_, text.data()), "nvrtcGetProgramLog");
        while (!text.empty() && text.back() == '\0') text.pop_back();
        return text;
    }

    [[nodiscard]] std::string lowered_name(const std::string& expression) {
        const char* lowered = nullptr;
        check(api_.get_lowered_name(program_, expression.c_str(), &lowered), "nvrtcGetLoweredName");
        return lowered;
    }

    [[nodiscard]] std::vector<std::byte> image(bool is_ptx) {
        std::size_t size = 0;
        check((is_ptx ? api_.get_ptx_size : api_.get_cubin_size)(program_, &size), "nvrtcGetCUBINSize");
        std::vector<std::byte> bytes(size);
        check((is_ptx ? api_.get_ptx : api_.get_cubin)(program_, reinterpret_cast<char*>(bytes.data())),
              "nvrtcGetCUBIN");
        if (bytes.empty()) throw CompileFailure{"NVRTC returned an empty image"};
        return bytes;
    }

private:
    void check(NvrtcApi::Result result, const char* function) const {
        if (result == NvrtcApi::success) return;
        throw CompileFailure{std::string(function) + ": " + api_.get_error_string(result)};
    }

    const NvrtcApi& api_;
    NvrtcApi::Program program_ = nullptr;
};

Image compiled(const NvrtcApi& api, const Target& target, const KernelSource& source,
               const std::vector<std::string>& options) {
    Program program(api, source, own_headers(source, include_directory(api.path)));
    for (const std::string& entry : source.entries) program.add_name(entry);
    const NvrtcApi::Result result = program.compile(options);
    if (result == NvrtcApi::compilation_error) throw without_name_errors(program.log(), source);
    if (result != NvrtcApi::success) {
        throw CompileFailure{program.log() + "\nnvrtcCompileProgram: " + api.get_error_string(result)};
    }
    Image image;
    for (const std::string& entry : source.entries) image.entries.push_back(program.lowered_name(entry));
    image.bytes = program.image(target.is_ptx);
    return image;
}

}  // namespace

Target choose_target(int compute_capability, const std::vector<int>& supported) {
    if (compute_capability < supported.front()) {
        throw DeviceError("the GPU has compute capability " + capability_text(compute_capability) +
                          ", but this NVRTC compiles for " + capability_text(supported.front()) +
                          " and newer: use an older CUDA toolkit (12.9 is the last one for GPUs before 7.5)");
    }
    const int best = *(std::upper_bound(supported.begin(), supported.end(), compute_capability) - 1);
    // it runs on later minor versions
    if (best / 10 == compute_capability / 10) return {"sm_" + std::to_string(best), false};
    return {"compute_" + std::to_string(best), true};
}

std::vector<std::string> compile_options(const Target& target, const KernelSource& source,
                                         const std::string& include_directory) {
    std::vector<std::string> options{"--gpu-architecture=" + target.arch};
    const bool has_standard = std::any_of(source.options.begin(), source.options.end(), [](const std::string& option) {
        return starts_with_any(option, {"--std", "-std"});
    });
    if (!has_standard) options.emplace_back("--std=c++17");
    options.emplace_back(debug_wanted() ? "--device-debug" : "--generate-line-info");
    options.insert(options.end(), source.options.begin(), source.options.end());
    if (!include_directory.empty()) {
        options.push_back("--include-path=" + include_directory);
        options.push_back("--include-path=" + include_directory + "/cccl");
    }
    return options;
}

Image compile_for(const Target& target, const KernelSource& source) {
    const NvrtcApi& api = nvrtc();
    auto options = compile_options(target, source, include_directory(api.path));
    if ((api.major > 12 || (api.major == 12 && api.minor >= 8)) && is_minimal(source)) options.push_back("--minimal");
    try {
        return compiled(api, target, source, options);
    } catch (CompileFailure& failure) {
        failure.options = options;
        throw;
    }
}

Image compile_for(const std::string& arch, const KernelSource& source) {
    return compile_for(Target{arch, arch.rfind("compute_", 0) == 0}, source);
}

std::string compiler_identity_for(int compute_capability) {
    std::string path = existing_library("libnvrtc", "LIBGPU_NVRTC");
    if (path.empty()) path = nvrtc().path;  // the dynamic linker finds it, or an error says what was tried
    std::error_code ignored;
    const auto file = std::filesystem::canonical(path, ignored);
    const auto size = std::filesystem::file_size(file, ignored);
    const auto time = std::filesystem::last_write_time(file, ignored).time_since_epoch().count();
    std::string identity = "NVRTC " + file.string() + " " + std::to_string(size) + " " + std::to_string(time);
    for (const std::string& option :
         compile_options({std::to_string(compute_capability), false}, {}, include_directory(path))) {
        identity += " " + option;
    }
    return identity;
}

namespace {

void check(const NvrtcApi& api, NvrtcApi::Result result, const char* function) {
    if (result == NvrtcApi::success) return;
    throw LibraryNotFound(std::string(function) + ": " + api.get_error_string(result));
}

NvrtcApi fill(void* library) {
    NvrtcApi api;
    look_up(library, "nvrtcGetErrorString", api.get_error_string);
    look_up(library, "nvrtcVersion", api.version);
    look_up(library, "nvrtcGetNumSupportedArchs", api.get_num_supported_archs);
    look_up(library, "nvrtcGetSupportedArchs", api.get_supported_archs);
    look_up(library, "nvrtcCreateProgram", api.create_program);
    look_up(library, "nvrtcDestroyProgram", api.destroy_program);
    look_up(library, "nvrtcAddNameExpression", api.add_name_expression);
    look_up(library, "nvrtcCompileProgram", api.compile_program);
    look_up(library, "nvrtcGetProgramLogSize", api.get_program_log_size);
    look_up(library, "nvrtcGetProgramLog", api.get_program_log);
    look_up(library, "nvrtcGetLoweredName", api.get_lowered_name);
    look_up(library, "nvrtcGetCUBINSize", api.get_cubin_size);
    look_up(library, "nvrtcGetCUBIN", api.get_cubin);
    look_up(library, "nvrtcGetPTXSize", api.get_ptx_size);
    look_up(library, "nvrtcGetPTX", api.get_ptx);

    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(api.version), &info) != 0 && info.dli_fname) api.path = info.dli_fname;
    check(api, api.version(&api.major, &api.minor), "nvrtcVersion");
    int count = 0;
    check(api, api.get_num_supported_archs(&count), "nvrtcGetNumSupportedArchs");
    if (count <= 0) throw LibraryNotFound("it compiles for no architecture");
    api.archs.resize(static_cast<std::size_t>(count));
    check(api, api.get_supported_archs(api.archs.data()), "nvrtcGetSupportedArchs");
    std::sort(api.archs.begin(), api.archs.end());
    return api;
}

// A compile takes 7 MB, which glibc then returns to the system: 1600 page faults for the next one, a tenth of its time.
// After a block of that size has been freed, glibc keeps as much (mallopt(3), M_MMAP_THRESHOLD).
void keep_memory_between_compiles() {
    constexpr std::size_t largest_that_counts = (std::size_t{32} << 20) - 8192;
    void* volatile const block = std::malloc(largest_that_counts);  // NOLINT: never touched, so it takes no memory
    std::free(block);
}

}  // namespace

NvrtcApi load_nvrtc(const std::vector<std::string>& candidates) {
    NvrtcApi api;
    // Never closed: kernels may be compiled until the process ends.
    open_library(candidates,
                 "NVRTC, which compiles kernels for the GPU, was not found. Set LIBGPU_NVRTC to the path of "
                 "libnvrtc.so." +
                     std::to_string(toolkit_major()) + ".",
                 [&api](void* library) { api = fill(library); });
    return api;
}

const NvrtcApi& nvrtc() {
    static std::mutex mutex;
    static const NvrtcApi* api = nullptr;  // leaked with the library
    const std::lock_guard lock(mutex);
    if (api != nullptr) return *api;
    api = new NvrtcApi(load_nvrtc(library_candidates("libnvrtc", "LIBGPU_NVRTC")));
    keep_memory_between_compiles();
    return *api;
}

namespace {

constexpr std::string_view name_map = "__nv_name_map(";  // NVRTC's file name for the name expressions

// The module's entry that NVRTC shows below its error; the first one if it shows none.
std::string refused_entry(const std::string& about_names, const std::vector<std::string>& entries) {
    for (const std::string& entry : entries)
        if (about_names.find("nv_mangled_name " + entry + '\n') != std::string::npos) return entry;
    return entries.front();
}

// True for a line that begins a complaint. NVRTC indents the source lines that it shows.
bool is_complaint(const std::string& line) {
    if (line.empty() || line.front() == ' ' || line.front() == '\t') return false;
    return line.find(": error:") != std::string::npos || line.find(" error: ") != std::string::npos;
}

}  // namespace

NameExpression parse_name_expression(const std::string& expression) {
    constexpr std::string_view cast = "(void(*)";
    if (expression.rfind(cast, 0) != 0) return {"", expression};
    const auto end = expression.rfind(')');  // of the cast: a kernel's name has no parentheses
    return {expression.substr(cast.size(), end - cast.size()), expression.substr(end + 1)};
}

CompileFailure without_name_errors(const std::string& log, const KernelSource& source) {
    std::istringstream lines(log);
    std::string own, about_names;
    bool own_error = false, in_names = false;
    for (std::string line; std::getline(lines, line);) {
        const bool is_error = is_complaint(line);
        if (is_error || line.find(": warning ") != std::string::npos) in_names = line.rfind(name_map, 0) == 0;
        if (line.find("detected in the compilation of") != std::string::npos) in_names = false;
        own_error = own_error || (!in_names && is_error);
        (in_names ? about_names : own) += line + "\n";
    }
    if (about_names.empty()) return {.log = log};
    if (own_error) return {.log = own};
    const NameExpression wanted = parse_name_expression(refused_entry(about_names, source.entries));
    return {.log = log, .unresolved = unresolved_kernel(find_kernels(source.text), wanted.name, wanted.signature)};
}

}  // namespace gpu::detail::cuda
