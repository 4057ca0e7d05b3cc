// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gpucc/seam/seam.hpp"

namespace gpucc {

struct Kernel;

/// One kernel in a program file's table, which the driver writes as assembly: its members are in this order there.
struct KernelEntry {
    Kernel* stub;
    const void* function;   ///< by which cudaLaunchKernel() and its like know it
    const char* name;       ///< "ns::scale<float>"
    const char* signature;  ///< "(float*, int)" if several kernels have the name, else ""
};

/// A program file's table, likewise.
struct Unit {
    const KernelEntry* kernels;
    std::size_t kernel_count;
    const char* source;  ///< its device text
    const char* file;
    std::size_t line;
    const char* options;  ///< for the kernels' compiler, one a line
};

/// A kernel's name in its text, with its signature if it needs one.
struct NamedKernel {
    std::string name, signature;
};

/// A program file's device text as a module. What the driver compiles and what the program runs is made here, so that
/// the program finds in the cache what the driver has put there.
class UnitModule {
public:
    UnitModule(const std::string& source, const std::string& file, int line, const std::string& options,
               const std::vector<NamedKernel>& kernels);

    [[nodiscard]] gpu::detail::RawModuleCore& module() const { return *module_; }
    [[nodiscard]] const std::shared_ptr<gpu::detail::RawKernelCore>& kernel(std::size_t k) const { return kernels_[k]; }
    /// Compiles it now. @throws gpu::CompileError
    __attribute__((visibility("default"))) static void compile(const std::string& source, const std::string& file,
                                                               int line, const std::string& options,
                                                               const std::vector<NamedKernel>& kernels);

private:
    std::shared_ptr<gpu::detail::RawModuleCore> module_;
    std::vector<std::shared_ptr<gpu::detail::RawKernelCore>> kernels_;
};

}  // namespace gpucc
