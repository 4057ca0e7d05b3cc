// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

#include "generator.hpp"
#include "graphs.hpp"
#include "reference.hpp"

namespace irregular {

/// Several variants with values of one type, compiled together.
template <class T>
class Batch {
public:
    using Signature = void(const int*, const int*, int, const T*, T*, int*, int*, int*);

    Batch(std::vector<Variant> variants, const std::string& type) : variants_(std::move(variants)) {
        const gpu::RawModule module(gpu::Source(source_of(variants_, type), "irregular " + type));
        for (const Variant& variant : variants_) kernels_.push_back(module.kernel<Signature>(variant.name()));
    }

    [[nodiscard]] const std::vector<Variant>& variants() const { return variants_; }

    /// What the k-th variant gives for a graph, in the form of reference().
    [[nodiscard]] std::vector<int> run(std::size_t k, const Graph& graph) const;

private:
    std::vector<Variant> variants_;
    std::vector<gpu::RawKernel<Signature>> kernels_;
};

/// A grid that has a thread, a warp or a block for each vertex, or fewer for a persistent kernel.
[[nodiscard]] inline gpu::LaunchConfig config_of(const Variant& variant, int n) {
    const int per_block = variant.worker == Worker::thread ? block_size
                          : variant.worker == Worker::warp ? block_size / 32
                                                           : 1;
    const int all = (n + per_block - 1) / per_block;
    return {.grid = variant.persistent ? std::max(all / 2, std::min(all, 2)) : all, .block = block_size};
}

template <class T>
std::vector<int> Batch<T>::run(std::size_t k, const Graph& graph) const {
    const Variant& variant = variants_[k];
    const std::vector<int> values = values_of(graph), want = reference(variant.pattern, graph);
    const bool starts_from_x = variant.pattern == Pattern::push || variant.mistake == Mistake::in_place ||
                               (variant.pattern == Pattern::pull && variant.mistake == Mistake::atomicity);
    const bool has_values = variant.pattern == Pattern::pull || variant.pattern == Pattern::push;
    const bool has_list = variant.pattern == Pattern::worklist || variant.pattern == Pattern::populate_once;
    const bool forgotten = variant.mistake == Mistake::uninitialised && variant.pattern != Pattern::shared_sum;

    const auto x = gpu::to_device(std::vector<T>(values.begin(), values.end()));
    auto y = gpu::empty<T>({has_values ? graph.n : 1});
    if (starts_from_x)
        y = x;
    else if (!has_values && !forgotten)
        y = gpu::zeros<T>({1});
    auto size = forgotten ? gpu::empty<int>({1}) : gpu::zeros<int>({1});
    auto list = gpu::empty<int>({has_list ? static_cast<std::int64_t>(want.size()) : 1});
    std::vector<int> first_marks(static_cast<std::size_t>(graph.n));
    if (variant.pattern == Pattern::path_compression) std::iota(first_marks.begin(), first_marks.end(), 0);
    auto marks = gpu::to_device(first_marks);

    kernels_[k](config_of(variant, graph.n), gpu::to_device(graph.rows), gpu::to_device(graph.neighbours), graph.n, x,
                y, size, list, marks);
    gpu::synchronize();
    if (variant.mistake != Mistake::none) return {};

    if (has_list) {
        std::vector<int> got = gpu::to_host(list);
        std::sort(got.begin(), got.end());
        return gpu::to_host(size)[0] == static_cast<int>(got.size()) ? got : std::vector<int>{};
    }
    if (variant.pattern == Pattern::path_compression) {
        std::vector<int> parents = gpu::to_host(marks);  // a parent is a smaller vertex
        for (int& parent : parents) parent = parents[static_cast<std::size_t>(parent)];
        return parents;
    }
    const std::vector<T> got = gpu::to_host(y);
    return {got.begin(), got.end()};
}

}  // namespace irregular
