// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "backend/backend.hpp"
#include "cuda/linear_algebra/matrix_texts.hpp"

namespace gpu::detail::cuda {

/// Compiles the kernels of matrix_texts.hpp when they are first needed on a device, and launches them. Thread-safe.
class MatrixKernels {
public:
    explicit MatrixKernels(Backend& backend) : backend_(backend) {}

    struct Place {
        int device = 0;
        void* stream = nullptr;
    };

    /// With a thread for each of `count` things. `key` identifies the text.
    template <class... A>
    void launch(const Place& place, const std::string& key, const std::function<RawText()>& text, std::int64_t count,
                const A&... arguments) {
        launch_blocks(place, key, text, (count + matrix_block - 1) / matrix_block, arguments...);
    }

    /// With so many blocks, or as many as a grid can have.
    template <class... A>
    void launch_blocks(const Place& place, const std::string& key, const std::function<RawText()>& text,
                       std::int64_t blocks, const A&... arguments) {
        void* const pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
        start(place, key, text, blocks, pointers, static_cast<int>(sizeof...(A)));
    }

private:
    void start(const Place& place, const std::string& key, const std::function<RawText()>& text, std::int64_t blocks,
               void* const* arguments, int count);

    Backend& backend_;
    std::mutex mutex_;
    std::map<std::pair<int, std::string>, std::shared_ptr<LoadedKernel>> loaded_;
};

}  // namespace gpu::detail::cuda
