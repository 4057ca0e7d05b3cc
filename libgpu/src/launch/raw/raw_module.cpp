// SPDX-License-Identifier: MIT
#include "launch/raw/raw_module.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <gpu/error.hpp>
#include <gpu/raw_module.hpp>

#include "base.hpp"
#include "codegen/kernel_declarations.hpp"
#include "jit/kernel_store.hpp"
#include "launch/source.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

std::string listed(const std::vector<std::string>& names) {
    return names.empty() ? "none" : joined(names);
}

RawModuleOptions with_tidy_names(RawModuleOptions options) {
    for (std::string& name : options.names) name = tidy_name(name);
    return options;
}

}  // namespace

RawModuleCore::RawModuleCore(const Source& source, const RawModuleOptions& options)
    : source_(snippet_of(source, options.options)), options_(with_tidy_names(options)) {}

RawModuleCore::RawModuleCore(std::vector<std::byte> code, const std::string& file)
    : source_{{}, file, 1}, code_(std::move(code)) {}

// Work that uses the variables may still be queued.
RawModuleCore::~RawModuleCore() {
    for (auto& [place, loaded] : loaded_)
        if (!backend(place.first).traits().keeps_modules)
            const Storage last_work(place.first, nullptr, 0, loaded.module);
}

void RawModuleCore::expect(const RawEntry& entry, const std::vector<StructLayout>& structs) {
    const std::lock_guard lock(mutex_);
    const auto same = [&](const Expected& other) { return other.entry == entry && other.structs == structs; };
    if (std::none_of(expected_.begin(), expected_.end(), same)) expected_.push_back({entry, structs});
}

RawText RawModuleCore::text(const std::string& name, const RawSignature& signature) const {
    return {.name = name,
            .source = source_,
            .signature = signature.text,
            .options = options_.options,
            .structs = signature.structs};
}

std::vector<RawModuleCore::Expected> RawModuleCore::entries(std::vector<Expected> entries,
                                                            const std::vector<std::string>& more) const {
    const auto add = [&](const std::string& name) {
        const auto same = [&](const Expected& other) { return other.entry.name == name; };
        if (std::none_of(entries.begin(), entries.end(), same)) entries.push_back({{name, {}}, {}});
    };
    for (const std::string& name : options_.names) add(name);
    for (const std::string& name : plain_kernels(source_.text)) add(name);
    for (const std::string& name : more) add(name);
    if (entries.empty()) throw Error("the module's source " + source_.file + " has no __global__ function");
    return entries;
}

RawModuleCore::Loaded RawModuleCore::compile(Device device, Backend& backend,
                                             const std::vector<Expected>& entries) const {
    Loaded loaded;
    RawText text{.name = entries.front().entry.name,
                 .source = source_,
                 .signature = entries.front().entry.signature,
                 .options = options_.options};
    for (const Expected& one : entries) {
        loaded.entries.push_back(one.entry);
        for (const StructLayout& layout : one.structs)
            if (std::find(text.structs.begin(), text.structs.end(), layout) == text.structs.end())
                text.structs.push_back(layout);
    }
    text.more.assign(loaded.entries.begin() + 1, loaded.entries.end());
    LoadedImage image = load_image(device, backend, backend.generate(text));
    loaded.module = std::move(image.module);
    loaded.lowered = std::move(image.entries);
    return loaded;
}

// Drops the kernels that were requested with a wrong signature: their users are told later. What the module itself
// names must be right.
std::vector<RawModuleCore::Expected> RawModuleCore::compilable(Device device, Backend& backend,
                                                               const std::vector<Expected>& entries) const {
    std::vector<Expected> right;
    for (const Expected& one : entries) {
        try {
            (void)compiled_entry(device, backend,
                                 backend.generate(text(one.entry.name, {one.entry.signature, one.structs, {}})));
            right.push_back(one);
        } catch (const CompileError&) {
            if (one.entry.signature.empty()) throw;
        }
    }
    return right;
}

// True if a kernel behind #if, or from a macro, is active.
bool RawModuleCore::is_there(Device device, Backend& backend, const std::string& name) const {
    try {
        (void)compiled_entry(device, backend, backend.generate(text(name, {})));
        return true;
    } catch (const CompileError&) {
        return false;
    }
}

RawModuleCore::Loaded& RawModuleCore::load(Device device, Backend& backend) {
    const std::pair<Device, std::string> place(device, backend.variant());
    const auto found =
        std::find_if(loaded_.begin(), loaded_.end(), [&](const auto& one) { return one.first == place; });
    if (found != loaded_.end()) return found->second;
    Loaded loaded;
    if (!code_.empty()) {
        loaded.module = backend.load_binary(device.index(), code_, source_.file);
    } else {
        std::vector<std::string> possible = possible_kernels(source_.text);
        const std::vector<Expected> all = entries(expected_, possible);
        try {
            loaded = compile(device, backend, all);
        } catch (const CompileError&) {
            std::erase_if(possible, [&](const std::string& name) { return !is_there(device, backend, name); });
            if (possible.size() + expected_.size() + options_.names.size() == 0 && plain_kernels(source_.text).empty())
                throw;
            const std::vector<Expected> right = compilable(device, backend, entries(expected_, possible));
            if (right.size() == all.size()) throw;
            loaded = compile(device, backend, entries(right, possible));
        }
    }
    const auto on_device = [&](const auto& one) { return one.first.first == device; };
    if (std::any_of(loaded_.begin(), loaded_.end(), on_device)) has_variants_ = true;
    for (const std::string& name : given_symbols_) loaded.module->written_by_host(name);
    return loaded_.emplace_back(place, std::move(loaded)).second;
}

std::shared_ptr<LoadedKernel> RawModuleCore::kernel(Device device, Backend& backend, const std::string& name,
                                                    const RawSignature& signature) {
    const std::lock_guard lock(mutex_);
    Loaded& loaded = load(device, backend);
    std::shared_ptr<LoadedKernel>& known = loaded.kernels[name + '\0' + signature.key];
    if (known != nullptr) return known;

    std::string entry = code_.empty() ? std::string() : name;
    for (std::size_t k = 0; k < loaded.entries.size() && k < loaded.lowered.size(); ++k) {
        const RawEntry& have = loaded.entries[k];
        if (have.name == name && (entry.empty() || have.signature == signature.text)) entry = loaded.lowered[k];
    }
    const bool compared =
        std::find(loaded.entries.begin(), loaded.entries.end(), RawEntry{name, signature.text}) != loaded.entries.end();
    if (code_.empty() && !compared && !signature.text.empty()) {
        // Requested after the module was compiled: a separate compile checks the signature.
        const std::string lowered = compiled_entry(device, backend, backend.generate(text(name, signature)));
        if (backend.traits().names_entries) entry = lowered;
    }
    auto made = entry.empty() ? nullptr : loaded.module->kernel(entry, name);
    if (made == nullptr) {
        std::vector<std::string> names;
        for (const RawEntry& have : loaded.entries) names.push_back(have.name);
        throw LaunchError("the module " + source_.file + " was compiled without a kernel " + name +
                          (code_.empty()
                               ? "; it has " + listed(names) +
                                     ". Instances of templates are named when the module is made: {.names = {\"" +
                                     name + "\"}}"
                               : ": a name is the one in the machine code, as extern \"C\" leaves it"));
    }
    known = made;
    return made;
}

ModuleSymbol RawModuleCore::variable(const std::string& name) {
    const Device device = current_device();
    const std::lock_guard lock(mutex_);
    (void)load(device, backend(device));
    given_symbols_.push_back(name);
    for (auto& [place, loaded] : loaded_) loaded.module->written_by_host(name);
    return home(device)->symbol(name);
}

ArrayCore RawModuleCore::symbol(const std::string& name, DType dtype) {
    const Device device = current_device();
    const ModuleSymbol symbol = variable(name);
    if (symbol.data == nullptr) {
        throw Error("the module " + source_.file + " has no __constant__ or __device__ variable " + name +
                    (code_.empty() ? "; it declares " + listed(declared_variables(source_.text)) : ""));
    }
    const std::string declared = declared_variable_type(source_.text, name);
    if ((!declared.empty() && declared != kernel_name(dtype)) || symbol.bytes % size_of(dtype) != 0) {
        throw DTypeError("symbol<" + std::string(kernel_name(dtype)) + ">(\"" + name + "\"): the variable has " +
                         std::to_string(symbol.bytes) + " bytes" +
                         (declared.empty() ? "" : " of " + declared + ", says the source"));
    }
    // The storage keeps the module alive, and waits for nothing: the module does, in its destructor.
    const std::shared_ptr<Storage> storage(new Storage(device, symbol.data, symbol.bytes, nullptr),
                                           [self = shared_from_this()](Storage* memory) { delete memory; });
    const Shape shape{symbol.bytes / size_of(dtype)};
    return {.storage = storage, .offset = 0, .shape = shape, .strides = dense_strides(shape), .dtype = dtype};
}

std::shared_ptr<LoadedModule> RawModuleCore::home(Device device) const {
    const auto first =
        std::find_if(loaded_.begin(), loaded_.end(), [&](const auto& one) { return one.first.first == device; });
    return first->second.module;
}

void RawModuleCore::carry_variables(Device device, Backend& backend, void* stream, bool before) {
    if (!has_variants_) return;  // this launch won't add one: the module is loaded by now
    const std::lock_guard lock(mutex_);
    const std::shared_ptr<LoadedModule> running = load(device, backend).module, there = home(device);
    if (running == there) return;
    for (const std::string& name : there->symbols()) {
        const ModuleSymbol inside = running->symbol(name), outside = there->symbol(name);
        if (inside.data == nullptr || inside.bytes != outside.bytes) continue;
        const ModuleSymbol& from = before ? outside : inside;
        const ModuleSymbol& to = before ? inside : outside;
        backend.copy(device.index(), to.data, from.data, to.bytes, CopyKind::device_to_device, stream);
    }
}

namespace {

/// A module's kernel, which keeps the module alive.
class ModuleKernel final : public RawKernelCore {
public:
    ModuleKernel(std::shared_ptr<RawModuleCore> module, const std::string& name,
                 const std::vector<KernelParameter>* parameters)
        : RawKernelCore(module->source(), name, parameters), module_(std::move(module)) {
        if (parameters != nullptr) module_->expect({name, signature().text}, signature().structs);
    }

    [[nodiscard]] std::shared_ptr<LoadedKernel> load(Device device, Backend& backend,
                                                     const RawSignature& wanted) override {
        return module_->kernel(device, backend, name(), wanted);
    }
    [[nodiscard]] RawText text(const RawSignature& wanted) const override { return module_->text(name(), wanted); }
    void before_launch(Device device, Backend& backend, void* stream) override {
        module_->carry_variables(device, backend, stream, true);
    }
    void after_launch(Device device, Backend& backend, void* stream) override {
        module_->carry_variables(device, backend, stream, false);
    }

private:
    std::shared_ptr<RawModuleCore> module_;
};

}  // namespace

std::shared_ptr<RawKernelCore> kernel_of(const std::shared_ptr<RawModuleCore>& module, const std::string& name,
                                         const std::vector<KernelParameter>* parameters) {
    return std::make_shared<ModuleKernel>(module, name, parameters);
}

ArrayCore symbol_of(const std::shared_ptr<RawModuleCore>& module, const std::string& name, DType dtype) {
    return module->symbol(name, dtype);
}

}  // namespace gpu::detail

namespace gpu {

RawModule::RawModule(const Source& source, const RawModuleOptions& options)
    : core_(std::make_shared<detail::RawModuleCore>(source, options)) {}

RawModule RawModule::load(std::string_view path, const char* caller) {
    const std::filesystem::path wanted(path), beside = std::filesystem::path(caller).parent_path() / wanted;
    for (const auto& candidate : {beside, wanted}) {
        std::ifstream in(candidate, std::ios::binary);
        if (!in || std::filesystem::is_directory(candidate)) continue;
        std::vector<std::byte> code;
        for (std::istreambuf_iterator<char> at(in), end; at != end; ++at) code.push_back(static_cast<std::byte>(*at));
        if (code.empty()) throw FileError("the module " + candidate.string() + " is empty");
        return RawModule(std::make_shared<detail::RawModuleCore>(std::move(code), std::string(path)));
    }
    throw FileError("the module " + std::string(path) + " can't be read; looked for " +
                    detail::places_of(beside.string(), wanted.string()));
}

}  // namespace gpu
