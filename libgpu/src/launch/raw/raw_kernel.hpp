// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <gpu/raw_kernel.hpp>

#include "backend/backend.hpp"

namespace gpu::detail {

/// What the compiler must compare with the source: once for a typed kernel, for each kind of call of a loose one.
struct RawSignature {
    std::string text;  ///< "(const float*, int)"; empty: nothing
    std::vector<StructLayout> structs;
    std::string key;  ///< identifies the signature
};

/// The implementation of a raw kernel: with its own source, or in a module.
class RawKernelCore {
public:
    RawKernelCore(SourceText source, const std::string& name, const std::vector<KernelParameter>* parameters);
    virtual ~RawKernelCore();
    RawKernelCore(const RawKernelCore&) = delete;
    RawKernelCore& operator=(const RawKernelCore&) = delete;

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const SourceText& source() const noexcept { return source_; }
    [[nodiscard]] const RawSignature& signature() const noexcept { return signature_; }

    /// Compiled and loaded for the device, with this kernel's signature or one of resolve()'s. It is kept as long as
    /// the kernel: later calls cost a few comparisons and no lock. Thread-safe. @throws CompileError, LibraryNotFound
    [[nodiscard]] LoadedKernel& loaded(Device device, Backend& backend, const RawSignature& signature);
    /// The text before a backend puts its prelude around it.
    [[nodiscard]] virtual RawText text(const RawSignature& signature) const = 0;
    /// Called around a launch: a module's variables have one value in all modes of a backend.
    virtual void before_launch(Device, Backend&, void* /*stream*/) {}
    virtual void after_launch(Device, Backend&, void* /*stream*/) {}

    /// The kernel's parameters as such arguments of the loose form determine them. @throws Error, DTypeError
    struct Resolved {
        RawSignature signature;
        std::vector<bool> is_const;                   ///< of what each parameter points to
        std::vector<std::optional<DType>> converted;  ///< the type that a whole number gets, if it has another one
    };
    [[nodiscard]] std::shared_ptr<const Resolved> resolve(const LooseArgument* arguments, std::size_t count);

protected:
    [[nodiscard]] virtual std::shared_ptr<LoadedKernel> load(Device device, Backend& backend,
                                                             const RawSignature& signature) = 0;

private:
    /// Everything that was loaded, as a list that only grows: readers need no lock.
    struct Handle {
        Device device;
        std::string variant;  ///< of the backend
        const RawSignature* signature;
        std::shared_ptr<LoadedKernel> kernel;
        const Handle* next;
    };

    SourceText source_;
    std::string name_;
    RawSignature signature_;
    std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<const Resolved>> resolved_;
    std::atomic<const Handle*> handles_{nullptr};
};

/// The signature of C++ parameters; 64-bit integers are spelled as in the source (long, size_t, ...).
[[nodiscard]] RawSignature make_signature(const std::string& source, const std::string& name,
                                          const std::vector<KernelParameter>& parameters);

/// Checks grid and block, and launches in the configuration's stream on the current device.
void launch_core(RawKernelCore& kernel, const RawSignature& signature, const LaunchConfig& config,
                 void* const* arguments, int count);

}  // namespace gpu::detail
