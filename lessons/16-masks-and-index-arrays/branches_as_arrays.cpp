// SPDX-License-Identifier: MIT
// Shows masks: what where() and z[mask] do, what they launch, and when the host has to wait.
#include <cstdio>
#include <iostream>

#include <gpu/gpu.hpp>

template <class F>
static int waits(const char* name, const F& f) {
    const gpu::Counts before = gpu::counts();
    f();
    const gpu::Counts work = gpu::counts() - before;
    std::printf("%-28s launches %d, waits %d\n", name, int(work.launches), int(work.synchronizations));
    return int(work.synchronizations);
}

int main() {
    const auto x = gpu::to_device({4.f, -1.f, 9.f, -4.f, 0.25f, 0.f});
    // [masks]
    const gpu::Array<bool> negative = x < 0;
    gpu::Array<float> z = gpu::where(negative, 0, gpu::sqrt(x));  // for each element one of two values
    z[negative] = -1;                                             // where the mask is true; the others stay
    z[(x >= 0) & (x < 1)] += 10;                                  // &, | and ! join masks
    const gpu::Array<float> kept = x[negative];                   // the elements themselves, side by side
    // [/masks]
    std::cout << "z     " << z << "\nkept  " << kept << "\n";
    std::cout << "true  " << gpu::count_nonzero(negative) << " of " << x.size() << "\n";

    waits("z = where(mask, 0, sqrt(x))", [&] { z = gpu::where(negative, 0, gpu::sqrt(x)); });
    waits("z[mask] = 2 * z[mask]", [&] { z[negative] = 2 * z[negative]; });
    const int answer = waits("kept = x[mask]", [&] { const gpu::Array<float> again = x[negative]; });
    std::printf("Answer: %s\n", answer > 0 ? "kept = x[mask]" : "none");
}
