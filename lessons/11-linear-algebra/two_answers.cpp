// SPDX-License-Identifier: MIT
// Shows two decompositions of one matrix that differ, and are both right; and one that is wrong.
#include <cstdio>

#include <gpu/gpu.hpp>

using Matrix = gpu::Array<float>;

/// |A - U diag(S) Vt| / |A|: is it a decomposition of A?
static float residual(const Matrix& a, const Matrix& u, const Matrix& s, const Matrix& vt) {
    const Matrix difference = a - gpu::matmul(u * s, vt);  // u * s scales the columns of u
    return gpu::linalg::norm(difference).item() / gpu::linalg::norm(a).item();
}

// [check]
/// The largest element of |Ut U - I|: are the columns of U orthonormal?
static float loss_of_orthogonality(const Matrix& u) {
    const Matrix products = gpu::matmul(u.transpose(), u);
    return gpu::max(gpu::abs(products - gpu::eye<float>(products.shape()[0]))).item();
}
// [/check]

static bool judge(const char* name, const Matrix& a, const Matrix& u, const Matrix& s, const Matrix& vt) {
    const float left_over = residual(a, u, s, vt), of_u = loss_of_orthogonality(u);
    const bool right = left_over < 1e-5f && of_u < 1e-5f && loss_of_orthogonality(vt.transpose()) < 1e-5f;
    std::printf("%-16s residual %s 1e-5  |Ut U - I| %s 1e-5  %s\n", name, left_over < 1e-5f ? "<" : ">",
                of_u < 1e-5f ? "<" : ">", right ? "right" : "wrong");
    return right;
}

int main() {
    const Matrix a = gpu::random::Generator(11).uniform<float>({60, 40}, -1, 1);
    const auto [u, s, vt] = gpu::linalg::svd(a);
    const bool first = judge("svd", a, u, s, vt);

    Matrix other_u = u, other_vt = vt;  // a singular vector may change its sign, if its partner does
    other_u(gpu::all, 3) = -u(gpu::all, 3);
    other_vt(3, gpu::all) = -vt(3, gpu::all);
    const bool second = judge("signs changed", a, other_u, s, other_vt);
    std::printf("  largest difference of an element of U: %.1f times that element\n",
                gpu::max(gpu::abs(other_u - u) / gpu::abs(u)).item());

    judge("one sign changed", a, other_u, s, vt);
    judge("U too long", a, Matrix(2.f * u), Matrix(s / 2.f), vt);
    std::printf("Answer: %s\n", first && second ? "both may be right" : "one is wrong");
}
