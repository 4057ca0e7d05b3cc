// SPDX-License-Identifier: MIT

// What exercise 23 is checked for: what the program writes, for lengths that fill their blocks and lengths that don't;
// and what it does if any one of its calls fails.

#include <course/check.hpp>

using namespace course;

GRADER_TASK(whole_program, "result") {
    for (const std::int64_t n : {1000, 0, 1, 33, 256, 257, 20'011}) {
        auto x = draw.uniform(n), y = draw.uniform(n);
        const float a = draw.between(-2.0f, 2.0f);
        // Two roundings, or one with a fused multiply-add, of terms that may cancel.
        const Vector<double> product = static_cast<double>(a) * x.cast<double>();
        call("saxpy_program", a, x, y)
            .returns(product + y.cast<double>(), within(1.2e-7 * (product.abs() + y.cast<double>().abs())));
    }
}

// Most programs make about ten calls, the launch among them; in the last cases none of theirs fails.
GRADER_TASK(whole_program, "errors") {
    const int n = 300;
    for (int failing = 1; failing <= 12; ++failing) {
        auto x = draw.uniform(n), y = draw.uniform(n);
        const float a = draw.between(1.0f, 2.0f);
        next_case("call " + std::to_string(failing) + " of CUDA fails");
        const Vector<double> want = static_cast<double>(a) * x.cast<double>() + y.cast<double>();
        call("failing_program", failing, a, x, y)
            .satisfies("the program ends with an exit code other than 0, or has the right result",
                       [want](int code, const Vector<float>& z) {
                           return code != 0 || (z.size() == want.size() &&
                                                 ((z.cast<double>() - want).abs() <= 1e-6).all());
                       });
    }
}
