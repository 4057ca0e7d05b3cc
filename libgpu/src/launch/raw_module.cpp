// SPDX-License-Identifier: MIT
#include <gpu/raw_module.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <gpu/error.hpp>

#include "launch/raw_core.hpp"
#include "launch/raw_module_core.hpp"
#include "launch/source_snippet.hpp"

namespace gpu {

namespace detail {

namespace {

/// A module's kernel: it keeps the module.
class ModuleKernel final : public RawKernelCore {
public:
    ModuleKernel(std::shared_ptr<RawModuleCore> module, const std::string& name,
                 const std::vector<KernelParameter>* parameters)
        : RawKernelCore(module->source(), name, parameters), module_(std::move(module)) {
        if (parameters != nullptr) module_->expect({name, signature().text}, signature().structs);
    }

    [[nodiscard]] std::shared_ptr<LoadedKernel> loaded(Device device, Backend& backend,
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

}  // namespace detail

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
