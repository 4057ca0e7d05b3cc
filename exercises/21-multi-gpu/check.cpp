// SPDX-License-Identifier: MIT

// What exercise 21 is checked for: on two devices and on as many as there are, with pieces of unequal size. On the host
// backend there are four, of one CPU. What goes over the links is counted.

#include <course/check.hpp>

using namespace course;

static std::string name(int n, int devices) {
    return "n = " + std::to_string(n) + ", " + std::to_string(devices) + (devices == 1 ? " device" : " devices");
}

// u after one step; beyond both ends there are zeros.
static Vector<double> smoothed(const Vector<double>& u) {
    Vector<double> wide = Vector<double>::Zero(u.size() + 2);
    wide.segment(1, u.size()) = u;
    return (wide.head(u.size()) + 2 * u + wide.tail(u.size())) / 4;
}

GRADER_TASK(multi_gpu, "sum") {
    const auto [most] = given<int>("max_devices");
    for (int devices : {2, most}) {
        for (int n : {100, 7, 1009, 50'000}) {
            auto x = draw.uniform(n, 0.5, 2);
            const Vector<double> exact = x.cast<double>();
            next_case(name(n, devices));
            call("sum_of_squares", x, devices).returns(exact.square().sum(), within(1e-6 * exact.square().sum()));
        }
    }
    Vector<float> large_and_small(4);
    large_and_small << 4096, 1, 4096, 1;
    next_case("a float holds no sum, " + name(4, 2));
    call("sum_of_squares", large_and_small, 2).returns(33'554'434.0);
}

GRADER_TASK(multi_gpu, "smooth") {
    const auto [most] = given<int>("max_devices");
    {   // One step of two devices: which of the two didn't get its halo?
        const Vector<float> u = draw.uniform(100, -1, 1);
        const Vector<double> want = smoothed(u.cast<double>());
        const auto is_right = [&](int i) {
            return [&want, i](const Vector<float>& got) { return std::abs(got[i] - want[i]) < 1e-6; };
        };
        next_case(name(100, 2) + ", 1 step");
        call("smooth", u, 1, 2)
            .satisfies("the left device has got its neighbour's first element", is_right(49))
            .satisfies("the right device has got its neighbour's last element", is_right(50))
            .returns(want, within(2e-7));
    }
    constexpr int steps = 5;
    for (int devices : {2, most}) {
        for (int n : {100, 7, 1027, 20'000}) {
            auto u = draw.uniform(n, -1, 1);
            next_case(name(n, devices) + ", " + std::to_string(steps) + " steps");
            auto called = call("smooth", u, steps, devices);
            Vector<double> want = u.cast<double>();
            for (int k = 0; k < steps; ++k) want = smoothed(want);
            // Values stay below 1, and each step rounds three times.
            called.returns(want, within(3 * steps * 6e-8))
                .counts("bytes_between_devices", exactly(2.0 * sizeof(float) * steps * (devices - 1)),
                        "one float goes each way between two neighbours, in each step: view.to(device) of one element");
        }
    }
}
