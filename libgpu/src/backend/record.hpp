// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.hpp"

// How what the host backend is asked for reaches a recording of it, so that another process can do the same again.
namespace gpu::detail {

/// Told of each piece of work, once it has been accepted, on the thread that asked. What is named by `unrecorded` can't
/// be done again elsewhere.
class CallObserver {
public:
    virtual void allocated(int device, const void* data, std::size_t bytes, bool is_shared) noexcept = 0;
    virtual void freed(const void* data) noexcept = 0;
    virtual void described(const void* data, DType elements, const Shape& shape) noexcept = 0;
    virtual void copied(int device, const void* to, const void* from, std::size_t bytes, CopyKind kind,
                        void* stream) noexcept = 0;
    virtual void filled(int device, const void* data, unsigned char byte, std::size_t bytes, void* stream) noexcept = 0;
    virtual void waited(int device, void* stream) noexcept = 0;

    virtual void loaded(const LoadedKernel& kernel, const KernelSource& source) noexcept = 0;
    virtual void loaded(const LoadedModule& module, const KernelSource& source) noexcept = 0;
    virtual void found(const LoadedModule& module, const std::string& entry, const std::string& name,
                       const LoadedKernel& kernel) noexcept = 0;
    virtual void found(const LoadedModule& module, const std::string& name, const ModuleSymbol& symbol) noexcept = 0;

    virtual void launched(int device, const LoadedKernel& kernel, const ElementwiseSpace& space,
                          const std::vector<Argument>& arguments, void* stream) noexcept = 0;
    virtual void launched(int device, const LoadedKernel& kernel, const ReductionSpace& space,
                          const std::vector<Argument>& arguments, void* stream) noexcept = 0;
    virtual void launched(int device, const LoadedKernel& kernel, const LaunchShape& shape,
                          std::span<const std::span<const std::byte>> arguments, void* stream) noexcept = 0;

    virtual void unrecorded(const char* what) noexcept = 0;

protected:
    ~CallObserver() = default;
};

/// Null but in a process that records calls: that is all that work looks at otherwise.
extern std::atomic<CallObserver*> call_observer;

/// Calls `tell(observer)` if there is one.
template <class F>
void observed_call(F&& tell) noexcept {
    if (CallObserver* const observer = call_observer.load(std::memory_order_acquire)) [[unlikely]]
        tell(*observer);
}

/// The same for what can't be recorded.
inline void not_recorded(const char* what) noexcept {
    observed_call([what](CallObserver& observer) { observer.unrecorded(what); });
}

}  // namespace gpu::detail
