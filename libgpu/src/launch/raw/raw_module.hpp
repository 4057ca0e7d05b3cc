// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gpu/raw_module.hpp>

#include "backend/backend.hpp"
#include "launch/raw/raw_kernel.hpp"

namespace gpu::detail {

/// The implementation of a module: its source, and what is loaded of it on each device.
class RawModuleCore : public std::enable_shared_from_this<RawModuleCore> {
public:
    RawModuleCore(const Source& source, const RawModuleOptions& options);
    /// For machine code; messages call it `file`.
    RawModuleCore(std::vector<std::byte> code, const std::string& file);
    ~RawModuleCore();
    RawModuleCore(const RawModuleCore&) = delete;
    RawModuleCore& operator=(const RawModuleCore&) = delete;

    [[nodiscard]] const SourceText& source() const noexcept { return source_; }
    [[nodiscard]] RawText text(const std::string& name, const RawSignature& signature) const;

    /// Registers a kernel: those known before the module is first needed are checked by the same compile.
    void expect(const RawEntry& entry, const std::vector<StructLayout>& structs);
    [[nodiscard]] std::shared_ptr<LoadedKernel> kernel(Device device, Backend& backend, const std::string& name,
                                                       const RawSignature& signature);
    /// The memory of a variable, which the host may write from now on; null if there is none of this name.
    [[nodiscard]] ModuleSymbol variable(const std::string& name);
    [[nodiscard]] ArrayCore symbol(const std::string& name, DType dtype);
    /// In check mode the module is loaded a second time: these variables are copied to it before a launch, and back
    /// after it.
    void carry_variables(Device device, Backend& backend, void* stream, bool before);

private:
    /// A kernel of the module, and the structures among its arguments.
    struct Expected {
        RawEntry entry;
        std::vector<StructLayout> structs;
    };
    struct Loaded {
        std::shared_ptr<LoadedModule> module;
        std::vector<RawEntry> entries;
        std::vector<std::string> lowered;  ///< the entries' names in the image
        std::map<std::string, std::shared_ptr<LoadedKernel>> kernels;
    };

    /// These, those named in the source and the options, and `more` kernels.
    [[nodiscard]] std::vector<Expected> entries(std::vector<Expected> entries,
                                                const std::vector<std::string>& more) const;
    [[nodiscard]] bool is_there(Device device, Backend& backend, const std::string& name) const;
    [[nodiscard]] Loaded compile(Device device, Backend& backend, const std::vector<Expected>& entries) const;
    [[nodiscard]] std::vector<Expected> compilable(Device device, Backend& backend,
                                                   const std::vector<Expected>& entries) const;
    /// Loaded for the backend's current mode.
    Loaded& load(Device device, Backend& backend);
    /// The one that was loaded first on the device: symbol() refers to its variables.
    [[nodiscard]] std::shared_ptr<LoadedModule> home(Device device) const;

    const SourceText source_;
    const RawModuleOptions options_;
    const std::vector<std::byte> code_;
    std::mutex mutex_;
    std::vector<Expected> expected_;
    std::vector<std::string> given_symbols_;  ///< that the host may write
    std::list<std::pair<std::pair<Device, std::string>, Loaded>> loaded_;  ///< by device and the backend's variant
    std::atomic<bool> has_variants_{false};  ///< a device has loaded the module more than once
};

}  // namespace gpu::detail
