// SPDX-License-Identifier: MIT
#include "gpucc/runtime/unit.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include <gpu/device.hpp>

namespace gpucc {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

// "(float*, int)" as the types of its parameters; the compiler compares them.
std::vector<gpu::detail::KernelParameter> parameters_of(std::string_view signature) {
    std::vector<gpu::detail::KernelParameter> parameters;
    if (signature.size() < 2) return parameters;
    signature = signature.substr(1, signature.size() - 2);
    int depth = 0;
    std::string type;
    const auto end = [&] {
        const std::size_t begin = type.find_first_not_of(' ');
        if (begin != std::string::npos) parameters.push_back({.type = type.substr(begin)});
        type.clear();
    };
    for (const char letter : signature) {
        depth += letter == '(' || letter == '<' ? 1 : letter == ')' || letter == '>' ? -1 : 0;
        if (letter == ',' && depth == 0)
            end();
        else
            type += letter;
    }
    end();
    return parameters;
}

}  // namespace

UnitModule::UnitModule(const std::string& source, const std::string& file, int line, const std::string& options,
                       const std::vector<NamedKernel>& kernels) {
    gpu::RawModuleOptions module_options{.names = {}, .options = lines_of(options)};
    for (const NamedKernel& kernel : kernels)
        if (kernel.signature.empty() && kernel.name.find('<') != std::string::npos)
            module_options.names.push_back(kernel.name);
    std::sort(module_options.names.begin(), module_options.names.end());
    module_ = gpu::detail::program::module_of(gpu::Source(source, file, line), module_options);
    for (const NamedKernel& kernel : kernels) {
        const auto parameters = parameters_of(kernel.signature);
        kernels_.push_back(
            gpu::detail::kernel_of(module_, kernel.name, kernel.signature.empty() ? nullptr : &parameters));
    }
}

void UnitModule::compile(const std::string& source, const std::string& file, int line, const std::string& options,
                         const std::vector<NamedKernel>& kernels) {
    const gpu::DeviceGuard guard(gpu::Device::host());
    const UnitModule unit(source, file, line, options, kernels);
    (void)gpu::detail::program::variable_of(unit.module(), "");
}

}  // namespace gpucc
