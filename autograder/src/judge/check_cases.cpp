// SPDX-License-Identifier: MIT
#include "judge/check_cases.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "judge/values/compare.hpp"
#include "judge/values/elements.hpp"
#include "judge/work/required_kernels.hpp"
#include "manifest/names.hpp"
#include "support/text.hpp"

namespace course {

namespace {

// The number of elements of a larger timed result that are compared each time.
constexpr std::int64_t sampled_positions = 65'536;

bool is_argument(const Difference& difference) { return difference.pattern.ends_with("returned unchanged"); }

}  // namespace

std::int64_t all_elements(std::span<const Value> values) {
    std::int64_t elements = 0;
    for (const Value& value : values)
        if (value.place != protocol::Place::scalar) elements += size_of(value.shape);
    return elements;
}

CheckCases::CheckCases(const Manifest& manifest, const Task& task, Caller& caller, const JudgeOptions& options,
                       const RunFrame& frame)
    : manifest_(manifest), task_(task), caller_(caller), options_(options), frame_(frame), secret_bits_(frame.secret),
      inputs_(frame.seed, frame.task_index) {
    result_.id = task.id;
    result_.title = task.title;
    result_.max_points = task.points;
    result_.star = task.star;
    result_.ahead = task.ahead;
}

void CheckCases::uniform(ElementType type, std::span<const std::int64_t> shape, double low, double high,
                          std::span<std::byte> out) {
    const ScopedTimer spent(result_.spent.drawing);
    inputs_.uniform(type, shape, low, high, out);
}

void CheckCases::integers(ElementType type, std::span<const std::int64_t> shape, std::int64_t low, std::int64_t high,
                           std::span<std::byte> out) {
    const ScopedTimer spent(result_.spent.drawing);
    inputs_.integers(type, shape, low, high, out);
}

void CheckCases::next_case(std::string name) { next_name_ = std::move(name); }

const Function& CheckCases::find_function(std::string_view name, bool given) const {
    const auto found = std::find_if(manifest_.functions.begin(), manifest_.functions.end(),
                                    [&](const Function& one) { return one.name == name && one.given == given; });
    if (found == manifest_.functions.end())
        throw CheckError(fmt::format("{}(\"{}\"): exercise.toml lists no such function{}", given ? "given" : "call",
                                     name, given ? " with given = true" : ""));
    return *found;
}

// Prepares a call: finishes the previous one, and checks the time left and the arguments against the manifest.
CheckCases::CurrentCall CheckCases::prepare(std::string_view function, std::vector<CheckValue> arguments) {
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

CallResult CheckCases::make_call(const CurrentCall& call, Use use) {
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

std::size_t CheckCases::add_case(const CurrentCall& call, std::string default_prefix) {
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

// The expectations are added when the check states them.
void CheckCases::keep_case(const CurrentCall& call) {
    const std::int64_t elements = all_elements(call.arguments) + all_elements(call.reply.results);
    if (manifest_.check_elements == 0 || elements > manifest_.check_elements) return;
    ReplayableCase one{.index = call.case_index, .elements = elements, .function = call.function, .arguments = {},
                 .expected = {}};
    one.arguments = call.arguments;
    one.expected.resize(call.function->returns.size());
    kept_.push_back(std::move(one));
}

// Takes a call's reply: makes it current, with its counts; records a failure, which may end the task.
void CheckCases::take(CurrentCall call) {
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

void CheckCases::compare_inputs() {
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
void CheckCases::finish_call() {
    if (!current_) return;
    const CurrentCall call = std::move(*current_);
    current_.reset();
    case_ends(result_.cases[call.case_index]);
    if (call.failed) return;
    for (std::size_t k = 0; k < call.judged.size(); ++k)
        if (!call.judged[k])
            throw CheckError(fmt::format("the check never looks at result {} of {} ({})", k + 1, call.function->name,
                                         result_.cases[call.case_index].name));
}

CheckCases::CurrentCall& CheckCases::current(std::size_t call) {
    if (!current_ || call != calls_) throw CheckError("a call is judged before the next one is made");
    return *current_;
}

void CheckCases::record_wrong(std::string message) {
    CaseResult& one = current_case();
    one.verdict = worst(one.verdict, Verdict::wrong);
    if (!one.message.empty() && !message.empty()) one.message += '\n';
    one.message += message;
}

std::string CheckCases::result_name(int result) const {
    return current_->function->returns.size() == 1 ? "result" : fmt::format("result {}", result + 1);
}

void CheckCases::check_result_index(int result) const {
    if (result < 0 || static_cast<std::size_t>(result) >= current_->function->returns.size())
        throw CheckError(fmt::format("the check looks at result {} of {}, which has {}", result + 1,
                                     current_->function->name, current_->function->returns.size()));
}

void CheckCases::expect_count(std::size_t call, int results) {
    const CurrentCall& one = current(call);
    if (static_cast<std::size_t>(results) != one.function->returns.size())
        throw CheckError(fmt::format("returns() has {} expected values; exercise.toml says that {} returns {}", results,
                                     one.function->name, one.function->returns.size()));
}

void CheckCases::expect(std::size_t call, int result, const Expected& expected) {
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
std::vector<std::int64_t> CheckCases::sampled(std::int64_t size, std::span<const std::int64_t> canaries) {
    std::vector<std::int64_t> positions = random_positions(secret_bits_, size, sampled_positions);
    std::copy_if(canaries.begin(), canaries.end(), std::back_inserter(positions),
                 [&](std::int64_t one) { return one < size; });
    std::sort(positions.begin(), positions.end());   // for access in memory order
    return positions;
}

const CheckValue* CheckCases::result(std::size_t call, int result, ElementType type, int rank) {
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

std::vector<CheckValue> CheckCases::given(std::string_view function, std::vector<CheckValue> arguments,
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
        result_.message = fmt::format("in {}, which the check runs itself: {}", function,
                                      reply.message.empty() ? default_message(reply.outcome) : reply.message);
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

void CheckCases::predictions(int at_least) { predictions_.need(at_least); }

void CheckCases::predicts(std::size_t call, std::vector<Shown> shown) {
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

bool CheckCases::has_expected_shapes(std::size_t call) { return !current(call).failed && !current(call).misshapen; }

void CheckCases::claim(std::size_t call, std::string_view statement, double measured, double bound) {
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
void CheckCases::note_property(MeasuredProperty property) {
    const auto nearness = [](const MeasuredProperty& one) { return one.measured / one.at_most; };
    const auto same = [&](const MeasuredProperty& one) { return one.name == property.name; };
    const auto noted = std::find_if(result_.properties.begin(), result_.properties.end(), same);
    if (noted == result_.properties.end()) result_.properties.push_back(std::move(property));
    else if (nearness(*noted) <= 1 && !(nearness(property) <= nearness(*noted))) *noted = std::move(property);
}

void CheckCases::counts(std::size_t call, std::string_view kernel, std::string_view counter, const CountBound& bound,
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

std::int64_t CheckCases::speed_elements() const {
    if (!task_.speed) throw CheckError("speed_elements(): exercise.toml has no speed line for this task");
    return task_.speed->elements;
}

Verdict CheckCases::worst_case() const {
    Verdict verdict = Verdict::passed;
    for (const CaseResult& one : result_.cases) verdict = worst(verdict, one.verdict);
    return verdict;
}

}  // namespace course
