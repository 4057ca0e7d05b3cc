// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "gpucc/split/declarations.hpp"
#include "gpucc/split/preprocessed_text.hpp"

namespace gpucc {

/// A variable in device memory, by its name with its namespaces.
struct DeviceVariable {
    std::string name;
    bool is_constant = false, is_managed = false;
};

/// The device's half of a program file, as libgpu's host backend compiles it.
struct DeviceText {
    std::string text;  ///< with #line directives; empty if there are no kernels
    std::string file;  ///< for messages: the file of the first kernel
    int line = 1;
    std::vector<std::string> plain_kernels;         ///< those that aren't templates, with their namespaces
    std::vector<std::string> overloaded_kernels;    ///< of which several have the name
    std::vector<std::string> overloaded_templates;  ///< likewise
    std::vector<DeviceVariable> variables;
    std::vector<std::string> host_functions;  ///< of the program, which kernels can't call
    std::string warnings;                     ///< as a compiler's messages
    bool has_templates = false;  ///< a kernel is a template: the host's half, once compiled, says which instances
};

/// Parts the device's half from a file that was preprocessed with `__CUDA_ARCH__`: kernels, and what they name,
/// directly or not, of the program's own declarations. Members of classes that aren't the device's go. `instances` are
/// those of its templates, "apply<Times>": what they name is needed as well.
[[nodiscard]] DeviceText device_text(const PreprocessedText& source, const std::vector<Token>& tokens,
                                     const std::vector<Item>& items, const std::vector<std::string>& instances = {});

}  // namespace gpucc
