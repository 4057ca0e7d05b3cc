// SPDX-License-Identifier: MIT
#include "judge/reference_clock.hpp"

#include <exception>
#include <vector>

#include <fmt/format.h>

#include "judge/timing.hpp"

namespace course {

namespace {

constexpr std::chrono::seconds steady_for{60};
constexpr int tries = 3, calls_of_each = 5;
constexpr double least_seconds = 2e-3;   // far more than the clock's own jitter
constexpr double first_bytes = 64 << 20, most_bytes = 16.0 * (1 << 30);

}  // namespace

std::optional<CallReply> ReferenceClock::call(const ReferenceWork& work) {
    try {
        return caller_.reference_call(work);
    } catch (const std::exception& error) {
        CallReply failed;
        failed.outcome = Outcome::no_device;
        failed.message = error.what();
        return failed;
    }
}

const std::string& ReferenceClock::why_not() {
    const auto now = std::chrono::steady_clock::now();
    if (!why_not_ && steady_until_ != nullptr && now < *steady_until_) why_not_ = "";
    for (int k = 0; !why_not_ && k < tries; ++k) {
        std::string why = try_itself();
        if (why.empty() || k + 1 == tries) why_not_ = std::move(why);
        if (why_not_ && why_not_->empty() && steady_until_ != nullptr) *steady_until_ = now + steady_for;
    }
    return *why_not_;
}

// Interleaved, so that what is slow for a while is slow for both.
std::string ReferenceClock::try_itself() {
    ReferenceWork work{.bytes = first_bytes, .results = {}};
    std::string failure;
    const auto seconds = [&] {   // 0: there is no reference, or it has failed
        const std::optional<CallReply> reply = call(work);
        if (reply && reply->outcome != Outcome::returned)
            failure = fmt::format("the grader's reference can't run here: {}", reply->message);
        return reply && failure.empty() ? reply->seconds : 0;
    };
    for (double first = seconds(); first < least_seconds && work.bytes < most_bytes; first = seconds()) {
        if (first == 0) return failure;
        work.bytes *= 2;
    }
    std::vector<double> both[2];
    for (int k = 0; k < 2 * calls_of_each && failure.empty(); ++k) both[k % 4 == 0 || k % 4 == 3].push_back(seconds());
    if (!failure.empty() || is_steady(both[0], both[1])) return failure;
    return fmt::format("this machine can't time at the moment: the grader's own work took {:.3g} ms, and {:.3g} ms "
                       "when it was done again",
                       1e3 * median_of(both[0]), 1e3 * median_of(both[1]));
}

}  // namespace course
