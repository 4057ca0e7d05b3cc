// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.hpp"
#include "host/base/abi.hpp"

namespace gpu::detail::host {

/// A shared object's bytes followed by a mark that distinguishes a complete image from a truncated or foreign one.
std::vector<std::byte> sealed_image(std::string_view shared_object);

class CheckedModule;

/// The functions that kernels call: written into each object when it is loaded. They live as long as the process.
struct CallTables {
    const gpu_host_calls* host;
    const gpu_check_calls* checks;
};

/// The range of a kernel's instructions.
struct CodeRange {
    std::uintptr_t begin = 0, end = 0;
};

/// A compiled kernel in this process.
class KernelModule : public LoadedKernel, public std::enable_shared_from_this<KernelModule> {
public:
    /// @throws Error if the image is damaged or from another version of libgpu.
    /// `learners` is the text it was compiled from, for check mode.
    KernelModule(const Image& image, const CallTables& tables, const std::string& name,
                 const SourceText& learners = {});
    /// One of the kernels of a loaded shared object. @throws Error if it has no such entry.
    KernelModule(std::string_view object, std::shared_ptr<void> library, const CallTables& tables,
                 const std::string& entry, const std::string& name, const SourceText& learners);

    [[nodiscard]] const gpu_module& module() const noexcept { return *module_; }
    [[nodiscard]] const std::string& name() const noexcept override { return name_; }
    /// Bytes of its own `__shared__` arrays, without the dynamic one.
    [[nodiscard]] std::size_t static_shared() const noexcept { return static_shared_; }
    [[nodiscard]] CodeRange text() const noexcept { return text_; }
    /// True for a generated kernel that no learner has written a part of.
    [[nodiscard]] bool is_libgpus() const noexcept { return is_libgpus_; }
    /// Check mode's information; null if it was compiled for another mode.
    [[nodiscard]] CheckedModule* checked() const noexcept { return checked_.get(); }
    [[nodiscard]] const std::shared_ptr<CheckedModule>& shared_checked() const noexcept { return checked_; }
    /// "x" for the first parameter of add(const float* x, ...), or "argument 1" if it has no name.
    [[nodiscard]] std::string parameter_name(int index) const;

private:
    void describe(std::string_view object, const CallTables& tables, const std::string& entry,
                  const SourceText& learners);

    std::shared_ptr<void> library_;
    const gpu_module* module_ = nullptr;
    std::string name_;
    std::vector<std::string> parameter_names_;
    std::size_t static_shared_ = 0;
    CodeRange text_;
    bool is_libgpus_ = false;
    std::shared_ptr<CheckedModule> checked_;
};

/// A shared object whose kernels share its variables.
class HostModule final : public LoadedModule {
public:
    HostModule(const Image& image, const CallTables& tables, const std::string& name, SourceText learners);

    [[nodiscard]] std::shared_ptr<LoadedKernel> kernel(const std::string& entry, const std::string& name) override;
    [[nodiscard]] ModuleSymbol symbol(const std::string& name) override;
    [[nodiscard]] std::vector<std::string> symbols() const override;
    void written_by_host(const std::string& name) override;

private:
    const CallTables tables_;
    std::vector<std::byte> image_;
    std::string_view object_;
    std::shared_ptr<void> library_;
    SourceText learners_;
    std::vector<std::string> written_;
    std::vector<std::shared_ptr<CheckedModule>> checked_;  ///< of the kernels so far
};

/// A writable variable of a shared object, outside functions: its full name, address and size.
struct ObjectVariable {
    std::string name;  ///< "filter::coef"; without unnamed namespaces
    std::uint64_t offset = 0;
    std::size_t bytes = 0;
};
std::vector<ObjectVariable> object_variables(std::string_view shared_object);

/// The size of the `__shared__` arrays that belong to this kernel or to functions that any kernel may call: the
/// thread-local variables of a shared object except our own and those of the kernels in `others`.
std::size_t shared_variables(std::string_view shared_object, const std::vector<std::string>& others);

}  // namespace gpu::detail::host
