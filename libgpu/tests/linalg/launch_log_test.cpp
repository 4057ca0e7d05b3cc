// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "linalg/host_matrix.hpp"

namespace {

using Kind = gpu::LaunchEntry::Kind;

std::vector<gpu::LaunchEntry> of_linear_algebra(const gpu::LaunchLog& log) {
    std::vector<gpu::LaunchEntry> found;
    for (const gpu::LaunchEntry& entry : log.entries()) {
        if (entry.kind == Kind::linear_algebra) found.push_back(entry);
    }
    return found;
}

/// "matmul: float32, 2 x 3 times 3 x 4", of each call that `f` makes.
template <class F>
std::vector<std::string> calls_of(const F& f) {
    const gpu::LaunchLog log;
    f();
    std::vector<std::string> calls;
    for (const gpu::LaunchEntry& entry : of_linear_algebra(log)) calls.push_back(entry.name + ": " + entry.problem);
    return calls;
}

using Calls = std::vector<std::string>;

}  // namespace

TEST_CASE("a launch log lists linear algebra, with types and shapes") {
    auto a = gpu::ones<float>({2, 3}), b = gpu::ones<float>({3, 4});
    gpu::LaunchLog log;
    gpu::Array<float> c = gpu::matmul(a, b);
    const gpu::LaunchEntry entry = log.entries().back();  // entry.problem is "float32, 2 x 3 times 3 x 4"
    CHECK(entry.kind == Kind::linear_algebra);
    CHECK(entry.name == "matmul");
    CHECK(entry.problem == "float32, 2 x 3 times 3 x 4");
    CHECK(entry.bytes == 72);
    CHECK(entry.device == gpu::Device::current());
    CHECK(entry.device_us == -1);
    CHECK(entry.to_string() == gpu::Device::current().to_string() + " matmul: float32, 2 x 3 times 3 x 4, 72 bytes");
    CHECK(log.to_string().find(entry.to_string() + "\n") != std::string::npos);
    log.clear();
    CHECK(log.entries().empty());
    CHECK_THROWS_AS((void)gpu::matmul(a, a), gpu::LinAlgError);
    CHECK(of_linear_algebra(log).empty());  // what wasn't begun isn't noted
}

TEST_CASE("a launch log has each function, in order, and what it cost") {
    const auto a = (gpu::eye<double>(70) + gpu::ones<double>({70, 70})).eval();  // not small: the library's
    const auto tall = gpu::ones<gpu::complex<float>>({7, 2});
    CHECK(calls_of([&] {
              (void)gpu::linalg::solve(a, gpu::ones<double>({70, 2}));
          }) == Calls{"lu: float64, 70 x 70", "lu_solve: float64, 70 x 70 for 70 x 2"});
    CHECK(calls_of([&] {
              (void)gpu::linalg::inv(gpu::stack<double>({a, a, a}));
          }) == Calls{"lu: float64, 70 x 70, 3 of them", "lu_solve: float64, 70 x 70 for 70 x 70, 3 of them"});
    CHECK(calls_of([&] { (void)gpu::linalg::det(a); }) == Calls{"lu: float64, 70 x 70"});
    CHECK(calls_of([&] { (void)gpu::linalg::cholesky(a); }) == Calls{"cholesky: float64, 70 x 70"});
    CHECK(calls_of([&] { (void)gpu::linalg::qr(tall); }) == Calls{"qr: complex64, 7 x 2"});
    CHECK(calls_of([&] { (void)gpu::linalg::eigvalsh(a); }) == Calls{"eigh: float64, 70 x 70"});
    CHECK(calls_of([&] { (void)gpu::linalg::svd(gpu::eye<float>(4), {.driver = gpu::linalg::SvdDriver::QR}); }) ==
          Calls{"svd: float32, 4 x 4"});
    CHECK(calls_of([&] { (void)gpu::linalg::svd(tall, {.driver = gpu::linalg::SvdDriver::TallQR}); }) ==
          Calls{"qr: complex64, 7 x 2", "svd: complex64, 2 x 2", "matmul: complex64, 7 x 2 times 2 x 2"});
    CHECK(calls_of([&] {
              (void)gpu::matmul(gpu::ones<int>({2, 2}), gpu::ones<int>({2, 2}));
          }) == Calls{"matmul: int32, 2 x 2 times 2 x 2"});
    CHECK(calls_of([&] { (void)gpu::matmul(gpu::ones<float>({0, 2}), gpu::ones<float>({2, 2})); }).empty());
    CHECK(calls_of([&] {
              CHECK_THROWS_AS((void)gpu::linalg::svd(gpu::full<float>({3, 3}, NAN)), gpu::LinAlgError);
          }).empty());

    gpu::Stream stream;
    const gpu::LaunchLog log({.times = true});
    {
        const gpu::StreamGuard guard(stream);
        (void)gpu::matmul(a, a);
        (void)gpu::linalg::svdvals(a);
        std::thread([&] { (void)gpu::matmul(a, a); }).join();
    }
    const std::vector<gpu::LaunchEntry> entries = of_linear_algebra(log);
    REQUIRE(entries.size() == 3);
    for (const gpu::LaunchEntry& entry : entries) CHECK(entry.device_us >= 0);
    CHECK(entries[0].stream.native() == stream.ref().native());
    CHECK(entries[1].name == "svd");
    CHECK(entries[2].stream.native() == nullptr);  // another thread's current stream
    CHECK(entries[1].to_string().find("svd: float64, 70 x 70, 39200 bytes, in a stream, ") != std::string::npos);
}
