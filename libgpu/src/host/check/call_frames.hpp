// SPDX-License-Identifier: MIT
#pragma once

#include <execinfo.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace gpu::detail::host {

/// Where host code is: an instruction, and the calls that led there. Plain memory, which a signal handler may fill.
class CallFrames {
public:
    /// Loads what backtrace() needs: a signal handler mustn't.
    static void prepare() {
        void* frame = nullptr;
        (void)::backtrace(&frame, 1);
    }

    /// Here. @param instruction of a signal handler: the one that faulted; the frames before it are the handler's.
    void capture(std::uintptr_t instruction = 0) noexcept {
        void* frames[max_frames + 8];
        const int count = ::backtrace(frames, static_cast<int>(std::size(frames)));
        void** const end = frames + count;
        void** frame = frames;
        std::size_t used = 0;
        if (instruction != 0) {
            frames_[used++] = instruction;
            frame = std::find(frames, end, reinterpret_cast<void*>(instruction));
            if (frame < end) ++frame;
        }
        for (; used < max_frames; ++used)
            frames_[used] = frame < end ? reinterpret_cast<std::uintptr_t>(*frame++) - 1 : 0;  // within the call itself
    }

    /// Innermost first.
    [[nodiscard]] std::vector<std::uintptr_t> stack() const {
        return {std::begin(frames_), std::find(std::begin(frames_), std::end(frames_), 0U)};
    }

private:
    static constexpr std::size_t max_frames = 32;
    std::uintptr_t frames_[max_frames] = {};  // 0: no more
};

}  // namespace gpu::detail::host
