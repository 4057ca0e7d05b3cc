// SPDX-License-Identifier: MIT
#pragma once

// Judges a check that is a lambda: `judged(manifest, caller, [](auto& use) { use.call(...); })`.

#include <course/check.hpp>

#include "judge/sample.hpp"

namespace course::testing {

/// A check with its tools made public.
struct OpenCheck : Check {
    explicit OpenCheck(CheckHost& host) : Check(host) {}
    void run() override {}
    using Check::call;
    using Check::draw;
    using Check::given;
    using Check::image;
    using Check::measures_speed;
    using Check::next_case;
    using Check::predictions;
    using Check::speed;
    using Check::speed_elements;
    using Check::timed;
};

/// Whether some cases come once more, with other values. Most tests count calls, and want none beside their own.
enum class DrawnAnew { no, yes };

/// Judges the exercise with the same check for each of its tasks. `Body` has no captures, as a GRADER_TASK has none.
template <class Body>
Result judged(const Manifest& manifest, Caller& caller, Body, JudgeOptions options = {},
              DrawnAnew anew = DrawnAnew::no) {
    if (!options.seed) options.seed = 20240229;
    options.draws_anew = anew == DrawnAnew::yes;
    std::vector<CheckRegistration> registrations;
    registrations.reserve(manifest.tasks.size());
    const CheckRegistration* next = nullptr;
    for (const Task& task : manifest.tasks) {
        const auto run = [](CheckHost& host) {
            OpenCheck use(host);
            Body()(use);
        };
        CheckRegistration& one = registrations.emplace_back(manifest.name.c_str(), task.id.c_str(), run);
        one.next = std::exchange(next, &one);
    }
    return judge(manifest, CheckPlugin(next, manifest), caller, options);
}

/// What exercises do: add() at all sizes where an index goes wrong.
struct AddCheck {
    void operator()(OpenCheck& use) const {
        for (int n : sizes::edges) {
            auto x = use.draw.uniform(n), y = use.draw.uniform(n);
            use.call("add", x, y).returns(x.cast<double>() + y.cast<double>(), ulps(1));
        }
    }
};

}  // namespace course::testing
