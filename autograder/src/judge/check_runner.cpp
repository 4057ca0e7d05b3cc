// SPDX-License-Identifier: MIT
#include "judge/check_runner.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "judge/values/compare.hpp"
#include "judge/values/elements.hpp"
#include "judge/work/required_kernels.hpp"
#include "manifest/names.hpp"
#include "support/text.hpp"
#include "verdict/verdict.hpp"

namespace course {

namespace {

// The number of elements of a larger timed result that are compared each time.
constexpr std::int64_t sampled_positions = 65'536;

bool is_argument(const Difference& difference) { return difference.pattern.ends_with("returned unchanged"); }

}  // namespace

CheckRunner::CheckRunner(const Manifest& manifest, const Task& task, Caller& caller, const JudgeOptions& options,
                         const RunFrame& frame)
    : manifest_(manifest), task_(task), caller_(caller), options_(options), frame_(frame),
      inputs_(frame.seed, frame.task_index), secret_bits_(frame.secret) {
    result_.id = task.id;
    result_.title = task.title;
    result_.max_points = task.points;
    result_.star = task.star;
    result_.ahead = task.ahead;
}

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
    judge_speed();
    const bool earned = finished && (result_.verdict == Verdict::passed || result_.verdict == Verdict::noisy);
    result_.points = earned ? task_.points : 0;
    result_.spent.all = seconds_since(start);
    return std::move(result_);
}

void CheckRunner::uniform(ElementType type, std::span<const std::int64_t> shape, double low, double high,
                          std::span<std::byte> out) {
    end_drawing_at(shape);
    const ScopedTimer spent(result_.spent.drawing);
    inputs_.uniform(type, shape, low, high, out);
}

void CheckRunner::integers(ElementType type, std::span<const std::int64_t> shape, std::int64_t low, std::int64_t high,
                           std::span<std::byte> out) {
    end_drawing_at(shape);
    const ScopedTimer spent(result_.spent.drawing);
    inputs_.integers(type, shape, low, high, out);
}

void CheckRunner::next_case(std::string name) { next_name_ = std::move(name); }

std::size_t CheckRunner::call(std::string_view function, std::vector<CheckValue> arguments) {
    CurrentCall call = prepare(function, std::move(arguments));
    call.case_index = add_case(call, {});
    if (only_draws_) return take_drawn(std::move(call));
    announce_check(call);
    call.reply = make_call(call, Use::judged);
    keep_case(call);
    take(std::move(call));
    if (!current_->failed) compare_inputs();
    return calls_;
}

const Function& CheckRunner::find_function(std::string_view name, bool given) const {
    const auto found = std::find_if(manifest_.functions.begin(), manifest_.functions.end(),
                                    [&](const Function& one) { return one.name == name && one.given == given; });
    if (found == manifest_.functions.end())
        throw CheckError(fmt::format("{}(\"{}\"): exercise.toml lists no such function{}", given ? "given" : "call",
                                     name, given ? " with given = true" : ""));
    return *found;
}

// Prepares a call: finishes the previous one, and checks the time left and the arguments against the manifest.
CheckRunner::CurrentCall CheckRunner::prepare(std::string_view function, std::vector<CheckValue> arguments) {
    finish_call();
    if (std::chrono::steady_clock::now() >= frame_.deadline) {
        result_.verdict = Verdict::timed_out;
        result_.message = fmt::format("not finished: all tasks together may take {:.3g} s", options_.seconds);
        throw EndOfTask();
    }
    CurrentCall call;
    call.function = &find_function(function, false);
    for (const CheckValue& argument : arguments) call.in_place.push_back(argument.in_place);
    call.arguments = to_values(*call.function, std::move(arguments));
    call.judged.assign(call.function->returns.size(), false);
    call.looked_at.resize(call.function->returns.size());
    return call;
}

CallResult CheckRunner::make_call(const CurrentCall& call, Use use) {
    const auto make = use == Use::timed ? &Caller::timed_call
                      : use == Use::given ? &Caller::given_call
                                          : &Caller::call;
    const ScopedTimer spent(result_.spent.calls);
    try {
        CallResult reply = (caller_.*make)(call.function->name, call.arguments, call.function->returns);
        result_.spent.copying += reply.copy_seconds;
        result_.spent.calls -= reply.copy_seconds;
        return reply;
    } catch (const std::exception& error) {
        throw CallFault(error.what());
    }
}

std::size_t CheckRunner::add_case(const CurrentCall& call, std::string default_prefix) {
    CaseResult& one = result_.cases.emplace_back();
    one.name = next_name_.empty() ? default_prefix + case_name(*call.function, call.arguments)
                                  : std::exchange(next_name_, {});
    one.function = call.function->name;
    one.elements = largest_size(call.arguments);
    one.empty = has_arrays(call.arguments) && one.elements == 0;
    for (const Value& argument : call.arguments)
        one.arguments.push_back(argument.place == protocol::Place::scalar
                                    ? Elements(argument)[0]
                                    : static_cast<double>(size_of(argument.shape)));
    return result_.cases.size() - 1;
}

// Takes a call's reply: makes it current, with its counts; records a failure, which may end the task.
void CheckRunner::take(CurrentCall call) {
    current_ = std::move(call);
    ++calls_;
    CaseResult& one = current_case();
    CallResult& reply = current_->reply;
    one.counts = reply.counts;
    one.seconds = reply.seconds;
    if (reply.outcome == Outcome::returned && reply.results.size() != current_->function->returns.size()) {
        reply.outcome = Outcome::bad_reply;
        reply.message = fmt::format("{} came back, {} expected", plural(reply.results.size(), "result"),
                                    current_->function->returns.size());
    }
    if (reply.outcome == Outcome::returned) {
        if (one.elements == 0) one.elements = largest_size(reply.results);
        if (!has_arrays(current_->arguments)) one.empty = has_arrays(reply.results) && one.elements == 0;
        return;
    }
    current_->failed = true;
    one.verdict = worst(one.verdict, verdict_of(reply.outcome));
    one.message = reply.message.empty() ? std::string(default_message(reply.outcome)) : reply.message;
    if (ends_task(reply.outcome)) {
        finish_call();
        throw EndOfTask();
    }
}

void CheckRunner::compare_inputs() {
    std::size_t array = 0;
    const std::vector<Value>& after = current_->reply.inputs_after;
    for (std::size_t k = 0; k < current_->arguments.size(); ++k) {
        const Value& before = current_->arguments[k];
        if (before.place == protocol::Place::scalar) continue;
        const std::size_t position = array++;
        if (current_->in_place[k]) continue;
        const bool missing = position >= after.size() || (after[position].shape.empty() && !before.shape.empty());
        if (missing) {   // bind.cpp and the check disagree, or the runner lies
            record_wrong(fmt::format("argument {} came back as a result: the function must not change it", k + 1));
            continue;
        }
        if (std::string change = describe_change(k, before, after[position]); !change.empty())
            record_wrong(std::move(change));
    }
}

// Every result of every call must have been checked; otherwise the check isn't one.
void CheckRunner::finish_call() {
    if (!current_) return;
    const CurrentCall call = std::move(*current_);
    current_.reset();
    if (options_.progress && !only_draws_) options_.progress(task_, result_.cases[call.case_index]);
    if (call.failed) return;
    for (std::size_t k = 0; k < call.judged.size(); ++k)
        if (!call.judged[k])
            throw CheckError(fmt::format("the check never looks at result {} of {} ({})", k + 1, call.function->name,
                                         result_.cases[call.case_index].name));
}

CheckRunner::CurrentCall& CheckRunner::current(std::size_t call) {
    if (!current_ || call != calls_) throw CheckError("a call is judged before the next one is made");
    return *current_;
}

void CheckRunner::record_wrong(std::string message) {
    CaseResult& one = current_case();
    one.verdict = worst(one.verdict, Verdict::wrong);
    if (!one.message.empty() && !message.empty()) one.message += '\n';
    one.message += message;
}

std::string CheckRunner::result_name(int result) const {
    return current_->function->returns.size() == 1 ? "result" : fmt::format("result {}", result + 1);
}

void CheckRunner::check_result_index(int result) const {
    if (result < 0 || static_cast<std::size_t>(result) >= current_->function->returns.size())
        throw CheckError(fmt::format("the check looks at result {} of {}, which has {}", result + 1,
                                     current_->function->name, current_->function->returns.size()));
}

void CheckRunner::expect_count(std::size_t call, int results) {
    const CurrentCall& one = current(call);
    if (static_cast<std::size_t>(results) != one.function->returns.size())
        throw CheckError(fmt::format("returns() has {} expected values; exercise.toml says that {} returns {}", results,
                                     one.function->name, one.function->returns.size()));
}

void CheckRunner::expect(std::size_t call, int result, const Expected& expected) {
    CurrentCall& one = current(call);
    check_result_index(result);
    const auto k = static_cast<std::size_t>(result);
    one.judged[k] = true;
    const bool is_kept = !kept_.empty() && kept_.back().index == one.case_index;
    if (is_kept && size_of(expected.shape) <= manifest_.check_elements)
        kept_.back().expected[k] = keep(expected);
    if (one.failed) return;
    const Value& got = one.reply.results[k];
    std::vector<std::int64_t> positions;
    if (const std::int64_t size = size_of(expected.shape); one.sampled && size > sampled_positions)
        positions = sampled(size, one.reply.canaries);
    if (got.left_out && got.shape == expected.shape)
        throw CheckError(fmt::format("result {} of {} has {} elements: the grader takes no results that are so much "
                                     "larger than the arguments", result + 1, one.function->name, size_of(got.shape)));
    const ScopedTimer spent(result_.spent.comparing);
    Comparison comparison = compare(result_name(result), got, expected, one.arguments, positions);
    one.misshapen |= got.shape != expected.shape;
    CaseResult& where = current_case();
    where.worst_error = std::max(where.worst_error, comparison.worst_error);
    if (comparison.passed) return;
    // Properties of a result that is just an argument say nothing about how it was computed.
    if (comparison.difference && is_argument(*comparison.difference)) {
        where.message.clear();
        comparison.message += (comparison.message.empty() ? "" : "\n") +
                              std::string("what was computed isn't in the result: is a swap or an assignment missing?");
    }
    where.has_nonfinite = has_nonfinite(one.arguments);
    record_wrong(std::move(comparison.message));
    if (!where.difference) where.difference = std::move(comparison.difference);
}

// Secret positions, and those where an elementwise function that began before the clock would be wrong.
std::vector<std::int64_t> CheckRunner::sampled(std::int64_t size, std::span<const std::int64_t> canaries) {
    std::vector<std::int64_t> positions = random_positions(secret_bits_, size, sampled_positions);
    std::copy_if(canaries.begin(), canaries.end(), std::back_inserter(positions),
                 [&](std::int64_t one) { return one < size; });
    std::sort(positions.begin(), positions.end());   // for access in memory order
    return positions;
}

const CheckValue* CheckRunner::result(std::size_t call, int result, ElementType type, int rank) {
    CurrentCall& one = current(call);
    check_result_index(result);
    const auto k = static_cast<std::size_t>(result);
    one.judged[k] = true;
    const auto listed = static_cast<ElementType>(one.function->returns[k].type);
    if (listed != type)
        throw CheckError(fmt::format("satisfies() takes result {} of {} as {}; exercise.toml says {}", result + 1,
                                     one.function->name, type_names.at(static_cast<std::size_t>(type)),
                                     to_string(one.function->returns[k])));
    if (one.failed) return nullptr;
    const Value& got = one.reply.results[k];
    if (static_cast<int>(got.shape.size()) != rank) {
        record_wrong(fmt::format("{} has shape {}, want {}", result_name(result), shape_text(got.shape),
                                 plural(rank, "dimension")));
        return nullptr;
    }
    if (got.left_out) {
        record_wrong(fmt::format("{} has shape {}: far more than belongs there", result_name(result),
                                 shape_text(got.shape)));
        return nullptr;
    }
    one.looked_at[k] = to_check_value(got);
    return &one.looked_at[k];
}

std::vector<CheckValue> CheckRunner::given(std::string_view function, std::vector<CheckValue> arguments,
                                           std::span<const ElementType> types, std::span<const int> ranks) {
    finish_call();
    CurrentCall call;
    call.function = &find_function(function, true);
    call.arguments = to_values(*call.function, std::move(arguments));
    const CallResult reply = make_call(call, Use::given);
    const auto fails = [&](std::string_view why) {
        return CheckError(fmt::format("given(\"{}\"): {}", function, why));
    };
    if (reply.outcome != Outcome::returned) {   // an object that can't be loaded, or a machine that can't run it
        result_.verdict = verdict_of(reply.outcome);
        result_.message = reply.message.empty() ? std::string(default_message(reply.outcome)) : reply.message;
        throw EndOfTask();
    }
    const std::vector<ValueType>& listed = call.function->returns;
    if (types.size() != listed.size() || reply.results.size() != listed.size())
        throw fails(fmt::format("the check takes {}; exercise.toml lists {}", plural(types.size(), "result"),
                                listed.size()));
    std::vector<CheckValue> values;
    for (std::size_t k = 0; k < listed.size(); ++k) {
        if (reply.results[k].left_out || static_cast<ElementType>(listed[k].type) != types[k] ||
            std::ssize(reply.results[k].shape) != ranks[k])
            throw fails(fmt::format("result {} is {} of shape {}, and the check takes it for something else", k + 1,
                                    to_string(listed[k]), shape_text(reply.results[k].shape)));
        values.push_back(to_check_value(reply.results[k]));
    }
    return values;
}

void CheckRunner::predictions(int at_least) { predictions_.need(at_least); }

void CheckRunner::predicts(std::size_t call, std::vector<Shown> shown) {
    CurrentCall& one = current(call);
    if (one.function->returns.size() != 1)
        throw CheckError(fmt::format("predicts(): {} has {}; predictions come as one", one.function->name,
                                     plural(one.function->returns.size(), "result")));
    one.judged[0] = true;
    if (one.failed) {   // asked nevertheless
        for (const Shown& each : shown) predictions_.take(each, NAN, current_case().name);
        return;
    }
    const Value& got = one.reply.results[0];
    if (got.left_out || size_of(got.shape) != std::ssize(shown))
        return record_wrong(fmt::format("{} came back, {} expected",
                                        plural(size_of(got.shape), "prediction"),
                                        shown.size()));
    const Elements predicted(got);
    for (std::size_t k = 0; k < shown.size(); ++k)
        predictions_.take(shown[k], predicted[static_cast<std::int64_t>(k)], current_case().name);
}

void CheckRunner::image(const Image& image) {
    if (only_draws_) return;
    if (!frame_.image_names.insert(image.name).second)
        throw CheckError(
            fmt::format("image(\"{}\"): the exercise has already drawn a picture of this name", image.name));
    if (std::optional<DrawnImage> drawn = draw_image(image)) result_.images.push_back(std::move(*drawn));
}

bool CheckRunner::has_expected_shapes(std::size_t call) { return !current(call).failed && !current(call).misshapen; }

void CheckRunner::claim(std::size_t call, std::string_view statement, double measured, double bound) {
    if (current(call).failed) return;
    const bool holds = measured <= bound;   // a NaN fails
    const bool is_sentence = bound == 0;
    const std::string number = std::isnan(measured) ? "NaN" : fmt::format("{:.3g}", measured);
    const std::optional<Difference>& difference = current_case().difference;
    if (!holds && !(difference && is_argument(*difference)))
        record_wrong(is_sentence ? fmt::format("must hold, and doesn't: {}", statement)
                                 : fmt::format("{}: {}, at most {:.3g}", statement, number, bound));
    if (!is_sentence) note_property({std::string(statement), current_case().name, measured, bound});
}

// For each property, keeps the first case in which it exceeds its bound, or the one in which it comes nearest.
void CheckRunner::note_property(MeasuredProperty property) {
    const auto nearness = [](const MeasuredProperty& one) { return one.measured / one.at_most; };
    const auto same = [&](const MeasuredProperty& one) { return one.name == property.name; };
    const auto noted = std::find_if(result_.properties.begin(), result_.properties.end(), same);
    if (noted == result_.properties.end()) result_.properties.push_back(std::move(property));
    else if (nearness(*noted) <= 1 && !(nearness(property) <= nearness(*noted))) *noted = std::move(property);
}

void CheckRunner::counts(std::size_t call, std::string_view kernel, std::string_view counter, const CountBound& bound,
                         std::string_view cure, int tag) {
    current(call);
    const auto fails = [&](std::string_view why) {
        return CheckError(fmt::format("counts(\"{}\"): {}", counter, why));
    };
    const auto is_meant = [&](const RequiredKernel& one) { return short_name_of(one) == kernel; };
    const bool of_kernel = !kernel.empty();
    if (of_kernel && std::none_of(task_.kernels.begin(), task_.kernels.end(), is_meant))
        throw fails(fmt::format("exercise.toml requires no kernel \"{}\" in this task", kernel));
    const bool is_listed = of_kernel ? is_one_of(counter, kernel_counter_names) : is_one_of(counter, counter_names);
    if (!is_listed && !is_counted_in_check_mode(counter))
        throw fails(of_kernel ? "not a counter of a kernel" : "not a counter of a call");
    Budget budget{.counter = std::string(counter), .at_least = {}, .at_most = {}, .cure = std::string(cure)};
    if (tag > 0) budget.tag = tag;
    const bool whole = !is_ratio(counter);
    if (bound.at_least) budget.at_least = Limit{.plus = whole ? std::ceil(*bound.at_least - 1e-6) : *bound.at_least};
    if (bound.at_most) budget.at_most = Limit{.plus = whole ? std::floor(*bound.at_most + 1e-6) : *bound.at_most};
    const bool kept_by_some = !(budget.at_least && budget.at_most) || budget.at_least->plus <= budget.at_most->plus;
    const auto is_number = [](const std::optional<double>& one) { return !one || std::isfinite(*one); };
    if (!is_number(bound.at_least) || !is_number(bound.at_most) || !kept_by_some)
        throw fails("no count can keep these bounds");
    std::vector<StatedBudget>& stated = current_case().stated;
    const auto same = [&](const StatedBudget& one) { return one.kernel == kernel && one.budget.counter == counter; };
    std::erase_if(stated, same);   // a timed call states them in every round
    stated.push_back({std::string(kernel), std::move(budget)});
}

// The part of CheckRunner that judges time, and keeps the cases that check mode needs for counting.

namespace {

std::int64_t all_elements(std::span<const Value> values) {
    std::int64_t elements = 0;
    for (const Value& value : values)
        if (value.place != protocol::Place::scalar) elements += size_of(value.shape);
    return elements;
}

}  // namespace

// During the usual run, each function's kernels are already compiled for check mode: with its first small case that
// isn't empty.
void CheckRunner::announce_check(const CurrentCall& call) {
    const bool first = !announced_.contains(call.function) && all_elements(call.arguments) > 0;
    if (!first || all_elements(call.arguments) > manifest_.check_elements) return;
    announced_.insert(call.function);
    caller_.expect_check(call.function->name, call.arguments, call.function->returns);
}

// The expectations are added when the check states them.
void CheckRunner::keep_case(const CurrentCall& call) {
    const std::int64_t elements = all_elements(call.arguments) + all_elements(call.reply.results);
    if (manifest_.check_elements == 0 || elements > manifest_.check_elements) return;
    ReplayableCase one{.index = call.case_index, .elements = elements, .function = call.function, .arguments = {},
                 .expected = {}};
    one.arguments = call.arguments;
    one.expected.resize(call.function->returns.size());
    kept_.push_back(std::move(one));
}

std::vector<DrawnCase> CheckRunner::draw(void (*check)(CheckHost&)) {
    only_draws_ = true;
    try {
        check(*this);
        finish_call();
    } catch (const EndOfTask&) {   // the first large case
    }
    std::vector<DrawnCase> drawn;
    for (ReplayableCase& one : kept_) drawn.push_back({std::move(result_.cases[one.index]), std::move(one)});
    return drawn;
}

void CheckRunner::end_drawing_at(std::span<const std::int64_t> shape) const {
    if (only_draws_ && size_of({shape.begin(), shape.end()}) > manifest_.check_elements) throw EndOfTask();
}

// For the check, this is a failed call: it continues, and nothing is compared.
std::size_t CheckRunner::take_drawn(CurrentCall call) {
    keep_case(call);
    if (kept_.empty() || kept_.back().index != call.case_index) throw EndOfTask();
    call.failed = true;
    current_ = std::move(call);
    return ++calls_;
}

bool CheckRunner::measures_speed() const {
    if (only_draws_) return false;
    const bool here = options_.measure_speed == MeasureSpeed::everywhere ||
                      (options_.measure_speed == MeasureSpeed::on_gpu && options_.on_gpu);
    return here && task_.speed.has_value();
}

std::int64_t CheckRunner::speed_elements() const {
    if (!task_.speed) throw CheckError("speed_elements(): exercise.toml has no speed line for this task");
    return task_.speed->elements;
}

void CheckRunner::speed(const std::function<void()>& round) {
    if (!measures_speed()) return;
    if (result_.speed) throw CheckError("a task measures its speed once");
    finish_call();
    if (worst_case() != Verdict::passed) {
        result_.speed = SpeedResult{.at_least = task_.speed->at_least, .note = "a case failed"};
        return;
    }
    measure_pairs(round);
    timing_.in_round = false;
}

// With a baseline from an earlier run, only a clear result counts. Near the line and below it, the clock decides as
// without one: pairs are measured again, each with a baseline.
bool CheckRunner::is_clear(const TimedPairs& pairs) const {
    return !timing_.kept_baseline || is_clearly_above(with_late_seconds(pairs.pairs()), task_.speed->at_least);
}

// Round 0 warms up (kernels are compiled, memory is allocated); it is checked like the others, but not timed.
void CheckRunner::measure_pairs(const std::function<void()>& round) {
    const DeviceLock::Held alone(options_.device, DeviceLock::Use::alone);
    std::string no_clock;
    if (frame_.reference != nullptr) {
        const ScopedTimer spent(result_.spent.reference);
        no_clock = frame_.reference->why_not();
    }
    const auto start = std::chrono::steady_clock::now();
    const double line = task_.speed->at_least;
    const double min_rate = task_.speed->copy_percent / 100 * options_.bandwidth;
    TimedPairs pairs(options_.timing);
    timing_ = Timing();
    timing_.in_round = true;
    timing_.no_clock = std::move(no_clock);
    timing_.full_round = std::uniform_int_distribution<int>(0, options_.timing.min_pairs)(secret_bits_);
    SpeedDecision decision = SpeedDecision::measure_more;
    for (; decision == SpeedDecision::measure_more; ++timing_.round) {
        timing_.calls = 0;
        round();
        finish_call();
        if (timing_.calls != 1) throw CheckError("a round of speed() makes exactly one timed() call");
        if (worst_case() != Verdict::passed) {
            result_.speed = SpeedResult{.at_least = line, .note = "the timed call's result is wrong"};
            return;
        }
        if (timing_.round > 0) pairs.add(timing_.last);
        const SpeedLines lines{.speedup = line, .max_seconds = min_rate > 0 ? timing_.bytes / min_rate : 0};
        decision = pairs.decide(lines, seconds_since(start));
        if (decision == SpeedDecision::measure_more || is_clear(pairs)) continue;
        timing_.kept_baseline.reset();
        timing_.may_keep = true;
        pairs.begin_anew(seconds_since(start));
        decision = SpeedDecision::measure_more;
    }
    result_.speed = summarise_speed(pairs.pairs(), line, timing_.bytes, options_.bandwidth, decision);
    result_.speed->at_least_percent = min_rate > 0 ? task_.speed->copy_percent : 0;
    result_.speed->retries = pairs.retries();
    result_.speed->kept_baseline = timing_.kept_baseline.has_value();
    if (timing_.may_keep && std::ssize(pairs.pairs()) >= options_.timing.min_pairs)
        options_.baselines->keep(timing_.call, result_.speed->baseline_seconds);
    result_.speed->note = timing_.no_clock;
    if (options_.on_gpu) {
        result_.speed->noisy |= !timing_.no_clock.empty();
        return;
    }
    result_.speed->graded = false;
    result_.speed->note = "on the host backend: shown, not graded" +
                          (timing_.no_clock.empty() ? "" : "; " + timing_.no_clock);
}

std::size_t CheckRunner::timed_call(std::string_view function, std::vector<CheckValue> arguments, double bytes,
                                    const std::function<void()>& baseline) {
    if (!timing_.in_round) throw CheckError("timed() belongs in a round of speed()");
    CurrentCall call = prepare(function, std::move(arguments));
    if (!timing_.case_index) {
        timing_.case_index = add_case(call, "timed, ");   // one case for all rounds
        if (options_.before_timing)
            options_.before_timing(task_, result_.cases[*timing_.case_index].name, *call.function, call.arguments);
    }
    call.case_index = *timing_.case_index;
    call.sampled = timing_.round != timing_.full_round;
    ++timing_.calls;
    timing_.bytes = bytes;
    if (options_.baselines && timing_.call.empty()) {
        timing_.call = fmt::format("{} {} {}", task_.id, function, task_.speed->elements);
        timing_.kept_baseline = options_.baselines->find(timing_.call);
        timing_.may_keep = !timing_.kept_baseline;
    }
    const auto run_baseline = [&] {
        const auto start = std::chrono::steady_clock::now();
        if (!timing_.kept_baseline) baseline();
        timing_.last.baseline_seconds = timing_.kept_baseline.value_or(seconds_since(start));
        result_.spent.baselines += seconds_since(start);
    };
    const bool baseline_first = timing_.round % 2 == 0;   // so that neither always runs on the warmer machine
    const bool reference_first = !baseline_first && timing_.reference;
    if (baseline_first) run_baseline();
    if (reference_first) time_reference();
    call.reply = make_call(call, Use::timed);
    timing_.last.seconds = call.reply.seconds;
    timing_.last.delivery_seconds = call.reply.delivery_seconds;
    note_results(call);
    if (!reference_first) time_reference();
    if (!baseline_first) run_baseline();
    for (Value& argument : call.arguments) argument.lent = {};  // it was for that call only
    take(std::move(call));
    return calls_;
}

// The reference delivers results like this call's.
void CheckRunner::note_results(const CurrentCall& call) {
    if (!frame_.reference || call.reply.outcome != Outcome::returned) return;
    ReferenceWork work{.bytes = timing_.bytes, .results = {}};
    for (const Value& one : call.reply.results) work.results.push_back({{one.place, one.type}, one.shape});
    timing_.reference = std::move(work);
}

void CheckRunner::time_reference() {
    timing_.last.reference_seconds = timing_.last.reference_delivery_seconds = 0;
    if (!timing_.reference || !timing_.no_clock.empty()) return;
    const ScopedTimer spent(result_.spent.reference);
    const std::optional<CallResult> reply = frame_.reference->call(*timing_.reference);
    if (!reply) return;
    if (reply->outcome != Outcome::returned) {
        timing_.no_clock = "the grader's reference can't run beside it: " + reply->message;
        return;
    }
    timing_.last.reference_seconds = reply->seconds;
    timing_.last.reference_delivery_seconds = reply->delivery_seconds;
}

Verdict CheckRunner::worst_case() const {
    Verdict verdict = Verdict::passed;
    for (const CaseResult& one : result_.cases) verdict = worst(verdict, one.verdict);
    return verdict;
}

// The verdict of the usual run: first the cases, then time. Counted work is judged after the second run.
void CheckRunner::judge_speed() {
    result_.verdict = worst(result_.verdict, worst_case());
    if (!result_.speed && task_.speed && !options_.on_gpu)
        result_.speed = SpeedResult{.at_least = task_.speed->at_least,
                                    .note = "no GPU. Counted work decides here."};
    if (!result_.speed || !result_.speed->graded || result_.verdict != Verdict::passed) return;
    const SpeedResult& speed = *result_.speed;
    if (!speed.noisy && !(speed.speedup >= speed.at_least)) {
        result_.verdict = Verdict::too_slow;
        result_.message =
            fmt::format("{:.3g} times the baseline's speed; {:.3g} is the least", speed.speedup, speed.at_least);
    } else if (!speed.noisy && !(speed.copy_percent >= speed.at_least_percent)) {
        result_.verdict = Verdict::too_slow;
        result_.message = fmt::format("{:.3g}% of this device's copy bandwidth; {:.3g}% is the least",
                                      speed.copy_percent, speed.at_least_percent);
    } else if (speed.implausible) {
        result_.verdict = Verdict::review;
        result_.message = fmt::format(
            "one call took {:.3g} us: the bytes that it has to move, at {:.3g}% of this device's copy bandwidth; more "
            "than {:.3g}% can't be\n"
            "This isn't an accusation: a clock, a number of bytes or the bandwidth may be wrong. Show it to your "
            "instructor, who looks whether all work is done when the function returns, and can give the points.",
            1e6 * speed.seconds, speed.copy_percent, 100 * max_of_copies);
    } else if (speed.noisy) {
        result_.verdict = Verdict::noisy;
    }
}

}  // namespace course
