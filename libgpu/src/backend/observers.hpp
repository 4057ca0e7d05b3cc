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

// How launches and copies reach the launch logs, which are above the seam.
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

/// One launch or copy that is about to be enqueued.
struct LoggedWork {
    LoggedKind kind;
    const std::string* name;               ///< of a kernel, or of a linear algebra function; null for copies
    LaunchShape shape = {};                ///< for a raw kernel
    std::int64_t size = 0;                 ///< elements of a generated kernel's index space
    std::size_t bytes = 0;                 ///< in array arguments, or moved by a copy; 0: unknown
    const std::string* problem = nullptr;  ///< for linear algebra: "float32, 3 x 4"
};

/// The interface of open logs to the code below.
class WorkObserver {
public:
    /// Returns the token for after() or cancel().
    virtual void* before(Backend& backend, int device, void* stream) noexcept = 0;
    virtual void cancel(void* token) noexcept = 0;
    virtual void after(void* token, Backend& backend, int device, void* stream, const LoggedWork& work) noexcept = 0;

protected:
    ~WorkObserver() = default;
};

/// Null while no log is open: a launch without logs costs only this check.
extern std::atomic<WorkObserver*> work_observer;

/// How many threads capture graphs: with none, work costs only this check.
extern std::atomic<int> open_captures;
[[nodiscard]] bool captures_here() noexcept;
void set_capturing(bool on) noexcept;

/// True while this thread captures a graph: its launches are recorded, not done.
[[nodiscard]] inline bool is_capturing() noexcept {
    return open_captures.load(std::memory_order_relaxed) != 0 && captures_here();
}

/// Calls `enqueue()` and reports it to open logs unless it throws. Work captured for a graph has no times.
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

// How calls of the host backend are recorded, so that another process can replay them.

/// Receives each piece of work, once it has been accepted, on the requesting thread. What is passed to `unrecorded`
/// can't be replayed elsewhere.
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

/// Null except in a process that records calls: all other work costs only this check.
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

// How the host backend's kernel texts reach a test that tries them with another compiler.

/// Receives every text that the host backend puts a skeleton around, on the requesting thread.
class TextObserver {
public:
    virtual void generated(const ElementwiseText& text, const KernelSource& source) noexcept = 0;
    virtual void generated(const ReductionText& text, const KernelSource& source) noexcept = 0;
    virtual void generated(const RawText& text, const KernelSource& source) noexcept = 0;
    /// The compiler rejected the source.
    virtual void refused(const KernelSource& source) noexcept = 0;

protected:
    ~TextObserver() = default;
};

/// Null except in such a test: an unobserved text costs only this check, and only when it is generated.
extern std::atomic<TextObserver*> text_observer;

/// Reports a text, and returns its source.
template <class Text>
KernelSource observed(const Text& text, KernelSource source) {
    if (TextObserver* const observer = text_observer.load(std::memory_order_acquire)) observer->generated(text, source);
    return source;
}

}  // namespace gpu::detail
