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
                const auto x = std::make_shared<Floats>();
                return Case{
                    .call = [=] { *x = normal ? gpu::random::normal<float>({n}) : gpu::random::uniform<float>({n}); },
                    .wrong = [=] { return wrong_distribution(*x, normal); },
                    .bytes = 4.0 * static_cast<double>(n),
                    .limit = normal ? Limit::philox_normal : Limit::philox};
            },
            true};
}

}  // namespace

std::vector<Row> random_rows() { return {random("random/uniform", false), random("random/normal", true)}; }

}  // namespace bench
