// SPDX-License-Identifier: MIT
// usage: gpu_numpy_bench
//
// Does what the lines of standard input name, "svd 512 float32", one at a time, and answers each with the milliseconds
// that it took: the mean of many calls where a call is short; with GPU_BENCH_CPU_TIME=1 those of processor time.
// beside_numpy.py asks it and NumPy in turns.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Task = std::function<void()>;

// Matrices are made once, and a first call, not counted, loads what there is to load.
template <class T>
Task matrix_task(const std::string& name, std::int64_t n) {
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

template <class T>
Task vector_task(const std::string& name, std::int64_t n) {
    gpu::random::Generator rng(7);
    const gpu::Array<T> x = rng.uniform<T>({n}), y = rng.uniform<T>({n});
    if (name == "add") return [=] { gpu::Array<T> z = x + y; };
    if (name == "add_into") return [=, z = gpu::zeros<T>({n})]() mutable { z = x + y; };
    if (name == "distance") return [=] { gpu::Array<T> z = gpu::sqrt(x * x + y * y); };
    if (name == "exp") return [=] { gpu::Array<T> z = gpu::exp(x); };
    if (name == "sum") return [=] { (void)gpu::sum(x).item(); };
    if (name == "argmax") return [=] { (void)gpu::argmax(x).item(); };
    if (name == "histogram") return [=] { (void)gpu::histogram(x, {.bins = 100}); };
    if (name == "histogram_in_range") return [=] { (void)gpu::histogram(x, {.bins = 100, .range = {0, 1}}); };
    if (name == "sort") return [=] { (void)gpu::sort(x); };
    if (name == "argsort") return [=] { (void)gpu::argsort(x); };
    if (name == "unique") return [=] { (void)gpu::unique(x); };
    if (name == "cumsum") return [=] { (void)gpu::cumsum(x); };
    if (name == "median") return [=] { (void)gpu::median(x); };
    if (name == "nonzero") return [=] { (void)gpu::nonzero(x > 0.5); };
    if (name == "mask") return [=] { const gpu::Array<T> kept = x[x > 0.5]; };
    if (name == "searchsorted") return [=, ordered = gpu::sort(x)] { (void)gpu::searchsorted(ordered, y); };
    if (name == "to_host") return [=] { (void)gpu::to_host(x); };
    std::vector<T> host(static_cast<std::size_t>(n));
    if (name == "copy_to") return [=]() mutable { x.copy_to(host); };
    return {};
}

template <class T>
Task counting_task(const std::string& name, std::int64_t n) {
    gpu::random::Generator rng(7);
    const gpu::Array<T> x = rng.integers<T>({n}, 0, 256), wide = rng.integers<T>({n}, 0, 1 << 16);
    const gpu::Array<T> ones = gpu::ones<T>({n});
    if (name == "bincount_256") return [=] { (void)gpu::bincount(x); };
    if (name == "bincount_65536") return [=] { (void)gpu::bincount(wide); };
    if (name == "bincount_ones") return [=] { (void)gpu::bincount(ones); };
    return {};
}

Task task_of(const std::string& name, std::int64_t n, const std::string& type) {
    if (type == "int32") return counting_task<std::int32_t>(name, n);
    if (type == "int64") return counting_task<std::int64_t>(name, n);
    if (n > 4096 || type == "float32")
        if (Task task = type == "float64" ? vector_task<double>(name, n) : vector_task<float>(name, n)) return task;
    return type == "float64" ? matrix_task<double>(name, n) : matrix_task<float>(name, n);
}

double milliseconds_now() {
    static const bool of_processor = std::getenv("GPU_BENCH_CPU_TIME") != nullptr;
    if (of_processor) return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

int main() {
    std::map<std::string, Task> tasks;
    std::string name, type;
    std::int64_t n = 0;
    while (std::cin >> name >> n >> type) {
        Task& task = tasks[name + " " + std::to_string(n) + " " + type];
        const bool is_new = !task;
        if (is_new) task = task_of(name, n, type);
        if (!task) {
            std::cerr << "gpu_numpy_bench: unknown: " << name << "\n";
            return 1;
        }
        if (is_new) task();
        gpu::synchronize();
        const int calls = n <= 100 ? 1000 : 1;
        const double start = milliseconds_now();
        for (int k = 0; k < calls; ++k) task();
        gpu::synchronize();
        std::cout << (milliseconds_now() - start) / calls << std::endl;
    }
}
