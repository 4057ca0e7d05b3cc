// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "codegen/kernel_text.hpp"

// How launches and copies reach the launch logs, which live above the seam.
namespace gpu::detail {

enum class LoggedKind : std::uint8_t {
    elementwise,
    reduction,
    raw,
    copy_to_device,
    copy_to_host,
    copy_on_device,
    linear_algebra,
};

/// One launch or copy, as it is about to be enqueued.
struct LoggedWork {
    LoggedKind kind;
    const std::string* name;               ///< a kernel's, a function's of linear algebra; null for copies
    LaunchShape shape = {};                ///< of a raw kernel
    std::int64_t size = 0;                 ///< elements of a generated kernel's index space
    std::size_t bytes = 0;                 ///< that array arguments hold, or a copy moves; 0: unknown
    const std::string* problem = nullptr;  ///< of linear algebra: "float32, 3 x 4"
};

/// What open logs are, seen from below.
class WorkObserver {
public:
    /// Returns what after() or cancel() gets.
    virtual void* before(Backend& backend, int device, void* stream) noexcept = 0;
    virtual void cancel(void* token) noexcept = 0;
    virtual void after(void* token, Backend& backend, int device, void* stream, const LoggedWork& work) noexcept = 0;

protected:
    ~WorkObserver() = default;
};

/// Null while no log is open: that is all an unlogged launch looks at.
extern std::atomic<WorkObserver*> work_observer;

/// How many threads capture graphs: all that work looks at while none does.
extern std::atomic<int> open_captures;
[[nodiscard]] bool captures_here() noexcept;
void set_capturing(bool on) noexcept;

/// True while this thread captures a graph: its launches are noted, and not done.
[[nodiscard]] inline bool is_capturing() noexcept {
    return open_captures.load(std::memory_order_relaxed) != 0 && captures_here();
}

/// Calls `enqueue()`, and tells open logs of it unless it throws. What is only noted for a graph has no times.
template <class F>
void logged(Backend& backend, int device, void* stream, const LoggedWork& work, F&& enqueue) {
    WorkObserver* const observer = work_observer.load(std::memory_order_acquire);
    if (observer == nullptr || is_capturing()) [[likely]] {
        enqueue();
        return;
    }
    void* const token = observer->before(backend, device, stream);
    try {
        enqueue();
    } catch (...) {
        observer->cancel(token);
        throw;
    }
    observer->after(token, backend, device, stream, work);
}

// How what the host backend is asked for reaches a recording of it, so that another process can do the same again.

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

// How the texts that the host backend is asked for reach a test that tries what another compiler says of them.

/// Told of every text that the host backend puts a skeleton around, on the thread that asked.
class TextObserver {
public:
    virtual void generated(const ElementwiseText& text, const KernelSource& source) noexcept = 0;
    virtual void generated(const ReductionText& text, const KernelSource& source) noexcept = 0;
    virtual void generated(const RawText& text, const KernelSource& source) noexcept = 0;
    /// The compiler took none of it.
    virtual void refused(const KernelSource& source) noexcept = 0;

protected:
    ~TextObserver() = default;
};

/// Null but in such a test: that is all that a text which isn't observed costs, and only where it is made.
extern std::atomic<TextObserver*> text_observer;

/// Tells of a text, and gives its source back.
template <class Text>
KernelSource observed(const Text& text, KernelSource source) {
    if (TextObserver* const observer = text_observer.load(std::memory_order_acquire)) observer->generated(text, source);
    return source;
}

}  // namespace gpu::detail
