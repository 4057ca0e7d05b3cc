// SPDX-License-Identifier: MIT
// Shows index arrays: taking, putting and adding at positions, one of them named twice.
#include <iostream>

#include <gpu/gpu.hpp>

int main() {
    // [indices]
    const auto x = gpu::to_device({10.f, 20.f, 30.f, 40.f});
    const auto at = gpu::to_device({3, 0, 3});
    const gpu::Array<float> taken = x.take(at);  // gather: out[k] = x[at[k]]
    gpu::Array<float> put = gpu::zeros<float>({4}), added = gpu::zeros<float>({4});
    put.put(at, gpu::to_device({1.f, 2.f, 4.f}));       // scatter: out[at[k]] = value[k]
    added.add_at(at, gpu::to_device({1.f, 2.f, 4.f}));  // the same, but each value is added
    // [/indices]
    std::cout << "taken  " << taken << "\nput    " << put << "\nadded  " << added << "\n";
    std::cout << "order  " << gpu::argsort(taken) << ": sorted " << taken.take(gpu::argsort(taken)) << "\n";
    const bool both = added(3).item() == 5 && (put(3).item() == 1 || put(3).item() == 4);
    std::cout << "Answer: " << (both ? "twice" : "once") << "\n";
}
