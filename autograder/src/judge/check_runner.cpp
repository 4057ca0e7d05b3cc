// SPDX-License-Identifier: MIT
#include "judge/check_runner.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace course {

TaskResult CheckRunner::run(void (*check)(CheckHost&)) {
    const auto start = std::chrono::steady_clock::now();
    bool finished = false;
    try {
        check(*this);
        finish_call();
        finished = true;
    } catch (const EndOfTask&) {   // the case or the task gives the reason
    }
    if (finished && result_.cases.empty()) throw CheckError("the check makes no call");
    if (finished && measures_speed() && !result_.speed)
        throw CheckError("exercise.toml has a speed line, but the check never calls speed()");
    if (finished) result_.predictions = predictions_.result();
    if (result_.predictions && result_.predictions->right < result_.predictions->at_least)
        result_.verdict = worst(result_.verdict, Verdict::wrong);
    result_.verdict = worst(result_.verdict, worst_case());
    judge_speed(task_, options_.on_gpu, result_);
    const bool earned = finished && (result_.verdict == Verdict::passed || result_.verdict == Verdict::noisy);
    result_.points = earned ? task_.points : 0;
    result_.spent.all = seconds_since(start);
    return std::move(result_);
}

std::size_t CheckRunner::call(std::string_view function, std::vector<CheckValue> arguments) {
    CurrentCall call = prepare(function, std::move(arguments));
    call.case_index = add_case(call, {});
    announce_check(call);
    call.reply = make_call(call, Use::judged);
    keep_case(call);
    take(std::move(call));
    if (!current_->failed) compare_inputs();
    return calls_;
}

// During the usual run, each function's kernels are already compiled for check mode: with its first small case that
// isn't empty.
void CheckRunner::announce_check(const CurrentCall& call) {
    const bool first = !announced_.contains(call.function) && all_elements(call.arguments) > 0;
    if (!first || all_elements(call.arguments) > manifest_.check_elements) return;
    announced_.insert(call.function);
    caller_.expect_check(call.function->name, call.arguments, call.function->returns);
}

void CheckRunner::case_ends(const CaseResult& one) {
    if (options_.progress) options_.progress(task_, one);
}

void CheckRunner::image(const Image& image) {
    if (!frame_.image_names.insert(image.name).second)
        throw CheckError(
            fmt::format("image(\"{}\"): the exercise has already drawn a picture of this name", image.name));
    if (std::optional<DrawnImage> drawn = draw_image(image)) result_.images.push_back(std::move(*drawn));
}

void CheckRunner::speed(const std::function<void()>& round) {
    if (!measures_speed()) return;
    if (result_.speed) throw CheckError("a task measures its speed once");
    finish_call();
    if (worst_case() != Verdict::passed) {
        result_.speed = SpeedResult{.at_least = task_.speed->at_least, .note = "a case failed"};
        return;
    }
    result_.speed = speed_.measure([&] {
        round();
        finish_call();
        return worst_case() == Verdict::passed;
    });
}

std::size_t CheckRunner::timed_call(std::string_view function, std::vector<CheckValue> arguments, double bytes,
                                    const std::function<void()>& baseline) {
    if (!speed_.in_round()) throw CheckError("timed() belongs in a round of speed()");
    CurrentCall call = prepare(function, std::move(arguments));
    if (!timed_case_) {
        timed_case_ = add_case(call, "timed, ");
        if (options_.before_timing)
            options_.before_timing(task_, result_.cases[*timed_case_].name, *call.function, call.arguments);
    }
    call.case_index = *timed_case_;
    call.sampled = speed_.is_sampled();
    call.reply = speed_.time(function, bytes, baseline, [&] { return make_call(call, Use::timed); });
    for (Value& argument : call.arguments) argument.lent = {};  // it was for that call only
    take(std::move(call));
    return calls_;
}

}  // namespace course
