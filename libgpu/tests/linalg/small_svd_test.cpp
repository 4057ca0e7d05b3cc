// SPDX-License-Identifier: MIT
// libgpu's own kernel for singular values of small matrices, on any device.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "codegen/node.hpp"
#include "linalg/host_matrix.hpp"
#include "linalg/matrix_stack.hpp"
#include "linalg/svd.hpp"
#include "runtime/storage.hpp"

namespace {

using gpu::detail::MatrixStack;

template <class T>
struct Decomposed {
    std::vector<HostMatrix> u, vh;
    std::vector<double> s;
    gpu::detail::LinearAlgebra::Info info;
};

template <class T>
Decomposed<T> decomposed(const gpu::Array<T>& a, bool vectors) {
    using Real = gpu::linalg::RealOf<T>;
    const gpu::Shape batch = gpu::detail::batch_of(a.shape());
    const std::int64_t m = a.shape()[a.rank() - 2], n = a.shape()[a.rank() - 1];
    const MatrixStack stack(gpu::dtype_of<T>, batch, gpu::detail::to_node(a));
    const MatrixStack u(gpu::dtype_of<T>, batch, m, n), vh(gpu::dtype_of<T>, batch, n, n);
    const gpu::Array<Real> s = gpu::empty<Real>(gpu::detail::with_vector(batch, n));
    Decomposed<T> result;
    result.info = gpu::detail::small_svd(stack, vectors ? &u : nullptr, s.core(), vectors ? &vh : nullptr);
    result.s = numbers_of(s);
    if (!vectors) return result;
    result.u = matrices_of(gpu::Array<T>(u.row_major()));
    result.vh = matrices_of(gpu::Array<T>(vh.row_major()));
    return result;
}

/// The worst residual and orthogonality of a batch, in units of n eps.
struct Errors {
    double residual = 0, orthogonality = 0;
};

template <class T>
Errors errors_of(const gpu::Array<T>& a) {
    const Decomposed<T> got = decomposed(a, true);
    const std::vector<HostMatrix> given = matrices_of(a);
    const auto n = static_cast<std::size_t>(given[0].columns);
    const double unit = static_cast<double>(std::max(given[0].rows, given[0].columns)) * eps_of<T>();
    CHECK(got.info == gpu::detail::LinearAlgebra::Info(given.size(), 0));
    Errors errors;
    for (std::size_t item = 0; item < given.size(); ++item) {
        const std::vector<double> s(got.s.begin() + static_cast<std::ptrdiff_t>(item * n),
                                    got.s.begin() + static_cast<std::ptrdiff_t>((item + 1) * n));
        CHECK(std::is_sorted(s.rbegin(), s.rend()));
        CHECK(s.back() >= 0);
        const double size = size_of(given[item]);
        const double residual = size_of(got.u[item] * diagonal(s) * got.vh[item] - given[item]);
        errors.residual = std::max(errors.residual, size == 0 ? residual : residual / size / unit);
        errors.orthogonality = std::max(
            {errors.orthogonality, skewness(got.u[item]) / unit, skewness(adjoint(got.vh[item])) / unit});
    }
    const Decomposed<T> alone = decomposed(a, false);
    CHECK(alone.s == got.s);
    CHECK(errors.residual <= 10);
    CHECK(errors.orthogonality <= 10);
    return errors;
}

template <class T>
gpu::Array<T> random_batch(std::int64_t count, std::int64_t m, std::int64_t n, unsigned seed) {
    HostMatrix all = random_matrix(count * m, n, is_complex_type<T>, seed);
    return on_device<T>(all).reshape({count, m, n});
}

}  // namespace

TEST_CASE("a kernel decomposes small matrices to 10 n eps: random, graded, of low rank, of equal values, of zeros") {
    for_each_type([](auto type) {
        using T = decltype(type);
        for (Sample& sample : samples(is_complex_type<T>)) {
            CAPTURE(sample.name);
            HostMatrix tall = sample.matrix.rows >= sample.matrix.columns ? sample.matrix : adjoint(sample.matrix);
            if (tall.columns > 64 || tall.rows > 120) continue;
            errors_of(on_device<T>(tall));
        }
    });
}

TEST_CASE("a kernel decomposes small matrices of every size up to 64 x 64, in batches") {
    for_each_type([](auto type) {
        using T = decltype(type);
        Errors worst;
        for (const auto& [m, n] : {std::pair{1, 1}, {5, 1}, {2, 2}, {3, 3}, {9, 4}, {17, 17}, {33, 32}, {64, 64}}) {
            CAPTURE(m);
            CAPTURE(n);
            const Errors errors = errors_of(random_batch<T>(2, m, n, static_cast<unsigned>(m + n)));
            worst.residual = std::max(worst.residual, errors.residual);
            worst.orthogonality = std::max(worst.orthogonality, errors.orthogonality);
        }
        MESSAGE(gpu::name(gpu::dtype_of<T>) << ": residual " << worst.residual << " n eps, orthogonality "
                                            << worst.orthogonality << " n eps");
    });
}

TEST_CASE("a kernel decomposes matrices whose numbers are near the ends of their range") {
    const auto a = random_batch<double>(1, 6, 5, 3);
    for (const double factor : {1e-308, 1e-300, 1e300}) errors_of(gpu::Array<double>(a * factor));
    const auto b = random_batch<float>(1, 6, 5, 4);
    for (const float factor : {1e-38f, 1e37f}) errors_of(gpu::Array<float>(b * factor));
    gpu::Array<double> mixed = a.copy();
    mixed(0, gpu::all, 1) = 1e-200;
    mixed(0, gpu::all, 3) = 0.;
    errors_of(mixed);
}

TEST_CASE("check mode finds nothing in the kernel for small matrices") {
    if (gpu::Device::current().kind() == gpu::BackendKind::cuda) {
        std::puts("SKIP: small singular values in check mode: that is the host backend's");
        return;
    }
    gpu::Array<double> a = random_batch<double>(2, 7, 5, 6);
    a(0, gpu::all, 2) = 0.;
    a(0, gpu::all, 4) = 0.;  // two columns of U are completed
    const gpu::CheckReport report = gpu::check([&] { (void)decomposed(a, true); });
    CHECK_MESSAGE(report.clean(), report.to_text());
}

TEST_CASE("which matrices are small depends on a block's memory") {
    using gpu::DType;
    using gpu::detail::is_small_svd;
    CHECK(is_small_svd(DType::float32, 64, 64, true, 65536));
    CHECK(is_small_svd(DType::float64, 64, 64, true, 101376));
    CHECK_FALSE(is_small_svd(DType::float64, 64, 64, true, 65536));
    CHECK(is_small_svd(DType::float64, 64, 64, false, 65536));
    CHECK(is_small_svd(DType::complex128, 64, 64, true, 232448));
    CHECK_FALSE(is_small_svd(DType::complex128, 64, 64, true, 101376));
    CHECK_FALSE(is_small_svd(DType::float32, 65, 65, true, 232448));
    CHECK_FALSE(is_small_svd(DType::float32, 4000, 4, true, 232448));
    CHECK_FALSE(is_small_svd(DType::float32, 1, 1, true, 0));  // the host's backend
}
