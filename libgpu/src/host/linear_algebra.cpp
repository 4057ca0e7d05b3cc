// SPDX-License-Identifier: MIT
#include "host/linear_algebra.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <string>
#include <utility>

#include <gpu/error.hpp>

#include "backend/backend.hpp"
#include "host/fibers/thread_pool.hpp"

namespace gpu::detail::host {

namespace {

/// The items of a batch, one after another: `bytes(elements)` further each.
struct Item {
    std::int64_t number;
    std::size_t element, real;

    [[nodiscard]] void* at(void* data, std::int64_t elements) const { return moved(data, elements, element); }
    [[nodiscard]] const void* at(const void* data, std::int64_t elements) const {
        return moved(const_cast<void*>(data), elements, element);
    }
    [[nodiscard]] void* real_at(void* data, std::int64_t elements) const { return moved(data, elements, real); }

private:
    [[nodiscard]] void* moved(void* data, std::int64_t elements, std::size_t bytes) const {
        if (data == nullptr) return nullptr;
        return static_cast<std::byte*>(data) + number * elements * static_cast<std::int64_t>(bytes);
    }
};

template <class F>
class Call final : public Work {
public:
    explicit Call(F function) : function_(std::move(function)) {}
    void run() override { function_(); }

private:
    F function_;
};

template <class F>
std::unique_ptr<Work> work_of(F function) {
    return std::make_unique<Call<F>>(std::move(function));
}

LinalgMatrix matrix_of(const MatrixBatch& batch, std::int64_t item, std::size_t bytes) {
    std::byte* const data =
        static_cast<std::byte*>(batch.data) + item * batch.batch_stride * static_cast<std::int64_t>(bytes);
    return {data, batch.rows, batch.columns, batch.row_stride, batch.column_stride};
}

class HostLinearAlgebra final : public LinearAlgebra {
public:
    HostLinearAlgebra(const LinalgModule& module, Streams& streams, Submit submit, Open open)
        : module_(module), streams_(streams), submit_(std::move(submit)), open_(std::move(open)) {}

    void matmul(const MatrixProblem& problem, const MatrixBatch& left, const MatrixBatch& right,
                const MatrixBatch& result) override {
        const auto multiply = functions(problem).matmul;
        const std::size_t bytes = size_of(problem.dtype);
        submit_(problem.device, problem.stream, work_of([=, count = problem.batch] {
                    for (std::int64_t k = 0; k < count; ++k) {
                        multiply(matrix_of(left, k, bytes), matrix_of(right, k, bytes), matrix_of(result, k, bytes));
                    }
                }));
    }

    Info cholesky(const MatrixProblem& problem, std::int64_t n, void* a) override {
        return each(problem, [&](const LinalgFunctions& functions, const Item& item) {
            return functions.cholesky(n, item.at(a, n * n));
        });
    }
    Info lu(const MatrixProblem& problem, std::int64_t n, void* a, std::int32_t* pivots) override {
        return each(problem, [&](const LinalgFunctions& functions, const Item& item) {
            return functions.lu(n, item.at(a, n * n), pivots + item.number * n);
        });
    }
    void lu_solve(const MatrixProblem& problem, std::int64_t n, const void* lu, const std::int32_t* pivots,
                  std::int64_t columns, void* b) override {
        const auto solve = functions(problem).lu_solve;
        submit_(problem.device, problem.stream, work_of([=] {
                    for (Item item = first(problem); item.number < problem.batch; ++item.number) {
                        solve(n, item.at(lu, n * n), pivots + item.number * n, columns, item.at(b, n * columns));
                    }
                }));
    }
    Info qr(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a, std::int64_t q_columns,
            void* q) override {
        return each(problem, [&](const LinalgFunctions& functions, const Item& item) {
            return functions.qr(m, n, item.at(a, m * n), q_columns, item.at(q, m * q_columns));
        });
    }
    Info eigh(const MatrixProblem& problem, std::int64_t n, void* a, void* values, bool vectors) override {
        return each(problem, [&](const LinalgFunctions& functions, const Item& item) {
            return functions.eigh(n, item.at(a, n * n), item.real_at(values, n), vectors);
        });
    }
    Info svd(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a, SvdVectors vectors,
             SvdMethod method, void* u, void* s, void* vh) override {
        const std::int64_t u_columns = vectors == SvdVectors::full ? m : n;
        if (vectors == SvdVectors::none) u = vh = nullptr;
        return each(problem, [&](const LinalgFunctions& functions, const Item& item) {
            const auto decompose = method == SvdMethod::jacobi ? functions.svd_jacobi : functions.svd;
            return decompose(m, n, item.at(a, m * n), u_columns, item.at(u, m * u_columns), item.real_at(s, n),
                             item.at(vh, n * n));
        });
    }
    SvdPlan fastest_svd(const MatrixProblem&, std::int64_t m, std::int64_t n, SvdVectors vectors) const override {
        const SvdMethod method = n <= module_.jacobi_columns ? SvdMethod::jacobi : SvdMethod::qr;
        return {method, module_.tall_qr && m >= 4 * n && vectors != SvdVectors::full};
    }
    std::size_t block_memory(int) const override { return 0; }

private:
    [[nodiscard]] const LinalgFunctions& functions(const MatrixProblem& problem) const {
        const LinalgFunctions& found = module_.types[static_cast<std::size_t>(problem.dtype)];
        if (found.matmul == nullptr)
            throw DTypeError("linear algebra of " + std::string(name(problem.dtype)) +
                             " isn't in this libgpu_host_linalg.so: it was built with fewer GPU_LINALG_TYPES");
        return found;
    }
    static Item first(const MatrixProblem& problem) {
        return {0, size_of(problem.dtype), size_of(real_dtype(problem.dtype))};
    }
    // Runs in the calling thread, once everything queued before is done.
    template <class F>
    Info each(const MatrixProblem& problem, const F& function) {
        const Streams::Turn turn(streams_, problem.device, problem.stream);
        const std::shared_ptr<void> access = open_();
        Info info;
        for (Item item = first(problem); item.number < problem.batch; ++item.number) {
            info.push_back(function(functions(problem), item));
        }
        return info;
    }

    const LinalgModule& module_;
    Streams& streams_;
    Submit submit_;
    Open open_;
};

}  // namespace

std::unique_ptr<LinearAlgebra> make_linear_algebra(const LinalgModule& module, Streams& streams, Submit submit,
                                                   Open open) {
    return std::make_unique<HostLinearAlgebra>(module, streams, std::move(submit), std::move(open));
}

// Finds and opens libgpu_host_linalg.so.

std::vector<std::string> linalg_module_candidates() {
    const std::string file = "libgpu_host_linalg.so";
    std::vector<std::string> candidates;
    Dl_info info{};
    if (::dladdr(reinterpret_cast<const void*>(&linalg_module_candidates), &info) != 0 && info.dli_fname != nullptr) {
        const std::string own = info.dli_fname;
        const std::size_t slash = own.rfind('/');
        const std::string folder = slash == std::string::npos ? "." : own.substr(0, slash);
        candidates = {folder + "/" + file, folder + "/../lib/" + file};
    }
    candidates.push_back(file);
    return candidates;
}

namespace {

const LinalgModule& opened_module(const std::vector<std::string>& candidates) try {
    const LinalgModule* module = nullptr;
    open_library(
        candidates,
        "linear algebra on the host is in libgpu_host_linalg.so, which isn't usable: build it (make build, or "
        "the target gpu_host_linalg) so that it lies beside libgpu.so, or beside the program that libgpu is part of.",
        [&module](void* library) {
            const auto entry = reinterpret_cast<LinalgModuleEntry>(::dlsym(library, linalg_module_entry));
            if (entry == nullptr || entry()->version != linalg_module_version)
                throw LibraryNotFound("of another version of libgpu");
            module = entry();
        });
    return *module;
} catch (const LibraryNotFound& error) {
    const std::string text = error.what();
    if (text.find(": libopenblas") == std::string::npos) throw;
    throw LibraryNotFound(
        text +
        "\nIt needs OpenBLAS, with which it was built: install the package libopenblas0 again, or build "
        "it anew with -DGPU_LINALG=eigen.");
}

}  // namespace

const LinalgModule& open_linalg_module(const std::vector<std::string>& candidates) {
    const LinalgModule& module = opened_module(candidates);
    if (module.use_threads != nullptr) module.use_threads(worker_count());
    return module;
}

}  // namespace gpu::detail::host
