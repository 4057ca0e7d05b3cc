// SPDX-License-Identifier: MIT

// Exercise 20: work that runs at the same time, and work that must not. exercise.hpp says what each function does.

#include "exercise.hpp"

// Does the work in a stream: it is queued there, and the host goes on.
template <class F>
static void in(const gpu::Stream& stream, F work) {
    const gpu::StreamGuard guard(stream);
    work();
}

std::pair<gpu::Array<float>, gpu::Array<float>> ordered(const gpu::Array<float>& x) {
    const gpu::Stream first, second;
    gpu::Array<float> squares = gpu::empty<float>(x.shape()), magnitudes = gpu::empty<float>(x.shape()),
                      sum = gpu::empty<float>(x.shape());
    // ---- your code (about 6 lines) ----
    // The sum shares the stream of the magnitudes, so that one event is enough: the doubling comes after it anyhow.
    gpu::Event squares_done;
    in(first, [&] {
        square(x, gpu::out(squares));
        squares_done.record();
    });
    in(second, [&] {
        magnitude(x, gpu::out(magnitudes));
        second.wait(squares_done);
        add(squares, magnitudes, gpu::out(sum));
        twice(magnitudes, gpu::out(magnitudes));
    });
    // ---- end ----
    return {std::move(sum), std::move(magnitudes)};
}

gpu::Pinned<float> pipeline(const std::vector<float>& x, int chunks) {
    gpu::Array<float> device = gpu::empty<float>(x.size());
    auto y = gpu::Pinned<float>::uninitialized(x.size());
    // ---- your code (about 8 lines) ----
    // Breadth first: all copies up are issued, then all kernels, then all copies down; each chunk has its stream.
    const gpu::Pinned<float> up(x);
    const std::vector<gpu::Stream> streams(static_cast<std::size_t>(chunks));
    const auto for_each_chunk = [&](auto work) {
        for (int k = 0; k < chunks; ++k) {
            const auto [begin, size] = chunk_of(x.size(), chunks, k);
            auto part = device(gpu::slice(begin, begin + size));
            in(streams[static_cast<std::size_t>(k)], [&, begin = begin, size = size] { work(part, begin, size); });
        }
    };
    for_each_chunk([&](auto part, auto from, auto size) { part.copy_from_async(std::span(up).subspan(from, size)); });
    for_each_chunk([&](auto part, auto, auto) { root(part, gpu::out(part)); });
    for_each_chunk([&](auto part, auto from, auto size) { part.copy_to_async(std::span(y).subspan(from, size)); });
    gpu::synchronize();
    // ---- end ----
    return y;
}
