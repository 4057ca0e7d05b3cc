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
    // One event, recorded twice: a wait means what was recorded when it was called.
    gpu::Event event;
    in(first, [&] { square(x, gpu::out(squares)); });
    in(second, [&] { magnitude(x, gpu::out(magnitudes)); });
    event.record(second);
    first.wait(event);
    in(first, [&] { add(squares, magnitudes, gpu::out(sum)); });
    event.record(first);
    second.wait(event);
    in(second, [&] { twice(magnitudes, gpu::out(magnitudes)); });
    // ---- end ----
    return {std::move(sum), std::move(magnitudes)};
}

gpu::Pinned<float> pipeline(const std::vector<float>& x, int chunks) {
    gpu::Array<float> device = gpu::empty<float>(x.size());
    auto y = gpu::Pinned<float>::uninitialized(x.size());
    // ---- your code (about 8 lines) ----
    // The host fills a piece of page-locked memory while the device is busy with the pieces before.
    auto up = gpu::Pinned<float>::uninitialized(x.size());
    const gpu::Stream even, odd;
    for (int k = 0; k < chunks; ++k) {
        const auto [begin, size] = chunk_of(x.size(), chunks, k);
        const std::span<float> piece = std::span(up).subspan(begin, size);
        std::ranges::copy(std::span(x).subspan(begin, size), piece.begin());
        const gpu::StreamGuard guard(k % 2 == 0 ? even : odd);
        auto part = device(gpu::slice(begin, begin + size));
        part.copy_from_async(piece);
        root(part, gpu::out(part));
        part.copy_to_async(std::span(y).subspan(begin, size));
    }
    even.synchronize();
    odd.synchronize();
    // ---- end ----
    return y;
}
