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
    // All but the magnitudes goes into one stream, which waits once: the doubling comes after the sum by itself.
    in(second, [&] { magnitude(x, gpu::out(magnitudes)); });
    gpu::Event magnitudes_done;
    magnitudes_done.record(second);
    const gpu::StreamGuard guard(first);
    square(x, gpu::out(squares));
    first.wait(magnitudes_done);
    add(squares, magnitudes, gpu::out(sum));
    twice(magnitudes, gpu::out(magnitudes));
    // ---- end ----
    return {std::move(sum), std::move(magnitudes)};
}

gpu::Pinned<float> pipeline(const std::vector<float>& x, int chunks) {
    gpu::Array<float> device = gpu::empty<float>(x.size());
    auto y = gpu::Pinned<float>::uninitialized(x.size());
    // ---- your code (about 8 lines) ----
    // A ring of three device buffers between three streams: a buffer is filled again when its copy down is done.
    const gpu::Pinned<float> up(x);
    const gpu::Stream sending, working, fetching;
    const std::size_t most = x.size() / static_cast<std::size_t>(chunks) + 1;
    struct Buffer {
        gpu::Array<float> elements;
        gpu::Event filled, computed, fetched;
    };
    std::vector<Buffer> ring;
    for (int b = 0; b < 3; ++b) ring.push_back({.elements = gpu::empty<float>(most)});
    for (int k = 0; k < chunks; ++k) {
        Buffer& buffer = ring[static_cast<std::size_t>(k) % ring.size()];
        const auto [begin, size] = chunk_of(x.size(), chunks, k);
        auto part = buffer.elements(gpu::slice(0, size));
        sending.wait(buffer.fetched);  // never recorded in the first round: then nothing is waited for
        in(sending, [&, begin = begin, size = size] {
            buffer.filled = part.copy_from_async(std::span(up).subspan(begin, size));
        });
        working.wait(buffer.filled);
        in(working, [&] { root(part, gpu::out(part)); });
        buffer.computed.record(working);
        fetching.wait(buffer.computed);
        in(fetching, [&, begin = begin, size = size] {
            buffer.fetched = part.copy_to_async(std::span(y).subspan(begin, size));
        });
    }
    fetching.synchronize();  // the last copy down is the last of all
    // ---- end ----
    return y;
}
