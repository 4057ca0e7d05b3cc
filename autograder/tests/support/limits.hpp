// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "manifest/manifest.hpp"

namespace test {

inline course::Budget at_most(std::string counter, course::Limit limit) {
    return {.counter = std::move(counter), .at_least = {}, .at_most = limit};
}
inline course::Budget at_least(std::string counter, course::Limit limit) {
    return {.counter = std::move(counter), .at_least = limit, .at_most = {}};
}
inline course::Budget exactly(std::string counter, course::Limit limit) {
    return {.counter = std::move(counter), .at_least = limit, .at_most = limit};
}

}  // namespace test
