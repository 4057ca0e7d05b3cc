// SPDX-License-Identifier: MIT
#include "host/modules/kernel_module.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include <gpu/error.hpp>

#include "codegen/kernel_tokens.hpp"
#include "host/base/debugger.hpp"
#include "host/base/elf_object.hpp"
#include "host/base/process.hpp"
#include "host/modules/checked_module.hpp"
#include "host/prelude/linked/page_of_calls.hpp"

namespace gpu::detail::host {

namespace {

struct Seal {
    char mark[8] = {'l', 'i', 'b', 'g', 'p', 'u', 'h', 'o'};
    std::uint64_t abi = GPU_ABI, size = 0, checksum = 0;
};

std::vector<std::string> split(const char* list) {
    std::vector<std::string> names;
    std::string_view rest = list != nullptr ? list : "";
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        names.emplace_back(rest.substr(0, comma));
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    return names;
}

std::string_view unsealed(const Image& image, const std::string& name) {
    const std::string problem = "the compiled image of kernel " + name;
    Seal seal;
    if (image.bytes.size() < sizeof seal) throw Error(problem + " is damaged: it is too short");
    const std::string_view bytes(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size() - sizeof seal);
    std::memcpy(&seal, bytes.data() + bytes.size(), sizeof seal);
    if (std::memcmp(seal.mark, Seal{}.mark, sizeof seal.mark) != 0 || seal.size != bytes.size() ||
        bytes.substr(0, 4) != "\x7f" "ELF")
        throw Error(problem + " is damaged or was not made by libgpu's host backend");
    if (seal.abi != GPU_ABI) throw Error(problem + " was made by another version of libgpu");
    if (seal.checksum != XXH64(bytes.data(), bytes.size(), 0))
        throw Error(problem + " is damaged: its checksum differs");
    return bytes;
}

// The loader takes two libraries with one path for the same, and a closed descriptor's number is soon reused. So each
// load gets a spelling of its own: the bits of a serial number as "./" and "/" inside the path.
std::string unique_path(int fd) {
    static std::atomic<std::uint32_t> loads{0};
    std::string path = "/proc/self/fd/";
    for (std::uint32_t serial = loads++, k = 0; k < 32; ++k, serial >>= 1) path += (serial & 1) != 0 ? "./" : "/";
    return path + std::to_string(fd);
}

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

CodeRange code_of(std::string_view object, void* library) {
    Elf64_Ehdr header{};
    std::memcpy(&header, object.data(), std::min(sizeof header, object.size()));
    struct link_map* map = nullptr;
    if (::dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
    for (int k = 0; k < header.e_phnum; ++k) {
        Elf64_Phdr segment{};
        const std::size_t at = header.e_phoff + static_cast<std::size_t>(k) * sizeof segment;
        if (at + sizeof segment > object.size()) return {};
        std::memcpy(&segment, object.data() + at, sizeof segment);
        if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0)
            return {map->l_addr + segment.p_vaddr, map->l_addr + segment.p_vaddr + segment.p_memsz};
    }
    return {};
}

std::shared_ptr<void> closed_at_the_end(void* library) {
    return {library, [](void* handle) { ::dlclose(handle); }};
}

void* load(const std::string& path, const std::string& name) {
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return library;
    const char* const reason = ::dlerror();
    throw Error("the compiled kernel " + name + " could not be loaded: " + (reason != nullptr ? reason : "unknown"));
}

// A debugger reads the object from a file while it is loaded.
std::shared_ptr<void> open_for_debugger(std::string_view bytes, const std::string& name) {
    auto directory = std::make_shared<TemporaryDirectory>();
    const std::string path = directory->path() + "/libgpu-kernel.so";
    write_file(path, bytes);
    return {load(path, name), [directory](void* handle) { ::dlclose(handle); }};
}

std::shared_ptr<void> open_library(std::string_view bytes, const std::string& name) {
    if (kernels_are_debugged()) return open_for_debugger(bytes, name);
    if (const UniqueFd file(::memfd_create("libgpu-kernel", MFD_CLOEXEC)); file && write_all(file.get(), bytes))
        if (void* const library = ::dlopen(unique_path(file.get()).c_str(), RTLD_NOW | RTLD_LOCAL))
            return closed_at_the_end(library);
    // If memory can't be executed, a file may be.
    const TemporaryDirectory directory;
    const std::string path = directory.path() + "/kernel.so";
    write_file(path, bytes);
    return closed_at_the_end(load(path, name));
}

// From then on, nothing that a kernel writes can change what is reported about it.
void fill(gpu_check_calls& checks, CodeRange code, const CallTables& tables) {
    if (checks.range != nullptr) return;  // another kernel of the same object
    checks = *tables.checks;
    checks.code_begin = reinterpret_cast<const void*>(code.begin);
    checks.code_bytes = code.end - code.begin;
    static_cast<PageOfCalls&>(checks).host = tables.host;
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    if (reinterpret_cast<std::uintptr_t>(&checks) % page != 0 || ::mprotect(&checks, page, PROT_READ) != 0)
        throw Error("the table of a kernel's checks could not be made read-only");
}

}  // namespace

std::vector<std::byte> sealed_image(std::string_view shared_object) {
    Seal seal;
    seal.size = shared_object.size();
    seal.checksum = XXH64(shared_object.data(), shared_object.size(), 0);
    std::vector<std::byte> bytes(shared_object.size() + sizeof seal);
    std::memcpy(bytes.data(), shared_object.data(), shared_object.size());
    std::memcpy(bytes.data() + shared_object.size(), &seal, sizeof seal);
    return bytes;
}

KernelModule::KernelModule(const Image& image, const CallTables& tables, const std::string& name,
                           const SourceText& learners)
    : name_(name) {
    const std::string_view object = unsealed(image, name);
    library_ = open_library(object, name);
    describe(object, tables, "libgpu_module", learners);
}

KernelModule::KernelModule(std::string_view object, std::shared_ptr<void> library, const CallTables& tables,
                           const std::string& entry, const std::string& name, const SourceText& learners)
    : library_(std::move(library)), name_(name) {
    describe(object, tables, entry, learners);
}

void KernelModule::describe(std::string_view object, const CallTables& tables, const std::string& entry,
                            const SourceText& learners) {
    module_ = static_cast<const gpu_module*>(::dlsym(library_.get(), entry.c_str()));
    if (module_ == nullptr || module_->abi != GPU_ABI)
        throw Error("the compiled image of kernel " + name_ + " was not made by this version of libgpu");
    parameter_names_ = split(module_->parameter_names);
    for (int k = 0; k < module_->parameter_count && module_->parameters[k].name != nullptr; ++k)
        parameter_names_.emplace_back(module_->parameters[k].name);
    if (module_->kind == gpu_module_fiber || module_->kind == gpu_module_loop)
        static_shared_ = shared_variables(object, split(module_->other_kernels));
    else if (module_->calls != nullptr)
        *module_->calls = tables.host;
    text_ = code_of(object, library_.get());
    const bool is_generated = module_->kind == gpu_module_elementwise || module_->kind == gpu_module_reduction;
    is_libgpus_ = learners.made_in.empty() && (is_generated || learners.file.starts_with("libgpu "));
    if (module_->checks != nullptr) {
        fill(*module_->checks, text_, tables);
        checked_ = std::make_shared<CheckedModule>(object, library_.get(), learners, name_);
    }
}

std::string KernelModule::parameter_name(int index) const {
    const auto k = static_cast<std::size_t>(index);
    if (k < parameter_names_.size() && !parameter_names_[k].empty()) return parameter_names_[k];
    return "argument " + std::to_string(index + 1);
}

HostModule::HostModule(const Image& image, const CallTables& tables, const std::string& name, SourceText learners)
    : tables_(tables), image_(image.bytes), learners_(std::move(learners)) {
    object_ = unsealed(image, name);
    object_ = {reinterpret_cast<const char*>(image_.data()), object_.size()};
    library_ = open_library(object_, name);
}

std::shared_ptr<LoadedKernel> HostModule::kernel(const std::string& entry, const std::string& name) {
    if (::dlsym(library_.get(), entry.c_str()) == nullptr) return nullptr;
    auto kernel = std::make_shared<KernelModule>(object_, library_, tables_, entry, name, learners_);
    if (kernel->checked() != nullptr) {
        for (const std::string& variable : written_) kernel->checked()->written_by_host(variable);
        checked_.push_back(kernel->shared_checked());
    }
    return kernel;
}

void HostModule::written_by_host(const std::string& name) {
    written_.push_back(name);
    for (const auto& kernel : checked_) kernel->written_by_host(name);
}

ModuleSymbol HostModule::symbol(const std::string& name) {
    struct link_map* map = nullptr;
    if (::dlinfo(library_.get(), RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
    for (const ObjectVariable& variable : object_variables(object_))
        if (variable.name == name) return {reinterpret_cast<void*>(map->l_addr + variable.offset), variable.bytes};
    return {};
}

std::vector<std::string> HostModule::symbols() const {
    std::vector<std::string> names;
    for (const ObjectVariable& variable : object_variables(object_)) names.push_back(variable.name);
    return names;
}

// The thread-local variables of a kernel's shared object are its __shared__ arrays: no C++ parsing is needed.

namespace {

// "mul" for "void mul<float>(float const*)::s"; empty for a variable outside functions.
std::string function_of(const std::string& variable) {
    std::size_t end = variable.find_first_of("<(");
    if (end == std::string::npos) end = variable.rfind("::");  // of an extern "C" function
    if (end == std::string::npos) return {};
    std::size_t begin = variable.find_last_of(" :", end - 1);
    begin = begin == std::string::npos ? 0 : begin + 1;
    return variable.substr(begin, end - begin);
}

}  // namespace

std::size_t shared_variables(std::string_view object, const std::vector<std::string>& others) {
    Elf64_Ehdr header{};
    if (!read_header(object, header)) return 0;
    std::size_t total = 0;
    for_symbols(object, header, [&](const Elf64_Sym& symbol, const std::string& mangled) {
        if (ELF64_ST_TYPE(symbol.st_info) != STT_TLS) return;
        const std::string variable = demangled(mangled);
        if (variable.compare(0, 4, "gpu_") == 0 || is_guard(mangled)) return;
        if (std::find(others.begin(), others.end(), function_of(variable)) != others.end()) return;
        total += symbol.st_size;
    });
    return total;
}

std::vector<ObjectVariable> object_variables(std::string_view object) {
    Elf64_Ehdr header{};
    if (!read_header(object, header)) return {};
    std::vector<ObjectVariable> variables;
    for_symbols(object, header, [&](const Elf64_Sym& symbol, const std::string& mangled) {
        Elf64_Shdr section{};
        if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0 || symbol.st_shndx >= header.e_shnum ||
            !read(object, header.e_shoff + std::size_t{symbol.st_shndx} * header.e_shentsize, section) ||
            (section.sh_flags & SHF_WRITE) == 0 || is_guard(mangled))
            return;
        std::string name = demangled(mangled);
        const std::string unnamed = "(anonymous namespace)::";
        for (std::size_t at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed))
            name.erase(at, unnamed.size());
        if (name.find('(') != std::string::npos || name.compare(0, 4, "gpu_") == 0 ||
            name.compare(0, 7, "libgpu_") == 0)
            return;  // a function's own, or ours
        variables.push_back({std::move(name), symbol.st_value, symbol.st_size});
    });
    return variables;
}

}  // namespace gpu::detail::host
