// SPDX-License-Identifier: MIT
// A thread scans a chunk of chunks, or leaves its total in `out`.

extern "C" __global__ void __launch_bounds__(256, min_blocks)
    scan_chunks(const X* x, const bool* starts, const A* before, A* out, bool* restarts, A init, long long lines,
                long long n, long long inner) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long span = chunk * chunk, spans = (n + span - 1) / span;
    if (t >= lines * spans * inner) return;
    const long long first = t / inner % spans * span;
    const long long begin = (t / inner / spans * n + first) * inner + t % inner;
    const X* from = x + begin;
    A* to = out + begin;
    int left = n - first < span ? (int)(n - first) : (int)span;
    Sum above = nothing(), chunks = nothing();
    if (result != total && first > 0) above = {before[t], true, false};
    for (const bool* start = segmented ? starts + first : nullptr; left > 0; left -= chunk) {
        A elements[chunk];
        unsigned marks = 0;
#pragma unroll
        for (int k = 0; k < chunk; ++k) {
            if (k >= left) continue;
            elements[k] = A(*from);
            from += inner;
            if (segmented && start[k]) marks |= 1u << k;
        }
        if (segmented) start += chunk;
        const Sum sum = scanned(elements, left, marks);
        if (result != total) {
            finish(elements, left, marks, joined(above, chunks), init);
#pragma unroll
            for (int k = 0; k < chunk; ++k) {
                if (k >= left) continue;
                *to = elements[k];
                to += inner;
            }
        }
        chunks = joined(chunks, sum);
    }
    if (result != total) return;
    out[t] = chunks.value;
    if (segmented && t % inner == 0) restarts[t / inner] = chunks.restarts;
}
