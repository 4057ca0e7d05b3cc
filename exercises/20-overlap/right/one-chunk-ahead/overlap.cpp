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
    in(first, [&] { square(x, gpu::out(squares)); });
    in(second, [&] { magnitude(x, gpu::out(magnitudes)); });
    gpu::Event magnitudes_done, sum_done;
    magnitudes_done.record(second);
    first.wait(magnitudes_done);  // what comes into `first` from here on comes after the magnitudes
    in(first, [&] { add(squares, magnitudes, gpu::out(sum)); });
    sum_done.record(first);
    second.wait(sum_done);  // the sum has read the magnitudes: now they may change
    in(second, [&] { twice(magnitudes, gpu::out(magnitudes)); });
    // ---- end ----
    return {std::move(sum), std::move(magnitudes)};
}

gpu::Pinned<float> pipeline(const std::vector<float>& x, int chunks) {
    gpu::Array<float> device = gpu::empty<float>(x.size());
    auto y = gpu::Pinned<float>::uninitialized(x.size());
    // ---- your code (about 8 lines) ----
    // Software pipelining: the next chunk is on its way up before this one is computed; the host waits for each event.
    const gpu::Pinned<float> up(x);
    const gpu::Stream streams[2];
    std::vector<gpu::Event> arrived(static_cast<std::size_t>(chunks));
    const auto part = [&](int k) {
        const auto [begin, size] = chunk_of(x.size(), chunks, k);
        return device(gpu::slice(begin, begin + size));
    };
    const auto send = [&](int k) {
        const auto [begin, size] = chunk_of(x.size(), chunks, k);
        in(streams[k % 2], [&, begin = begin, size = size] {
            part(k).copy_from_async(std::span(up).subspan(begin, size));
        });
    };
    send(0);
    for (int k = 0; k < chunks; ++k) {
        if (k + 1 < chunks) send(k + 1);
        const auto [begin, size] = chunk_of(x.size(), chunks, k);
        in(streams[k % 2], [&, k, begin = begin, size = size] {
            auto here = part(k);
            root(here, gpu::out(here));
            arrived[static_cast<std::size_t>(k)] = here.copy_to_async(std::span(y).subspan(begin, size));
        });
    }
    for (const gpu::Event& event : arrived) event.synchronize();
    // ---- end ----
    return y;
}
