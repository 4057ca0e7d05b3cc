// SPDX-License-Identifier: MIT
// Elementwise and reduction kernels in check mode: watched and counted element by element, with the same results.
#include <cmath>

#include "check/support.hpp"
#include "support/printed.hpp"

using namespace support;

namespace {

const gpu::KernelCounts& only(const gpu::CheckReport& report) {
    REQUIRE(report.kernels.size() == 1);
    return report.kernels[0];
}

template <class T>
void check_close(const gpu::Array<T>& found, const gpu::Array<T>& wanted) {
    const auto a = gpu::to_host(found), b = gpu::to_host(wanted);
    REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
        const double error = std::abs(static_cast<double>(a[k] - b[k]));
        if (error <= 1e-5 * std::abs(static_cast<double>(b[k]))) continue;
        FAIL_CHECK("element " << k << ": " << a[k] << " instead of " << b[k]);
    }
}

}  // namespace

TEST_CASE("elementwise: counts by line") {
    const gpu::ElementwiseKernel kernel("T x, T y, T s", "T z", "T d = x - y;\nz = d * d * s;", "sq_diff");
    const auto x = gpu::arange<float>(1000), y = gpu::ones<float>(gpu::Shape{1000});
    gpu::Array<float> z;
    const auto report = gpu::check([&] { z = kernel(x, y, 2.f); });
    CHECK(told(report) == "");
    CHECK(gpu::to_host(z)[4] == 18);
    const gpu::KernelCounts& counts = only(report);
    CHECK(counts.name == "sq_diff");
    CHECK(counts.launches == 1);
    CHECK(counts.threads == 1024);
    CHECK(counts.made_in == __FILE__);
    CHECK(counts.shapes == std::vector<gpu::LaunchCounts>{{4, 256, 1}});
    gpu::WorkCounts wanted;
    wanted.global_reads = 2000;
    wanted.global_bytes_read = wanted.global_bytes_used = 8000;
    wanted.global_requests = 64;
    wanted.global_sectors = 250;
    wanted.global_segments = 64;
    REQUIRE(counts.lines.size() == 2);
    CHECK(counts.lines[0].line + 1 == counts.lines[1].line);
    CHECK(counts.lines[0].work == wanted);
    CHECK(counts.lines[1].work.global_writes == 1000);
    CHECK(counts.work.global_requests == 96);
    CHECK(counts.work.divergent_requests == 0);
}

TEST_CASE("elementwise: a transposed input takes more sectors") {
    const auto x = gpu::arange<float>(64 * 64).reshape({64, 64});
    gpu::Array<float> z;
    const auto report = gpu::check([&] { z = x.transpose() + 1.f; });
    CHECK(told(report) == "");
    CHECK(gpu::to_host(z)[1] == 65);
    CHECK(only(report).made_in == "");  // the expression's kernel is libgpu's
    const gpu::WorkCounts& work = only(report).work;
    CHECK(work.global_reads == 4096);
    CHECK(work.global_requests == 256);
    CHECK(work.global_sectors == 128 * 32 + 128 * 4);
}

TEST_CASE("elementwise: in place, inputs keep their values while the body writes") {
    const gpu::ElementwiseKernel kernel("T x, T y", "T z", "z = x + x;\nz += x * y;", "twice_and_more");
    const auto fill = [] { return gpu::arange<float>(100); };
    auto plain = fill(), checked = fill();
    const auto y = gpu::full<float>({100}, 3);
    kernel(plain, y, gpu::out(plain));
    const auto report = gpu::check([&] { kernel(checked, y, gpu::out(checked)); });
    CHECK(told(report) == "");
    CHECK(gpu::to_host(plain)[10] == 50.f);
    CHECK(gpu::to_host(checked) == gpu::to_host(plain));
    CHECK(only(report).work.global_reads == 200);
    for (const gpu::LineCounts& line : only(report).lines) CHECK(line.file == "twice_and_more");

    auto turned = gpu::arange<float>(100).reshape({10, 10}), other = turned.copy();
    kernel(turned.transpose(), 3.f, gpu::out(turned));
    CHECK(gpu::check([&] { kernel(other.transpose(), 3.f, gpu::out(other)); }).clean());
    CHECK(gpu::to_host(other) == gpu::to_host(turned));

    // Each input is read at the line that names it first, here as elsewhere.
    gpu::Array<float> z;
    CHECK(only(gpu::check([&] { z = kernel(y, y); })).lines.size() == 2);
    CHECK(gpu::to_host(z)[0] == 15.f);
}

TEST_CASE("elementwise: a body that writes an input is refused as it is elsewhere") {
    const gpu::ElementwiseKernel kernel("T x", "T z", "x = 3;\nz = x;", "write_input");
    const auto x = gpu::arange<float>(10);
    const auto refusal = [&] {
        try {
            (void)kernel(x);
        } catch (const gpu::CompileError& error) {
            return std::string(error.what());
        }
        return std::string("it compiled");
    };
    std::string checked;
    (void)gpu::check([&] { checked = refusal(); });
    CHECK(contains(checked, "write_input:1:"));
    CHECK(contains(checked, "an input can't be written"));
    CHECK(checked == refusal());
}

TEST_CASE("elementwise: a branch that some elements take is divergent") {
    // Compilers may make one assignment of two; a read that only some elements want they may not make for the others.
    const gpu::ElementwiseKernel kernel("T x, raw T y", "T z", "if (i % 2) z = x + y[i];\nelse z = -x;", "odd");
    const auto x = gpu::arange<float>(256);
    const auto report = gpu::check([&] { const gpu::Array<float> z = kernel(x, x); });
    CHECK(told(report) == "");
    CHECK(only(report).work.divergent_requests >= 8);
    CHECK(only(report).work.global_reads == 256 + 128);
    CHECK(only(report).work.global_writes == 256);
}

TEST_CASE("elementwise: an input is loaded once, however often and wherever the body names it") {
    const std::vector<const char*> bodies = {
        "if (x > t) z = t;\nelse if (x < -t) z = -t;\nelse z = x;",
        "if (x > t) z = t;\nif (x < -t) z = -t;\nif (x >= -t && x <= t) z = x;",
        "T size = abs(x) - t;\nz = size > 0 ? (x > 0 ? x - size : x + size) : x;",
        "z = x;\nif (z > t) z = t;\nelse if (z < -t) z = -t;\nelse z = x;",
        "z = x;\nif (x > t) z = t;\nif (x < -t) z = -t;\nif (abs(x) <= t) z = x;",
        "z = x;\nif (x < t && x > -t) return;\nz = x > 0 ? t : -t;",
    };
    const gpu::Array<float> x = gpu::arange<float>(1000) * 0.01f - 5.f;
    for (const char* const body : bodies) {
        CAPTURE(body);
        const gpu::ElementwiseKernel clip("T x, T t", "T z", body, "clip");
        gpu::Array<float> z, in_place = x.copy();
        const auto report = gpu::check([&] { z = clip(x, 2.f); });
        CHECK(told(report) == "");
        CHECK(only(report).work.global_reads == 1000);
        CHECK(only(report).work.global_writes == 1000);
        check_close(z, gpu::Array<float>(gpu::where(x > 2.f, 2.f, gpu::where(x < -2.f, -2.f, x))));
        // Where the body writes over what it reads, too.
        const auto again = gpu::check([&] { clip(in_place, 2.f, gpu::out(in_place)); });
        CHECK(only(again).work.global_reads == 1000);
        CHECK(gpu::to_host(in_place) == gpu::to_host(z));
    }
}

TEST_CASE("elementwise: an input that many threads share, or that is strided, is loaded once a thread") {
    const gpu::ElementwiseKernel kernel("T x, T y", "T z",
                                        "T s = 0;\nfor (int k = 0; k < 3; ++k) s += x * y + x;\nz = s;", "thrice");
    const auto x = gpu::ones<float>(gpu::Shape{20, 30}), y = gpu::ones<float>(gpu::Shape{30, 1});
    gpu::Array<float> z;
    const auto report = gpu::check([&] { z = kernel(x.transpose(), y); });
    CHECK(gpu::to_host(z)[599] == 6);
    CHECK(only(report).work.global_reads == 1200);
    CHECK(only(report).work.global_writes == 600);
}

TEST_CASE("elementwise: an output that the body reads first has its old value, and may stay as it is") {
    const gpu::ElementwiseKernel add("T x", "T z", "z = z + x;", "add_to"),
        some("T x", "T z", "if (x > 3) z = x;", "some");
    const auto x = gpu::arange<float>(8);
    auto sum = gpu::full<float>({8}, 10), kept = gpu::full<float>({8}, -1);
    const auto report = gpu::check([&] {
        add(x, gpu::out(sum));
        some(x, gpu::out(kept));
    });
    CHECK(told(report) == "");
    CHECK(gpu::to_host(sum) == std::vector<float>{10, 11, 12, 13, 14, 15, 16, 17});
    CHECK(gpu::to_host(kept) == std::vector<float>{-1, -1, -1, -1, 4, 5, 6, 7});
    REQUIRE(report.kernels.size() == 2);
    CHECK(report.kernels[0].work.global_reads == 16);
    CHECK(report.kernels[1].work.global_writes == 4);
    gpu::Array<float> z;
    const auto missing = gpu::check([&] {
        z = some(x);
        const gpu::Array<float> y = z + 1.f;
    });
    REQUIRE(missing.findings.size() == 1);
    CHECK(missing.findings[0].kind == gpu::FindingKind::uninitialized_read);
}

TEST_CASE("reduction: an input that the map names several times is loaded once") {
    const gpu::ReductionKernel kernel("T x, T t", "T z", "x > t ? x - t : x < -t ? x + t : T(0)", "a + b", "z = a", "0",
                                      "total_shrunk");
    const gpu::Array<float> x = gpu::arange<float>(1000) * 0.01f - 5.f;
    gpu::Array<float> z;
    const auto report = gpu::check([&] { z = kernel(x, 2.f); });
    CHECK(told(report) == "");
    CHECK(only(report).work.global_reads == 1000);
    REQUIRE(!only(report).lines.empty());
    CHECK(only(report).lines[0].file == "total_shrunk (map)");
    CHECK(only(report).lines[0].line == 1);
    check_close(z, gpu::Array<float>(kernel(x, 2.f)));
}

TEST_CASE("elementwise: division of integers by zero") {
    const gpu::ElementwiseKernel kernel("T x, T y", "T z", "z = x / y;", "divide");
    const auto x = gpu::arange<int>(100);
    const gpu::Array<int> divisor = x - 50;
    const auto report = gpu::check([&] { const gpu::Array<int> z = kernel(x, divisor); });
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].kind == gpu::FindingKind::division_by_zero);
    CHECK(report.findings[0].kernel == "divide");
    CHECK(contains(report.findings[0].who, "thread (50,0,0)"));
}

TEST_CASE("elementwise: out of bounds in a raw array") {
    const gpu::ElementwiseKernel kernel("raw T x, T y", "T z", "z = x[i + 1] - y;", "difference");
    const auto x = gpu::arange<float>(300);
    const auto report = gpu::check([&] { const gpu::Array<float> z = kernel(x, x); });
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].kind == gpu::FindingKind::out_of_bounds);
    CHECK(report.findings[0].variable == "x");
    CHECK(contains(report.findings[0].what, "x[300]"));
    CHECK(contains(report.findings[0].who, "block (1,0,0), thread (43,0,0)"));
}

TEST_CASE("elementwise: an input that nobody wrote") {
    const auto x = gpu::empty<float>(gpu::Shape{100});
    const auto report = gpu::check([&] { const gpu::Array<float> z = x + 1.f; });
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].kind == gpu::FindingKind::uninitialized_read);
}

TEST_CASE("elementwise: an output that a check has written isn't uninitialised later") {
    const auto x = gpu::arange<float>(100);
    gpu::Array<float> z;
    const auto report = gpu::check([&] {
        z = x + 1.f;
        const gpu::Array<float> y = z * 2.f;
    });
    CHECK(told(report) == "");
    CHECK(gpu::check([&] { const gpu::Array<float> y = z + 1.f; }).clean());
}

TEST_CASE("reduction: each element is read once, results are the same") {
    struct Case {
        gpu::Shape shape;
        gpu::Axes axes;
    };
    const std::vector<Case> cases = {{{1}, {}},        {{5}, {}},          {{1000}, {}},          {{9000}, {}},
                                     {{70000}, {}},    {{40, 50}, {0}},    {{40, 50}, {1}},       {{300, 3}, {0}},
                                     {{3, 5000}, {1}}, {{5, 6, 700}, {1}}, {{5, 6, 700}, {0, 2}}, {{2, 300, 300}, {0}}};
    for (const Case& each : cases) {
        CAPTURE(gpu::to_string(each.shape));
        const gpu::Array<float> x = gpu::arange<float>(each.shape.size()).reshape(each.shape) * 0.01f + 1.f;
        gpu::Array<float> sum, wanted_sum;
        const auto launch = [&](gpu::Array<float>& to) { to = gpu::sum(x, {.axis = each.axes}); };
        launch(wanted_sum);
        const auto report = gpu::check([&] { launch(sum); });
        CHECK(told(report) == "");
        check_close(sum, wanted_sum);
        const gpu::WorkCounts& work = only(report).work;
        CHECK(work.global_reads == static_cast<std::uint64_t>(each.shape.size()));
        CHECK(work.global_writes == static_cast<std::uint64_t>(sum.size()));
        CHECK(work.shared_requests == 0);
    }
}

TEST_CASE("reduction: neighbouring threads read neighbouring elements along both axes") {
    const auto x = gpu::ones<float>(gpu::Shape{256, 256});
    for (const int axis : {0, 1}) {
        CAPTURE(axis);
        const auto report = gpu::check([&] { const gpu::Array<float> sum = gpu::sum(x, {.axis = axis}); });
        const gpu::WorkCounts& work = only(report).work;
        CHECK(work.global_reads == 65536);
        CHECK(work.global_sectors - 4 * 65536 / 32 <= 256);  // those of the outputs
    }
}

TEST_CASE("reduction: integers are exactly the same, with and without identity") {
    const gpu::ReductionKernel largest("T x, T y", "T z", "x * y", "a > b ? a : b", "z = a", "", "largest");
    const gpu::ReductionKernel total("T x", "T z", "x", "a + b", "z = a", "100", "total");
    const gpu::Array<int> x = gpu::arange<int>(60000).reshape({60, 1000}) % 1009;
    const gpu::Array<int> y = 1009 - x;
    gpu::Array<int> a, b, c, d, e;
    const auto report = gpu::check([&] {
        a = largest(x, y);
        b = largest(x, y, {.axis = 1});
        c = largest(x, y, {.axis = 0});
        d = total(x, {.axis = 1});
        e = total(gpu::zeros<int>(gpu::Shape{3, 0}), {.axis = 1});
    });
    CHECK(told(report) == "");
    CHECK(report.kernels[0].name == "largest");
    CHECK(report.kernels[0].made_in == __FILE__);
    CHECK(gpu::to_host(a) == gpu::to_host(gpu::Array<int>(largest(x, y))));
    CHECK(gpu::to_host(b) == gpu::to_host(gpu::Array<int>(largest(x, y, {.axis = 1}))));
    CHECK(gpu::to_host(c) == gpu::to_host(gpu::Array<int>(largest(x, y, {.axis = 0}))));
    CHECK(gpu::to_host(d) == gpu::to_host(gpu::Array<int>(total(x, {.axis = 1}))));
    CHECK(gpu::to_host(e) == std::vector<int>{100, 100, 100});
}

TEST_CASE("reduction: wide values") {
    const gpu::Array<double> x = gpu::arange<double>(5000) + 0.5;
    gpu::Array<double> sum;
    const auto report = gpu::check([&] { sum = gpu::sum(x); });
    CHECK(told(report) == "");
    check_close(sum, gpu::sum(x));
}

TEST_CASE("reduction: division of integers by zero in its expressions") {
    const gpu::ReductionKernel kernel("T x", "T z", "100 / x", "a + b", "z = a", "0", "inverses");
    const auto x = gpu::arange<int>(100);
    const auto report = gpu::check([&] { const gpu::Array<int> z = kernel(x); });
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].kind == gpu::FindingKind::division_by_zero);
}

TEST_CASE("generated kernels: the same report with a random schedule and several workers") {
    const auto x = gpu::ones<float>(gpu::Shape{100, 300});
    const auto run = [&](const gpu::CheckOptions& options) {
        return gpu::check(
                   [&] {
                       const gpu::Array<float> y = x * 2.f + 1.f;
                       const gpu::Array<float> sum = gpu::sum(y, {.axis = 1});
                   },
                   options)
            .to_json();
    };
    const std::string fixed = run({});
    CHECK(run({.schedule = "random:7"}) == fixed);
    CHECK(run({.workers = 2}) == fixed);
}

TEST_CASE("generated kernels: printf prints once an element") {
    const gpu::ElementwiseKernel speak("T x", "T z", "z = x;\nif (i == 2) printf(\"x[%d] = %g\\n\", (int)i, x);",
                                       "speak");
    const gpu::ReductionKernel sum("T x", "T z", "x", "a + b", "z = a; printf(\"sum %g\\n\", a)", "0", "sum_aloud");
    const auto x = gpu::arange<float>(5);
    const auto launches = [&] {
        const gpu::Array<float> z = speak(x), total = sum(x);
        gpu::synchronize();
    };
    CHECK(printed([&] { CHECK(told(gpu::check(launches)) == ""); }) == "x[2] = 2\nsum 10\n");
    CHECK(printed(launches) == "x[2] = 2\nsum 10\n");
}

TEST_CASE("reductions: places, variances and norms are the same, and nothing is found") {
    auto x = gpu::arange<float>(600);
    x(137) = 1000.f;
    x(400) = 1000.f;
    const auto m = x.reshape({20, 30});
    gpu::Array<std::int64_t> place, rows;
    gpu::Array<float> spread, columns, largest;
    gpu::Array<bool> every;
    const auto report = gpu::check([&] {
        place = gpu::argmax(x);
        rows = gpu::argmax(m, {.axis = 1});
        spread = gpu::var(x);
        columns = gpu::stddev(m, {.axis = 0});
        largest = gpu::max(m, {.axis = 0});
        every = gpu::all(m > -1.f, {.axis = 1});
    });
    CHECK(told(report) == "");
    CHECK(place.item() == 137);
    CHECK(gpu::to_host(rows) == gpu::to_host(gpu::argmax(m, {.axis = 1})));
    CHECK(gpu::to_host(rows)[4] == 17);
    check_close(spread, gpu::var(x));
    check_close(columns, gpu::stddev(m, {.axis = 0}));
    check_close(largest, gpu::max(m, {.axis = 0}));
    CHECK(gpu::to_host(every) == std::vector<std::uint8_t>(20, 1));
}

TEST_CASE("libgpu's own functions of many kernels are no mistakes") {
    const auto x = gpu::random::Generator(4).uniform<float>({30, 100});
    gpu::Array<float> sorted;
    gpu::Array<std::int64_t> order, counts, bins;
    gpu::Array<double> mean;
    const auto report = gpu::check([&] {
        sorted = gpu::sort(x, {.axis = 0});
        order = gpu::argsort(x);
        counts = gpu::histogram(x).counts;
        bins = gpu::bincount((x(0) * 9.f).astype<int>());
        mean = gpu::nanmean<double>(x, {.axis = 1});
        (void)gpu::unravel_index(gpu::argmax(x), x.shape());
        (void)gpu::roll(gpu::diff(gpu::diag(x(0))), 3);
        (void)gpu::allclose(x, x);
    });
    CHECK(told(report) == "");
    CHECK(gpu::array_equal(sorted, gpu::sort(x, {.axis = 0})).item());
    CHECK(gpu::array_equal(order, gpu::argsort(x)).item());
    CHECK(gpu::sum(counts).item() == 3000);
    CHECK(gpu::sum(bins).item() == 100);
    check_close(mean, gpu::mean<double>(x, {.axis = 1}));
}
