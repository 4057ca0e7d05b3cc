// SPDX-License-Identifier: MIT
// Random numbers, beside cuRAND's from the same generator.
#include <memory>

#include "bench.hpp"
#include "checks.hpp"

namespace bench {

namespace {

Row random(const std::string& name, bool normal) {
    return {name,
            [=](Bench&, std::int64_t n) {
                gpu::random::seed(20261130);  // from an even position, whatever was drawn before
                const auto x = std::make_shared<Floats>();
                return Case{
                    .call = [=] { *x = normal ? gpu::random::normal<float>({n}) : gpu::random::uniform<float>({n}); },
                    .wrong = [=] { return wrong_distribution(*x, normal); },
                    .bytes = 4.0 * static_cast<double>(n),
                    .limit = normal ? Limit::philox_normal : Limit::philox};
            },
            true};
}

// A thread computes four numbers at a time: from an odd position on it needs two such groups for one.
Row uniform_after_odd_draw() {
    return {"random/uniform_after_odd_draw", [](Bench&, std::int64_t n) {
                struct Drawn {
                    gpu::random::Generator generator{20261130, 1};
                    Floats x;
                };
                const auto drawn = std::make_shared<Drawn>();
                return Case{.call = [=] { drawn->x = drawn->generator.uniform<float>({n}); },
                            .wrong = [=] { return wrong_distribution(drawn->x, false); },
                            .bytes = 4.0 * static_cast<double>(n),
                            .limit = Limit::philox};
            }};
}

}  // namespace

std::vector<Row> random_rows() {
    return {random("random/uniform", false), random("random/normal", true), uniform_after_odd_draw()};
}

}  // namespace bench
