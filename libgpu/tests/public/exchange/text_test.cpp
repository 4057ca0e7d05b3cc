// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#if __has_include(<fmt/format.h>)
#define FMT_HEADER_ONLY
#include <fmt/format.h>
#include <fmt/ranges.h>
#endif
#if __has_include(<format>)
#include <format>
#endif

#include <gpu/gpu.hpp>
#include <gpu/ledger.hpp>
#include <gpu/trace.hpp>

#include "support/on_host.hpp"

// Everything as text: to_string, << and the libraries of formats.
namespace {

template <class X>
std::string streamed(const X& x) {
    std::ostringstream stream;
    stream << x;
    return stream.str();
}

// All ways give one text.
template <class X>
std::string text(const X& x) {
    const std::string said(gpu::to_string(x));
    CHECK(streamed(x) == said);
#ifdef FMT_VERSION
    CHECK(fmt::format("{}", x) == said);
#endif
#ifdef __cpp_lib_format
    CHECK(std::format("{}", x) == said);
#endif
    return said;
}

}  // namespace

TEST_CASE("arrays, shapes, types and devices have a text") {
    //! [text]
    gpu::Array<float> x = gpu::arange<float>(6).reshape({2, 3});
    std::ostringstream stream;
    stream << x.shape() << ' ' << x.strides() << ' ' << gpu::dtype_of<float> << ' ' << x.device();
    std::string line = gpu::to_string(x.shape()) + " of " + gpu::to_string(gpu::dtype_of<float>);  // "(2,3) of float32"
    std::string number = gpu::to_string(0.1f);                                                     // "0.1"
    //! [text]
    CHECK(stream.str() == "(2,3) (3,1) float32 " + gpu::Device::current().to_string());
    CHECK(line == "(2,3) of float32");
    CHECK(number == "0.1");
    CHECK(text(x) == "[[0. 1. 2.]\n [3. 4. 5.]]");
    CHECK(text(x(0)) == "[0. 1. 2.]");
    CHECK(text(x(0) + 1) == "[1. 2. 3.]");
    CHECK(text(gpu::AnyArray(x)) == text(x));
    CHECK(text(x.shape()) == "(2,3)");
    CHECK(text(gpu::Shape{5}) == "(5,)");
    CHECK(text(gpu::Strides{3, 1}) == "(3,1)");
    CHECK(text(gpu::TargetShape{2, -1}) == "(2,-1)");
    CHECK(text(gpu::DType::complex128) == "complex128");
    CHECK(text(gpu::Layout::column_major) == "column-major");
    CHECK(text(gpu::BackendKind::host) == "host");
    CHECK(text(gpu::Device::host()) == "host:0");
    CHECK(text(gpu::Dim3(4, 2)) == "(4,2,1)");
    CHECK(text(gpu::half(0.1)) == "0.1");
    CHECK(text(gpu::complex<float>(1, -2)) == "(1-2j)");
    CHECK(text(gpu::complex<double>(0, 0.5)) == "0.5j");
    CHECK(gpu::to_string(7) == "7");
    CHECK(gpu::to_string(true) == "True");
    CHECK(gpu::to_string(NAN) == "nan");
    CHECK(gpu::to_string(std::uint8_t{200}) == "200");
    CHECK(gpu::to_string(1. / 3) == "0.3333333333333333");
    std::ostringstream wide;
    wide << std::setw(8) << gpu::DType::int8 << '|' << std::left << std::setw(8) << gpu::Shape{2};
    CHECK(wide.str() == "    int8|(2,)    ");
#ifdef FMT_VERSION
    CHECK(fmt::format("{:>8}|{:<8}", gpu::DType::int8, gpu::Shape{2}) == "    int8|(2,)    ");
#endif
#ifdef __cpp_lib_format
    CHECK(std::format("{:>8}|{:<8}", gpu::DType::int8, gpu::Shape{2}) == "    int8|(2,)    ");
#endif
}

TEST_CASE("what was measured, counted and found has a text") {
    if (!support::on_host()) return;  // check mode is the host's
    //! [measured]
    gpu::Array<float> x = gpu::ones<float>({1000});
    gpu::Counts before = gpu::counts();
    x += 1;
    std::string work = gpu::to_string(gpu::counts() - before);  // "1 launch"
    gpu::CheckReport report = gpu::check([&] { x += 1; });
    gpu::Benchmark times = gpu::benchmark([&] { x += 1; }, {.repeat = 5});
    std::ostringstream stream;
    stream << report << times << '\n';
    //! [measured]
    CHECK(work == "1 launch");
    CHECK(text(gpu::Counts{}) == "nothing was asked of a device");
    CHECK(text(report).starts_with("no findings\n\n"));
    CHECK(text(report).ends_with(report.table()));
    CHECK(stream.str() == gpu::to_string(report) + times.to_string() + "\n");
    CHECK(text(times) == times.to_string());
    CHECK(text(gpu::Timings{.median_us = 12.34,
                            .min_us = 11.9,
                            .max_us = 20,
                            .mean_us = 12.8,
                            .stddev_us = 0.4,
                            .samples_us = {1, 2, 3}}) ==
          "median 12.3 us, 11.9 to 20.0, mean 12.8, standard deviation 0.4 (3 repeats)");
    REQUIRE(report.kernels.size() == 1);
    CHECK(report.table().starts_with(text(report.kernels.front()).substr(0, 20)));

    gpu::Ledger ledger;
    const gpu::LaunchLog log;
    x += 1;
    CHECK(text(ledger) == ledger.text());
    REQUIRE(ledger.entries().size() == 1);
    CHECK(text(ledger.entries().front()) == ledger.entries().front().to_string());
    CHECK(text(log) == log.to_string());
    CHECK(text(log.entries().front()) == log.entries().front().to_string());

    CHECK(text(gpu::Device::current().properties()).find("worker") != std::string::npos);
    CHECK(text(gpu::DeviceProperties{
              .name = "GPU", .multiprocessors = 132, .total_memory = std::size_t{2} << 30, .compute_capability = 90}) ==
          "GPU, compute capability 9.0: 132 multiprocessors, 2.0 GiB");
    CHECK(text(gpu::MemoryUse{.used = 1024, .held = 2048, .free = 4096, .total = 8192, .limit = 0}) ==
          "1.0 KiB used, 2.0 KiB held, 4.0 KiB free of 8.0 KiB");
    CHECK(text(gpu::CacheStatistics{.hits = 1, .misses = 2, .evictions = 0, .files = 3, .bytes = 12}) ==
          "1 hit, 2 misses, 0 evictions; 3 files (12 B)");
    CHECK(text(gpu::KernelAttributes{.registers = 32,
                                     .static_shared = 1024,
                                     .local_bytes = 0,
                                     .constant_bytes = 4,
                                     .max_threads_per_block = 1024}) ==
          "32 registers, 1.0 KiB of shared, 0 B of local and 4 B of constant memory; blocks of up to 1024 threads");
}

TEST_CASE("findings have a text") {
    if (!support::on_host()) return;
    const gpu::RawKernel<void(float*)> beyond("__global__ void beyond(float* y) { y[threadIdx.x + 1] = 1; }", "beyond");
    gpu::Array<float> y = gpu::zeros<float>({4});
    const gpu::CheckReport report = gpu::check([&] { beyond({.grid = 1, .block = 4}, y); });
    REQUIRE(report.findings.size() == 1);
    const gpu::Finding& finding = report.findings.front();
    CHECK(report.to_text().starts_with(text(finding) + "\n"));
    CHECK(text(report) == report.to_text() + "\n" + report.table());
    CHECK(text(finding.kind) == std::string(gpu::to_string(finding.kind)));
    CHECK(text(finding.rule) == gpu::to_string(finding.rule));
    const gpu::Trace trace = gpu::trace([&] { gpu::synchronize(); });
    CHECK(text(trace) == trace.to_text());
    CHECK(text(gpu::Picture::lanes) == "lanes");
}

TEST_CASE("a histogram is printed with its counts and its edges") {
    //! [histogram]
    auto ages = gpu::histogram(gpu::to_device({1.f, 2.f, 2.f, 4.f}), {.bins = 3});
    std::string said = gpu::to_string(ages);  // counts [1 2 1]
                                              // edges  [1. 2. 3. 4.]
    //! [histogram]
    CHECK(said == "counts [1 2 1]\nedges  [1. 2. 3. 4.]");
    CHECK(text(ages) == said);
}
