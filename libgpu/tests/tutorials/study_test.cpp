// SPDX-License-Identifier: MIT
// The study guide: array programs, timing them, streams.
#include "support.hpp"

TEST_CASE("study: z = x**2 + 2*y is one kernel") {
    // x = cp.arange(6).reshape(2, 3).astype(float);  y = cp.ones((2, 3));  z = x**2 + 2*y
    const gpu::Array<float> x = gpu::arange<float>(6).reshape({2, 3});
    const gpu::Array<float> y = gpu::ones<float>({2, 3});
    const gpu::Counts before = gpu::counts();
    const gpu::Array<float> z = gpu::pow(x, 2) + 2 * y;
    CHECK((gpu::counts() - before).launches == 1);
    CHECK(values(z) == std::vector<float>{2, 3, 6, 11, 18, 27});
    // z.sum(), z.mean(axis=0), z.max(axis=1)
    CHECK(gpu::sum(z).item() == 67);
    CHECK(values(gpu::mean(z, {.axis = 0})) == std::vector<float>{6.5f, 10.5f, 16.5f});
    CHECK(values(gpu::max(z, {.axis = 1})) == std::vector<float>{6, 27});
}

TEST_CASE("study: rows, columns, steps") {
    // a = cp.arange(10).reshape(2, 5);  a[1, :];  a[:, ::2];  a.T;  a[:, ::-1]
    const gpu::Array<int> a = gpu::arange<int>(10).reshape({2, 5});
    const gpu::Array<int> row = a(1, gpu::all);
    const gpu::Array<int> even = a(gpu::all, gpu::slice(gpu::none, gpu::none, 2));
    const gpu::Array<int> turned = a.transpose();
    const gpu::Array<int> backwards = a(gpu::all, gpu::slice(gpu::none, gpu::none, -1));
    CHECK(values(row) == std::vector<int>{5, 6, 7, 8, 9});
    CHECK(values(even) == std::vector<int>{0, 2, 4, 5, 7, 9});
    CHECK(turned.shape() == gpu::Shape{5, 2});
    CHECK(values(turned) == std::vector<int>{0, 5, 1, 6, 2, 7, 3, 8, 4, 9});
    CHECK(values(backwards) == std::vector<int>{4, 3, 2, 1, 0, 9, 8, 7, 6, 5});
}

TEST_CASE("study: columns with mean 0 and deviation 1") {
    // n = (a - a.mean(axis=0)) / a.std(axis=0)
    gpu::random::Generator rng(7);
    const gpu::Array<double> a = rng.normal<double>({500, 3}, 10, 4);
    const gpu::Array<double> n = (a - gpu::mean(a, {.axis = 0})) / gpu::stddev(a, {.axis = 0});
    for (const double mean : values(gpu::mean(n, {.axis = 0}))) CHECK(std::fabs(mean) < 1e-14);
    for (const double deviation : values(gpu::stddev(n, {.axis = 0}))) CHECK(std::fabs(deviation - 1) < 1e-14);
}

TEST_CASE("study: events measure what a stream does") {
    // start = cp.cuda.Event();  end = cp.cuda.Event();  start.record();  y = cp.sqrt(x)...;  end.record();
    // end.synchronize();  t = cp.cuda.get_elapsed_time(start, end)
    const gpu::Array<float> x = gpu::ones<float>({100000});
    gpu::Event start, end;
    start.record();
    const gpu::Array<float> y = gpu::sqrt(x * x + 3);
    end.record();
    end.synchronize();
    const float t = gpu::elapsed_ms(start, end);
    CHECK(t >= 0);
    CHECK(end.done());
    CHECK(gpu::sum(y).item() == 200000);
    // without end.synchronize() it waits itself
    end.record();
    CHECK(gpu::elapsed_ms(start, end) >= t);
}

TEST_CASE("study: two streams") {
    // s1 = cp.cuda.Stream();  s2 = cp.cuda.Stream()
    gpu::Stream s1, s2;
    gpu::Array<float> a, b;
    {
        // with s1: a = cp.arange(1000) ** 2
        const gpu::StreamGuard guard(s1);
        a = gpu::pow(gpu::arange<float>(1000), 2);
    }
    {
        // with s2: b = cp.arange(1000) * 2
        const gpu::StreamGuard guard(s2);
        b = 2 * gpu::arange<float>(1000);
    }
    // s1.synchronize();  s2.synchronize();  (a + b).sum()
    s1.synchronize();
    s2.synchronize();
    CHECK(gpu::sum<double>(a + b).item() == 333832500.0);
}

TEST_CASE("study: one number waits and copies once; a printed array is free") {
    // print(float(z.mean()))  against  print(z.mean())
    const gpu::Array<float> z = gpu::arange<float>(100);
    const gpu::Array<float> mean = gpu::mean(z);
    gpu::Counts before = gpu::counts();
    CHECK(mean.item() == 49.5f);
    const gpu::Counts number = gpu::counts() - before;
    before = gpu::counts();
    CHECK(gpu::to_string(mean) == "49.5");
    const gpu::Counts printed = gpu::counts() - before;
    CHECK(number.copies_to_host == 1);
    CHECK(number.synchronizations == 1);
    CHECK(printed.copies_to_host == 0);
    CHECK(printed.synchronizations == 0);
    CHECK(printed.prints == 1);
}
