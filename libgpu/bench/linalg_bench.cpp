// SPDX-License-Identifier: MIT
// usage: gpu_linalg_bench
//
// Does what the lines of standard input name, "svd 512 float32", one at a time, and answers each with the milliseconds
// that it took. beside_numpy.py asks it and NumPy in turns.
#include <chrono>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include <gpu/gpu.hpp>

namespace {

// Matrices are made once, and a first call, not counted, loads what there is to load.
template <class T>
std::function<void()> task_of(const std::string& name, std::int64_t n) {
    gpu::random::Generator rng(7);
    const gpu::Array<T> a = rng.normal<T>({n, n}), b = rng.normal<T>({n, n});
    if (name == "matmul") return [=] { (void)gpu::matmul(a, b); };
    if (name == "matvec") return [=] { (void)gpu::matmul(a, b(gpu::all, 0)); };
    if (name == "svd") return [=] { (void)gpu::linalg::svd(a); };
    if (name == "svdvals") return [=] { (void)gpu::linalg::svdvals(a); };
    if (name == "qr") return [=] { (void)gpu::linalg::qr(a); };
    if (name == "solve") return [=] { (void)gpu::linalg::solve(a, b(gpu::all, 0)); };
    const gpu::Array<T> symmetric = a + a.transpose();
    if (name == "eigh") return [=] { (void)gpu::linalg::eigh(symmetric); };
    const gpu::Array<T> definite = gpu::matmul(a, a.transpose()) + gpu::eye<T>(n) * static_cast<T>(n);
    if (name == "cholesky") return [=] { (void)gpu::linalg::cholesky(definite); };
    return {};
}

}  // namespace

int main() {
    std::map<std::string, std::function<void()>> tasks;
    std::string name, type;
    std::int64_t n = 0;
    while (std::cin >> name >> n >> type) {
        std::function<void()>& task = tasks[name + " " + std::to_string(n) + " " + type];
        const bool is_new = !task;
        if (is_new) task = type == "float64" ? task_of<double>(name, n) : task_of<float>(name, n);
        if (!task) {
            std::cerr << "gpu_linalg_bench: unknown: " << name << "\n";
            return 1;
        }
        if (is_new) task();
        gpu::synchronize();
        const auto start = std::chrono::steady_clock::now();
        task();
        gpu::synchronize();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        std::cout << took.count() << std::endl;
    }
}
