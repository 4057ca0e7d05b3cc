// SPDX-License-Identifier: MIT

#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include <gpu/error.hpp>

#include "fake_libraries.hpp"

using namespace gpu;
using namespace gpu::detail;

namespace {

using Lines = std::vector<std::string>;
using Info = LinearAlgebra::Info;

/// Memory of the host device, which the stand-ins take for a GPU's.
template <class T>
class Memory {
public:
    explicit Memory(std::int64_t count) : count_(static_cast<std::size_t>(count)) {
        data_ = static_cast<T*>(fake::host().allocate(0, bytes(), nullptr));
        std::memset(data_, 0, bytes());
    }
    ~Memory() { fake::host().deallocate(0, data_, bytes()); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    [[nodiscard]] T* data() const { return data_; }
    [[nodiscard]] std::vector<T> values() const {
        fake::host().synchronize_device(0);
        return {data_, data_ + count_};
    }

private:
    [[nodiscard]] std::size_t bytes() const { return count_ * sizeof(T); }
    std::size_t count_;
    T* data_;
};

MatrixProblem problem(DType dtype, std::int64_t batch = 1) { return {.dtype = dtype, .batch = batch}; }

/// The calls of the last operation, without those that make handles.
Lines calls_of_operation() {
    Lines lines;
    for (const std::string& line : fake::calls()) {
        if (line != "cublasCreate" && line != "cusolverDnCreate" && line.rfind("math mode", 0) != 0)
            lines.push_back(line);
    }
    CHECK(fake::bytes_alive() == 0);  // every operation gives its memory back
    return lines;
}

/// U (3 - U^H U) / 2 of a batch of m x n matrices U, in two products.
Lines made_orthonormal(int m, int n, int batch) {
    const auto line = [&](char first, int rows, int inner, const std::string& leading, int left, int right, int result,
                          const char* scale) {
        std::ostringstream text;
        text << "gemm_batched " << first << " N " << rows << " " << n << " " << inner << " ld " << leading
             << " strides " << left << " " << right << " " << result << " batch " << batch << " scale " << scale;
        return text.str();
    };
    const std::string long_ones = std::to_string(m), short_ones = std::to_string(n), space = " ";
    return {"workspace 4096",
            line('C', n, m, long_ones + space + long_ones + space + short_ones, m * n, m * n, n * n, "1 0"),
            line('N', m, n, long_ones + space + short_ones + space + long_ones, m * n, n * n, m * n, "-0.5 1.5")};
}

template <class... More>
void append(Lines& lines, const More&... more) {
    (lines.insert(lines.end(), more.begin(), more.end()), ...);
}

MatrixBatch rows_of(void* data, std::int64_t rows, std::int64_t columns, std::int64_t batch_stride = 0) {
    return {data, rows, columns, columns, 1, batch_stride};
}

}  // namespace

TEST_CASE("a product tells cuBLAS its types: halves add up as floats, float32 isn't TF32, doubles stay doubles") {
    Memory<double> memory(100);
    struct Expected {
        DType dtype;
        int type;
        int compute;
    };
    for (const auto [dtype, type, compute] : {Expected{DType::float16, CUDA_R_16F, CUBLAS_COMPUTE_32F},
                                              {DType::float32, CUDA_R_32F, CUBLAS_COMPUTE_32F},
                                              {DType::float64, CUDA_R_64F, CUBLAS_COMPUTE_64F},
                                              {DType::complex64, CUDA_C_32F, CUBLAS_COMPUTE_32F},
                                              {DType::complex128, CUDA_C_64F, CUBLAS_COMPUTE_64F}}) {
        fake::reset();
        fake::linear_algebra().matmul(problem(dtype), rows_of(memory.data(), 2, 3), rows_of(memory.data(), 3, 4),
                                      rows_of(memory.data(), 2, 4));
        const std::string expected = "gemm N N 4 2 3 ld 4 3 4 type " + std::to_string(type) + " compute " +
                                     std::to_string(compute) + " scale 1 0";
        CHECK(calls_of_operation() == Lines{"workspace 4096", expected});
    }
}

TEST_CASE("a batch of products is one call, and one matrix may serve the whole batch") {
    Memory<float> memory(200);
    fake::reset();
    fake::linear_algebra().matmul(problem(DType::float32, 5), rows_of(memory.data(), 2, 3),
                                  rows_of(memory.data(), 3, 4, 12), rows_of(memory.data(), 2, 4, 8));
    CHECK(calls_of_operation() ==
          Lines{"workspace 4096", "gemm_batched N N 4 2 3 ld 4 3 4 strides 12 0 8 batch 5 scale 1 0"});
}

TEST_CASE("a product in the default stream sets what isn't set yet: in another stream, or after one, all is set anew") {
    Memory<float> memory(100);
    auto one = problem(DType::float32);
    const auto multiply = [&] {
        fake::reset();
        fake::behaviour().keeps_workspace = true;
        fake::linear_algebra().matmul(one, rows_of(memory.data(), 2, 3), rows_of(memory.data(), 3, 4),
                                      rows_of(memory.data(), 2, 4));
        const Lines calls = calls_of_operation();
        REQUIRE(!calls.empty());
        CHECK(calls.back().rfind("gemm ", 0) == 0);
        return calls.size();
    };
    (void)multiply();
    CHECK(multiply() == 1);
    int other = 0;
    one.stream = &other;
    CHECK(multiply() == 3);
    CHECK(multiply() == 3);
    one.stream = nullptr;
    CHECK(multiply() == 3);
    CHECK(multiply() == 1);
    fake::reset();
}

TEST_CASE("products of integers don't ask cuBLAS; they run, for any layout, on the device") {
    Memory<std::int32_t> left(6), right(12), result(8);
    for (int k = 0; k < 6; ++k) left.data()[k] = k + 1;
    for (int k = 0; k < 12; ++k) right.data()[k] = k - 3;
    fake::reset();
    fake::linear_algebra().matmul(problem(DType::int32), rows_of(left.data(), 2, 3), rows_of(right.data(), 3, 4),
                                  {result.data(), 2, 4, 1, 2, 0});  // column-major
    CHECK(result.values() == std::vector<std::int32_t>{14, 23, 20, 38, 26, 53, 32, 68});
    CHECK(calls_of_operation().empty());
}

TEST_CASE("what cuBLAS refuses is reported with the function, the problem and the status") {
    Memory<float> memory(100);
    fake::reset();
    fake::behaviour().blas_status = CUBLAS_STATUS_NOT_SUPPORTED;
    CHECK_THROWS_WITH_AS(fake::linear_algebra().matmul(problem(DType::float32, 2), rows_of(memory.data(), 2, 3),
                                                       rows_of(memory.data(), 3, 4), rows_of(memory.data(), 2, 4, 8)),
                         "cublasGemmStridedBatchedEx_64 (float32, 4 x 3 times 3 x 2, 2 of them): "
                         "CUBLAS_STATUS_STAND_IN: the stand-in was told to fail",
                         DeviceError);
    CHECK(fake::bytes_alive() == 0);
}

TEST_CASE("what cuSOLVER refuses is reported with the function, the problem and the status") {
    Memory<float> memory(100);
    fake::reset();
    fake::behaviour().solver_status = CUSOLVER_STATUS_INVALID_VALUE;
    CHECK_THROWS_WITH_AS(
        (void)fake::linear_algebra().cholesky(problem(DType::float32), 4, memory.data()),
        "cusolverDnXpotrf (float32, 4 x 4): CUSOLVER_STATUS_INVALID_VALUE: an argument is out of range", DeviceError);
    CHECK(fake::bytes_alive() == 0);
}

TEST_CASE("LIBGPU_LAUNCH_BLOCKING=1: a fault is reported by the call of the library that ran into it") {
    Memory<float> memory(100);
    const auto multiply = [&] {
        fake::linear_algebra().matmul(problem(DType::float32), rows_of(memory.data(), 2, 3),
                                      rows_of(memory.data(), 3, 4), rows_of(memory.data(), 2, 4));
    };
    const auto message_of = [](const auto& f) -> std::string {
        try {
            f();
        } catch (const LaunchError& error) {
            return error.what();
        }
        return "";
    };
    fake::reset();
    fake::behaviour().faults = true;
    multiply();  // only begun
    CHECK(message_of([] { fake::host().synchronize_device(0); }).find("kernel strays") == 0);
    fake::behaviour().blocking = true;
    const std::string product = message_of(multiply);
    CHECK(product.find("cublasGemmEx_64 (float32, 4 x 3 times 3 x 2) failed: kernel strays") == 0);
    CHECK(product.find("(LIBGPU_LAUNCH_BLOCKING=1: it is this call that did it)") != std::string::npos);
    const std::string factor =
        message_of([&] { (void)fake::linear_algebra().cholesky(problem(DType::float64), 4, memory.data()); });
    CHECK(factor.find("cusolverDnXpotrf (float64, 4 x 4) failed: kernel strays") == 0);
    CHECK(fake::bytes_alive() == 0);
    fake::behaviour().faults = false;
    multiply();  // nothing is left of it
    fake::host().synchronize_device(0);
    fake::reset();
}

TEST_CASE("cholesky: one large matrix, a batch of large ones, a batch of small ones in one call; infos come back") {
    Memory<double> memory(2 * 300 * 300);
    fake::reset();
    fake::behaviour().infos = {7};
    CHECK(fake::linear_algebra().cholesky(problem(DType::float64), 16, memory.data()) == Info{7});
    CHECK(calls_of_operation() == Lines{"Xpotrf lower 16 16 type 1"});
    fake::reset();
    fake::behaviour() = {.infos = {0, 5}, .wants_host_memory = true};
    CHECK(fake::linear_algebra().cholesky(problem(DType::float64, 2), 300, memory.data()) == Info{0, 5});
    CHECK(calls_of_operation() == Lines{"Xpotrf lower 300 300 type 1", "Xpotrf lower 300 300 type 1"});
    fake::reset();
    fake::behaviour().infos = {0, 0, 2};
    CHECK(fake::linear_algebra().cholesky(problem(DType::float64, 3), 10, memory.data()) == Info{0, 0, 2});
    CHECK(calls_of_operation() == Lines{"potrfBatched lower 10 10 3 apart 800"});
}

TEST_CASE("LU: pivots of 64 bits become 32, rows are put in order, and small batches are one call") {
    Memory<float> a(3 * 16), b(3 * 8);
    Memory<std::int32_t> pivots(12);
    fake::reset();
    fake::behaviour().infos = {4};
    CHECK(fake::linear_algebra().lu(problem(DType::float32), 4, a.data(), pivots.data()) == Info{4});
    CHECK(pivots.values() == std::vector<std::int32_t>{4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0});
    CHECK(calls_of_operation() == Lines{"Xgetrf 4 4 4"});
    for (int k = 0; k < 8; ++k) b.data()[k] = static_cast<float>(k);
    pivots.data()[0] = 3, pivots.data()[1] = 4, pivots.data()[2] = 4, pivots.data()[3] = 4;
    fake::reset();
    fake::linear_algebra().lu_solve(problem(DType::float32), 4, a.data(), pivots.data(), 2, b.data());
    std::vector<std::string> solved = calls_of_operation();
    CHECK(std::count(solved.begin(), solved.end(), "trsm lower N unit 4 2 4 4") == 1);
    CHECK(solved.back() == "trsm upper N whole 4 2 4 4");
    const std::vector<float> moved = b.values();
    CHECK(std::vector<float>(moved.begin(), moved.begin() + 8) == std::vector<float>{2, 3, 1, 0, 6, 7, 5, 4});
    fake::linear_algebra().lu_solve(problem(DType::float32), 4, a.data(), pivots.data(), 1, b.data());
    solved = calls_of_operation();
    CHECK(solved.back() == "trsv upper N whole 4 4 1");
    fake::reset();
    CHECK(fake::linear_algebra().lu(problem(DType::float32, 3), 4, a.data(), pivots.data()) == Info{0, 0, 0});
    CHECK(pivots.values() == std::vector<std::int32_t>{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4});
    fake::linear_algebra().lu_solve(problem(DType::float32, 3), 4, a.data(), pivots.data(), 2, b.data());
    CHECK(calls_of_operation() == Lines{"getrfBatched 4 4 3 apart 64", "getrsBatched N 4 2 4 4 3 apart 64 32 pivot 1"});
}

TEST_CASE("QR: R stays where A was, its columns go to q, and further columns of q start as zeros") {
    Memory<float> a(24), q(36);
    for (int k = 0; k < 24; ++k) a.data()[k] = static_cast<float>(k + 1);
    for (int k = 0; k < 36; ++k) q.data()[k] = -1;
    fake::reset();
    CHECK(fake::linear_algebra().qr(problem(DType::float32), 6, 4, a.data(), 4, q.data()) == Info{0});
    CHECK(fake::linear_algebra().qr(problem(DType::float32), 6, 4, a.data(), 6, q.data()) == Info{0});
    CHECK(fake::linear_algebra().qr(problem(DType::float32), 4, 6, a.data(), 4, q.data()) == Info{0});
    CHECK(fake::linear_algebra().qr(problem(DType::float32, 2), 4, 3, a.data(), 0, nullptr) == Info{0, 0});
    CHECK(calls_of_operation() == Lines{"Xgeqrf 6 4 6", "orgqr 6 4 4 6 work 5 first 1 last 24", "Xgeqrf 6 4 6",
                                        "orgqr 6 6 4 6 work 5 first 1 last 0", "Xgeqrf 4 6 4",
                                        "orgqr 4 4 4 4 work 5 first 1 last 16", "Xgeqrf 4 3 4", "Xgeqrf 4 3 4"});
}

TEST_CASE("eigh: real batches of small matrices in one call, complex ones and large ones one by one") {
    Memory<double> a(2 * 300 * 300), values(600);
    fake::reset();
    fake::behaviour().infos = {0, 3, 0};
    auto& linear = fake::linear_algebra();
    CHECK(linear.eigh(problem(DType::float32, 3), 8, a.data(), values.data(), true) == Info{0, 3, 0});
    CHECK(linear.eigh(problem(DType::complex128, 2), 8, a.data(), values.data(), false) == Info{0, 0});
    CHECK(linear.eigh(problem(DType::float64, 2), 300, a.data(), values.data(), true) == Info{0, 0});
    CHECK(calls_of_operation() == Lines{"XsyevBatched 1 8 3", "Xsyevd 0 8 types 5 1", "Xsyevd 0 8 types 5 1",
                                        "Xsyevd 1 300 types 1 1", "Xsyevd 1 300 types 1 1"});
}

TEST_CASE("svd by QR: thin, full, values alone; info above 0 is no convergence") {
    Memory<float> a(2 * 12), u(2 * 16), s(2 * 3), vh(2 * 9);
    auto& linear = fake::linear_algebra();
    fake::reset();
    fake::behaviour().infos = {0, 2};
    const auto one = problem(DType::float32), two = problem(DType::float32, 2);
    CHECK(linear.svd(two, 4, 3, a.data(), SvdVectors::thin, SvdMethod::qr, u.data(), s.data(), vh.data()) ==
          Info{0, 2});
    CHECK(linear.svd(one, 4, 3, a.data(), SvdVectors::full, SvdMethod::qr, u.data(), s.data(), vh.data()) == Info{0});
    CHECK(linear.svd(one, 4, 3, a.data(), SvdVectors::none, SvdMethod::qr, nullptr, s.data(), nullptr) == Info{0});
    CHECK(calls_of_operation() == Lines{"Xgesvd S S 4 3 ld 4 4 3", "Xgesvd S S 4 3 ld 4 4 3", "Xgesvd A A 4 3 ld 4 4 3",
                                        "Xgesvd N N 4 3 ld 4 4 3"});
}

TEST_CASE("svd by Jacobi: V becomes V^H, thin batches keep U's first columns, unwanted vectors have a place") {
    Memory<float> a(2 * 12), u(2 * 12), s(2 * 3), vh(2 * 9);
    auto& linear = fake::linear_algebra();
    fake::reset();
    fake::behaviour().infos = {4};
    const auto one = problem(DType::float32), two = problem(DType::float32, 2);
    CHECK(linear.svd(one, 4, 3, a.data(), SvdVectors::thin, SvdMethod::jacobi, u.data(), s.data(), vh.data()) ==
          Info{4});
    CHECK(vh.values() == std::vector<float>{0, 3, 6, 1, 4, 7, 2, 5, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    CHECK(linear.svd(one, 4, 3, a.data(), SvdVectors::none, SvdMethod::jacobi, nullptr, s.data(), nullptr) == Info{0});
    CHECK(linear.svd(two, 4, 3, a.data(), SvdVectors::thin, SvdMethod::jacobi, u.data(), s.data(), vh.data()) ==
          Info{0, 0});
    CHECK(vh.values() == std::vector<float>{0, 3, 6, 1, 4, 7, 2, 5, 8, 9, 12, 15, 10, 13, 16, 11, 14, 17});
    CHECK(u.values() ==
          std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27});
    Lines expected{"gesvdj 1 1 4 3 ld 4 4 3 work 7 placed"};
    append(expected, made_orthonormal(4, 3, 1), made_orthonormal(3, 3, 1));
    append(expected, Lines{"gesvdj 0 1 4 3 ld 4 4 3 work 7 placed", "gesvdjBatched 1 4 3 ld 4 3 batch 2"});
    append(expected, made_orthonormal(4, 3, 2), made_orthonormal(3, 3, 2));
    CHECK(calls_of_operation() == expected);
}

TEST_CASE("svd by Jacobi: vectors are made orthonormal once more, square ones too") {
    Memory<float> a(20 * 18), u(20 * 20), s(18), vh(18 * 18);
    fake::reset();
    CHECK(fake::linear_algebra().svd(problem(DType::float32), 20, 18, a.data(), SvdVectors::thin, SvdMethod::jacobi,
                                     u.data(), s.data(), vh.data()) == Info{0});
    CHECK(fake::linear_algebra().svd(problem(DType::float32), 20, 16, a.data(), SvdVectors::full, SvdMethod::jacobi,
                                     u.data(), s.data(), vh.data()) == Info{0});
    Lines expected{"gesvdj 1 1 20 18 ld 20 20 18 work 7 placed"};
    append(expected, made_orthonormal(20, 18, 1), made_orthonormal(18, 18, 1));
    append(expected, Lines{"gesvdj 1 0 20 16 ld 20 20 16 work 7 placed"});
    append(expected, made_orthonormal(20, 20, 1), made_orthonormal(16, 16, 1));
    CHECK(calls_of_operation() == expected);
}

TEST_CASE("svd by polar decomposition: values that had to be moved too far count as no convergence") {
    Memory<float> a(12), u(16), s(3), vh(9);
    auto& linear = fake::linear_algebra();
    const auto polar = [&](SvdVectors vectors) {
        return linear.svd(problem(DType::float32), 4, 3, a.data(), vectors, SvdMethod::polar, u.data(), s.data(),
                          vh.data());
    };
    fake::reset();
    CHECK(polar(SvdVectors::thin) == Info{0});
    CHECK(vh.values() == std::vector<float>{0, 3, 6, 1, 4, 7, 2, 5, 8});
    CHECK(polar(SvdVectors::full) == Info{0});
    CHECK(calls_of_operation() == Lines{"Xgesvdp 1 1 4 3 ld 4 3 placed ", "Xgesvdp 1 0 4 3 ld 4 3 placed "});
    fake::behaviour().moved = 1e-9;
    CHECK(polar(SvdVectors::none) == Info{0});
    fake::behaviour().moved = 1e-3;
    CHECK(polar(SvdVectors::thin) == Info{4});
    fake::behaviour() = {.infos = {}, .moved = 1e-8, .largest = 1e-6f};  // small beside 1, not beside the largest value
    CHECK(polar(SvdVectors::thin) == Info{4});
    fake::behaviour() = {.infos = {0, 0, 0, 0, 0, 9}, .moved = 1};
    CHECK(polar(SvdVectors::thin) == Info{9});  // what the library says goes first
}

TEST_CASE("svd by polar decomposition: many columns of floats are decomposed in double, and the results rounded") {
    const std::int64_t m = 770, n = 768;
    Memory<float> a(m * n), u(m * n), s(n), vh(n * n);
    for (std::int64_t k = 0; k < m * n; ++k) a.data()[k] = static_cast<float>(k % 1000) + 0.1f;
    const std::vector<float> before = a.values();
    fake::reset();
    fake::behaviour().moved = 1e-6;  // too far for double, near enough for float
    CHECK(fake::linear_algebra().svd(problem(DType::float32), m, n, a.data(), SvdVectors::thin, SvdMethod::polar,
                                     u.data(), s.data(), vh.data()) == Info{0});
    CHECK(calls_of_operation() == Lines{"Xgesvdp 1 1 770 768 ld 770 768 placed in double"});
    CHECK(a.values() == before);
    CHECK(u.values() == before);
    CHECK(s.values() == std::vector<float>(before.begin(), before.begin() + n));
    CHECK(vh.values()[1] == 768);
    fake::behaviour().moved = 1;
    CHECK(fake::linear_algebra().svd(problem(DType::float32), m, n, a.data(), SvdVectors::none, SvdMethod::polar,
                                     nullptr, s.data(), nullptr) == Info{n + 1});
    CHECK(fake::bytes_alive() == 0);
}

TEST_CASE("the fastest singular value decomposition comes from a table") {
    const auto fastest = [](DType dtype, std::int64_t batch, std::int64_t m, std::int64_t n, SvdVectors vectors) {
        const SvdPlan plan = fake::linear_algebra().fastest_svd(problem(dtype, batch), m, n, vectors);
        CHECK(!plan.tall_qr);
        return plan.method;
    };
    CHECK(fastest(DType::float32, 100, 32, 32, SvdVectors::thin) == SvdMethod::jacobi);
    CHECK(fastest(DType::float32, 100, 32, 32, SvdVectors::none) == SvdMethod::jacobi);
    CHECK(fastest(DType::float64, 1, 8, 8, SvdVectors::thin) == SvdMethod::qr);
    CHECK(fastest(DType::float64, 1, 100000, 100, SvdVectors::thin) == SvdMethod::jacobi);
    CHECK(fastest(DType::complex128, 1, 100000, 100, SvdVectors::thin) == SvdMethod::polar);
    CHECK(fastest(DType::float32, 1, 64, 64, SvdVectors::none) == SvdMethod::qr);
    CHECK(fastest(DType::float32, 1, 2048, 2048, SvdVectors::none) == SvdMethod::polar);
    CHECK(fastest(DType::float32, 1, 512, 256, SvdVectors::full) == SvdMethod::qr);
    CHECK(fastest(DType::float32, 1, 256, 256, SvdVectors::full) == SvdMethod::polar);
}

TEST_CASE("handles are made once and lent again") {
    Memory<float> memory(100);
    fake::reset();
    (void)fake::linear_algebra().cholesky(problem(DType::float32), 4, memory.data());
    (void)fake::linear_algebra().cholesky(problem(DType::float32), 4, memory.data());
    fake::linear_algebra().matmul(problem(DType::float32), rows_of(memory.data(), 2, 3), rows_of(memory.data(), 3, 4),
                                  rows_of(memory.data(), 2, 4));
    int made = 0;
    for (const std::string& line : fake::calls()) made += line == "cublasCreate" || line == "cusolverDnCreate" ? 1 : 0;
    CHECK(made <= 2);  // none, if another case has come before
}
#endif

#ifdef GPU_WITH_CUDA
#include "cuda/linear_algebra/matrix_kernels.hpp"

#include <cstdint>

#include "emulator.hpp"
#include "with_nvrtc.hpp"

using namespace gpu;
using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

/// An integer matrix in memory with gaps.
template <class T>
struct Matrix {
    std::vector<T> memory;
    MatrixSteps steps;

    Matrix(std::int64_t rows, std::int64_t columns, bool column_major, std::int64_t batch, unsigned seed) {
        const std::int64_t leading = (column_major ? rows : columns) + 1;
        const std::int64_t one = leading * (column_major ? columns : rows);
        steps = {column_major ? 1 : leading, column_major ? leading : 1, one};
        for (std::int64_t k = 0; k < one * batch; ++k) {
            memory.push_back(static_cast<T>((static_cast<std::uint64_t>(k) + seed) * 0x9e3779b97f4a7c15u >> 7));
        }
    }
    [[nodiscard]] T at(std::int64_t item, std::int64_t row, std::int64_t column) const {
        return memory[static_cast<std::size_t>(item * steps.batch + row * steps.row + column * steps.column)];
    }
};

template <class T>
void check_products(const char* type) {
    Emulator kernel(raw_skeleton(integer_product_text(sizeof(T))));
    struct Case {
        std::int64_t rows, columns, inner, batch;
        unsigned blocks;
    };
    for (const auto [rows, columns, inner, batch, blocks] :
         {Case{1, 1, 1, 1, 1}, {3, 4, 5, 2, 2}, {64, 64, 16, 1, 1}, {65, 130, 17, 1, 2}, {1, 70, 33, 3, 6}}) {
        for (int layout = 0; layout < 8; ++layout) {
            const Matrix<T> left(rows, inner, layout & 1, batch, 1), right(inner, columns, layout & 2, batch, 99);
            Matrix<T> result(rows, columns, layout & 4, batch, 5);
            const Matrix<T> before = result;
            MatrixSteps l = left.steps, r = right.steps, o = result.steps;
            ProductShape shape{rows, columns, inner, batch};
            const void *a = left.memory.data(), *b = right.memory.data();
            void* c = result.memory.data();
            void* arguments[] = {&a, &l, &b, &r, &c, &o, &shape};
            kernel.raw(blocks, arguments);
            std::size_t wrong = 0, written = 0;
            for (std::int64_t item = 0; item < batch; ++item)
                for (std::int64_t i = 0; i < rows; ++i)
                    for (std::int64_t j = 0; j < columns; ++j) {
                        std::uint64_t expected = 0;
                        for (std::int64_t k = 0; k < inner; ++k) {
                            expected += static_cast<std::uint64_t>(left.at(item, i, k)) *
                                        static_cast<std::uint64_t>(right.at(item, k, j));
                        }
                        wrong += result.at(item, i, j) != static_cast<T>(expected);
                    }
            for (std::size_t k = 0; k < before.memory.size(); ++k) written += before.memory[k] != result.memory[k];
            CHECK_MESSAGE(wrong == 0,
                          type << ": " << rows << " x " << inner << " x " << columns << ", layout " << layout);
            CHECK(written <= static_cast<std::size_t>(rows * columns * batch));
        }
    }
}

void check_compiles(const RawText& text) {
    for (const std::string& arch : tested_archs()) {
        std::string log;
        try {
            (void)compile_for(arch, raw_skeleton(text));
        } catch (const CompileFailure& failure) {
            log = failure.log;
        }
        CHECK_MESSAGE(log.empty(), text.name << " for " << arch << ":\n" << log << "\n" << text.source.text);
    }
}

}  // namespace

TEST_CASE("products of integers wrap around as C++'s unsigned ones do, in every layout") {
    if (!with_compiler("integer products")) return;
    check_products<std::int8_t>("int8");
    check_products<std::uint16_t>("uint16");
    check_products<std::int32_t>("int32");
    check_products<std::uint64_t>("uint64");
}

TEST_CASE("conjugate transposes, first columns, addresses and pivots are moved where they belong") {
    if (!with_compiler("moved matrices")) return;
    struct Complex {
        float re, im;
    };
    Emulator adjoint(raw_skeleton(adjoint_text(DType::complex64)));
    std::vector<Complex> from(2 * 9), to(2 * 9);
    for (std::size_t k = 0; k < from.size(); ++k) from[k] = {static_cast<float>(k), static_cast<float>(k) + 0.5f};
    const void* source = from.data();
    void* target = to.data();
    long long n = 3, count = 18;
    void* arguments[] = {&source, &target, &n, &count};
    adjoint.raw(1, arguments);
    for (std::size_t item = 0; item < 2; ++item)
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                CHECK(to[item * 9 + i + 3 * j].re == from[item * 9 + j + 3 * i].re);
                CHECK(to[item * 9 + i + 3 * j].im == -from[item * 9 + j + 3 * i].im);
            }

    Emulator first(raw_skeleton(first_columns_text(8)));
    std::vector<std::int64_t> whole(24), kept(12, -1);
    for (std::size_t k = 0; k < whole.size(); ++k) whole[k] = static_cast<std::int64_t>(k);
    source = whole.data();
    target = kept.data();
    long long keep = 6, all = 12, total = 12;
    void* columns[] = {&source, &target, &keep, &all, &total};
    first.raw(1, columns);
    CHECK(kept == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17});

    Emulator table(raw_skeleton(addresses_text()));
    std::vector<char*> addresses(300);
    char base[4] = {};
    char* start = base;
    void* entries = addresses.data();
    long long step = 4096, items = 300;
    void* places[] = {&start, &entries, &step, &items};
    table.raw(1, places);
    for (std::size_t k = 0; k < 300; ++k) CHECK(addresses[k] == base + 4096 * static_cast<std::ptrdiff_t>(k));

    Emulator narrow(raw_skeleton(pivots_text()));
    const std::vector<std::int64_t> wide{1, 3, 2};
    std::vector<std::int32_t> pivots(3);
    source = wide.data();
    target = pivots.data();
    long long three = 3;
    void* ends[] = {&source, &target, &three};
    narrow.raw(1, ends);
    CHECK(pivots == std::vector<std::int32_t>{1, 3, 2});
}

TEST_CASE("NVRTC compiles the kernels beside cuBLAS and cuSOLVER") {
    if (!with_nvrtc("matrix texts")) return;
    for (const std::size_t bytes : {1u, 2u, 4u, 8u}) check_compiles(integer_product_text(bytes));
    for (DType dtype : {DType::float32, DType::float64, DType::complex64, DType::complex128}) {
        check_compiles(adjoint_text(dtype));
    }
    for (const std::size_t bytes : {4u, 8u, 16u}) check_compiles(first_columns_text(bytes));
    check_compiles(addresses_text());
    check_compiles(pivots_text());
    check_compiles(row_order_text());
    for (const std::size_t bytes : {4u, 8u, 16u}) check_compiles(rows_in_order_text(bytes));
}
#endif

#ifdef GPU_WITH_CUDA
#include "cuda/linear_algebra/matrix_work.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

struct StoredAs {
    const char* name;
    bool column_major;
    std::int64_t padding;
    bool repeated = false;  ///< one matrix for the whole batch
};

constexpr StoredAs layouts[] = {{"row-major", false, 0},           {"column-major", true, 0},
                              {"rows with gaps", false, 3},      {"columns with gaps", true, 2},
                              {"repeated rows", false, 0, true}, {"repeated columns", true, 1, true}};

/// A batch in memory of its own: values that differ everywhere.
struct Values {
    std::vector<double> memory;
    MatrixBatch matrix;

    Values(std::int64_t rows, std::int64_t columns, const StoredAs& layout, std::int64_t batch, double seed) {
        const std::int64_t leading = (layout.column_major ? rows : columns) + layout.padding;
        const std::int64_t one = leading * (layout.column_major ? columns : rows);
        memory.resize(static_cast<std::size_t>(one * batch));
        for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = seed + static_cast<double>(k * 7 % 31);
        matrix = {.data = memory.data(),
                  .rows = rows,
                  .columns = columns,
                  .row_stride = layout.column_major ? 1 : leading,
                  .column_stride = layout.column_major ? leading : 1,
                  .batch_stride = layout.repeated ? 0 : one};
    }
    [[nodiscard]] double& at(std::int64_t item, std::int64_t row, std::int64_t column) const {
        return static_cast<double*>(
            matrix.data)[item * matrix.batch_stride + row * matrix.row_stride + column * matrix.column_stride];
    }
};

/// What cuBLAS does with these arguments, and what it checks before.
void run(const GemmPlan& plan, std::int64_t batch) {
    REQUIRE(plan.a.leading >= std::max<std::int64_t>(1, plan.a.transposed ? plan.k : plan.m));
    REQUIRE(plan.b.leading >= std::max<std::int64_t>(1, plan.b.transposed ? plan.n : plan.k));
    REQUIRE(plan.c_leading >= std::max<std::int64_t>(1, plan.m));
    const auto element = [](const GemmFactor& f, std::int64_t item, std::int64_t row, std::int64_t column) {
        const auto* data = static_cast<const double*>(f.data) + item * f.batch_stride;
        return f.transposed ? data[column + row * f.leading] : data[row + column * f.leading];
    };
    for (std::int64_t item = 0; item < batch; ++item)
        for (std::int64_t i = 0; i < plan.m; ++i)
            for (std::int64_t j = 0; j < plan.n; ++j) {
                double sum = 0;
                for (std::int64_t k = 0; k < plan.k; ++k) {
                    sum += element(plan.a, item, i, k) * element(plan.b, item, k, j);
                }
                static_cast<double*>(plan.c)[item * plan.c_batch_stride + i + j * plan.c_leading] = sum;
            }
}

}  // namespace

TEST_CASE("a product of matrices in any layout is one call of cuBLAS without a copy") {
    struct Extents {
        std::int64_t m, n, k;
    };
    for (const auto [m, n, k] : {Extents{3, 4, 5}, {1, 4, 5}, {3, 1, 5}, {3, 4, 1}, {1, 1, 5}, {1, 4, 1}, {1, 1, 1}})
        for (const StoredAs& left_layout : layouts)
            for (const StoredAs& right_layout : layouts)
                for (const StoredAs& result_layout : layouts) {
                    if (result_layout.repeated) continue;
                    const std::int64_t batch = 2;
                    const Values left(m, k, left_layout, batch, 1), right(k, n, right_layout, batch, 2);
                    const Values result(m, n, result_layout, batch, -1), before = result;
                    run(plan_gemm(left.matrix, right.matrix, result.matrix), batch);
                    std::size_t wrong = 0, written = 0;
                    for (std::int64_t item = 0; item < batch; ++item)
                        for (std::int64_t i = 0; i < m; ++i)
                            for (std::int64_t j = 0; j < n; ++j) {
                                double expected = 0;
                                for (std::int64_t l = 0; l < k; ++l) {
                                    expected += left.at(item, i, l) * right.at(item, l, j);
                                }
                                wrong += result.at(item, i, j) != expected;
                            }
                    for (std::size_t e = 0; e < result.memory.size(); ++e) {
                        written += result.memory[e] != before.memory[e];
                    }
                    CHECK_MESSAGE(wrong == 0, m << " x " << k << " x " << n << ": " << left_layout.name << " times "
                                                << right_layout.name << " into " << result_layout.name);
                    CHECK(written <= static_cast<std::size_t>(batch * m * n));
                }
}

TEST_CASE("a column-major result keeps the operands' order, a row-major one exchanges them") {
    const Values left(3, 5, {"", false, 0}, 1, 1), right(5, 4, {"", true, 2}, 1, 2);
    const Values columns(3, 4, {"", true, 0}, 1, 0), rows(3, 4, {"", false, 1}, 1, 0);
    const GemmPlan kept = plan_gemm(left.matrix, right.matrix, columns.matrix);
    CHECK(kept.a.data == left.matrix.data);
    CHECK(kept.a.transposed);
    CHECK(kept.a.leading == 5);
    CHECK(!kept.b.transposed);
    CHECK(kept.b.leading == 7);
    CHECK(kept.c_leading == 3);
    CHECK(kept.m == 3);
    CHECK(kept.n == 4);
    const GemmPlan exchanged = plan_gemm(left.matrix, right.matrix, rows.matrix);
    CHECK(exchanged.a.data == right.matrix.data);
    CHECK(exchanged.a.transposed);
    CHECK(exchanged.b.data == left.matrix.data);
    CHECK(!exchanged.b.transposed);
    CHECK(exchanged.c_leading == 5);
    CHECK(exchanged.m == 4);
    CHECK(exchanged.n == 3);
}

TEST_CASE("every second element along both axes is refused: cuBLAS has no such layout") {
    const Values right(5, 4, {"", true, 0}, 1, 2), result(3, 4, {"", true, 0}, 1, 0);
    std::vector<double> memory(60);
    const MatrixBatch left{.data = memory.data(), .rows = 3, .columns = 5, .row_stride = 20, .column_stride = 2};
    CHECK_THROWS_WITH_AS((void)plan_gemm(left, right.matrix, result.matrix),
                         "matmul: the left matrix, 3 x 5 with strides 20 and 2, is neither row- nor column-major",
                         gpu::Error);
}
#endif
