// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "codegen/kernel_text.hpp"

// How the texts that the host backend is asked for reach a test that tries what another compiler says of them.
namespace gpu::detail {

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
