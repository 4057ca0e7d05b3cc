// SPDX-License-Identifier: MIT
#include "judge/check_mode.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "judge/check_runner.hpp"
#include "judge/reseeded_cases.hpp"
#include "judge/values/elements.hpp"
#include "judge/work/budgets.hpp"
#include "judge/work/required_kernels.hpp"
#include "manifest/names.hpp"
#include "support/progress.hpp"
#include "verdict/verdict.hpp"

namespace course {

namespace {

// The maximum number of a task's cases that are run again, and of failed ones that are searched for the cause: the
// verdict must come while the student is still looking.
constexpr std::size_t max_cases = 32, max_searched = 3;

// A right answer may take its time; a failed one is cut short.
const CheckLimits patient{.seconds_per_block = 10, .seconds = 30};
const CheckLimits brief{.seconds_per_block = 2, .seconds = 15};
// A case that hung may hang here, too; an endless loop in a kernel is found after the seconds per block.
const CheckLimits stuck{.seconds_per_block = 2, .seconds = 5};

using Cases = std::vector<const ReplayableCase*>;

void sort_by_size(Cases& cases) {
    std::stable_sort(cases.begin(), cases.end(),
                     [](const ReplayableCase* a, const ReplayableCase* b) { return a->elements < b->elements; });
}

/// Orders findings about one kernel, causes before consequences: threads that miss a barrier race after it, and a
/// thread without an element, which is stopped where it writes, has already read what nobody wrote.
int rank_of_cause(FindingKind kind) noexcept {
    return kind == FindingKind::divergent_barrier ? 0 : kind == FindingKind::out_of_bounds ? 1 : 2;
}

/// A selection evenly spread over the sizes, including the largest.
Cases spread(const Cases& sorted, std::size_t count) {
    if (sorted.size() <= count) return sorted;
    Cases chosen;
    for (std::size_t k = 0; k < count; ++k) chosen.push_back(sorted[(k + 1) * sorted.size() / count - 1]);
    return chosen;
}

/// Equally many of each function's cases, and all that were drawn again.
Cases choose(std::span<const ReplayableCase> kept, std::span<const CaseResult> results) {
    std::vector<std::pair<const Function*, Cases>> functions;
    Cases anew;
    for (const ReplayableCase& one : kept) {
        if (results[one.index].anew) {
            anew.push_back(&one);
            continue;
        }
        const auto same = [&](const auto& group) { return group.first == one.function; };
        auto group = std::find_if(functions.begin(), functions.end(), same);
        if (group == functions.end()) group = functions.insert(functions.end(), {one.function, {}});
        group->second.push_back(&one);
    }
    Cases chosen;
    for (auto& [function, cases] : functions) {
        sort_by_size(cases);
        Cases some = spread(cases, std::max<std::size_t>(max_cases / functions.size(), 3));
        // Findings are shown, preferably with plain numbers. The largest case stays last, since the counts name it.
        if (!some.empty())
            std::stable_partition(some.begin(), some.end() - 1,
                                  [](const ReplayableCase* one) { return !has_nonfinite(one->arguments); });
        chosen.insert(chosen.end(), some.begin(), some.end());
    }
    chosen.insert(chosen.end(), anew.begin(), anew.end());
    return chosen;
}

/// The verdict for this mistake, on every machine: if a kernel can't continue, the host backend stops it in the usual
/// run already, while a GPU may let it run into the next array, or hang.
Verdict earned_by(FindingKind kind) noexcept {
    switch (gpu::facts_of(kind).ends) {
        case gpu::Ends::goes_on: return Verdict::wrong;
        case gpu::Ends::hangs: return Verdict::timed_out;
        case gpu::Ends::stops: break;
    }
    return Verdict::crashed;
}

Verdict earned_by(std::span<const FoundMistake> found) noexcept {
    Verdict verdict = Verdict::wrong;
    for (const FoundMistake& one : found) verdict = worst(verdict, earned_by(one.finding.kind));
    return verdict;
}

class CheckModePass {
public:
    CheckModePass(const Task& task, Caller& caller, CheckTime& time, bool replays, TaskResult& result)
        : task_(task), caller_(caller), time_(time), result_(result),
          replays_(replays && !(task.budgets.empty() && task.kernels.empty())) {}

    /// The values are right: checks how they were computed.
    void confirm(std::span<const ReplayableCase> kept) {
        for (const ReplayableCase* one : choose(kept, result_.cases)) {
            if (time_.is_over()) {
                leave_unseen(*one, Verdict::timed_out,
                             fmt::format("check mode may take {:.3g} s for all calls of an answer", time_.seconds()));
                break;
            }
            CheckLimits limits = patient;
            limits.replays = replays_ && !is_questioned_ && is_compared(*one);
            const CallResult reply = call(*one, limits);
            const bool is_late = reply.outcome == Outcome::timed_out || is_slow(reply);
            if (is_late || reply.outcome == Outcome::out_of_memory) {
                leave_unseen(*one, is_late ? Verdict::timed_out : Verdict::out_of_memory, reply.message);
                break;
            }
            if (reply.check) note_mistakes(*one, *reply.check);
            if (!check_.found.empty()) {
                make_worse(*one, earned_by(check_.found), {});
                break;
            }
            if (reply.outcome != Outcome::returned) {
                const bool machines = verdict_of(reply.outcome) == Verdict::environment;
                const std::string said =
                    reply.message.empty() ? std::string(default_message(reply.outcome)) : reply.message;
                make_worse(*one, verdict_of(reply.outcome), machines ? said : "in check mode: " + said);
                break;
            }
            const bool is_replayed = limits.replays && reply.replay;
            if (limits.replays && !reply.replay) question_counts(*one, reply);
            if (is_replayed && !has_replayed(*one, *reply.replay)) break;
            const CallResult& counted = is_replayed ? *reply.replay : reply;
            case_of(*one).checked_counts = counted.counts;
            if (counted.check) {
                case_of(*one).modelled_us = modelled_us(counted.counts, counted.check->kernels);
                note_work(*one, counted.check->kernels);
            }
            note_counted(*one, reply, is_replayed);
            if (!compare_results(*one, reply)) break;
            if (is_replayed && !(gives_the_answer(*one, *reply.replay) && gives_others_too(*one, reply))) break;
            if (is_replayed) {
                note_sent(*one, *reply.replay);
                keep_largest(*one, reply);
            }
        }
        judge_sent();
        judge_idle();
        judge_spoiled(kept);
    }

    /// The answer failed: searches for the cause.
    void explain(std::span<const ReplayableCase> kept) {
        Cases failed, others;
        for (const ReplayableCase& one : kept)
            (case_of(one).verdict == result_.verdict ? failed : others).push_back(&one);
        sort_by_size(failed);
        sort_by_size(others);
        const auto empty = [](const ReplayableCase* one) { return one->elements == 0; };
        std::stable_partition(failed.begin(), failed.end(), [&](const ReplayableCase* one) { return !empty(one); });
        // The case that is shown comes first, so that a finding belongs to the case that the student sees.
        const CaseResult* shown = telling_case(result_);
        std::stable_partition(failed.begin(), failed.end(),
                              [&](const ReplayableCase* one) { return &case_of(*one) == shown; });
        Cases searched(failed.begin(),
                       failed.begin() + static_cast<std::ptrdiff_t>(std::min(failed.size(), max_searched)));
        // If only large cases fail, the largest small one may have the same mistake without its consequence.
        if (failed.empty() && !others.empty()) searched.push_back(others.back());
        for (const ReplayableCase* one : searched) {
            if (time_.is_over()) break;
            const bool hung = case_of(*one).verdict == Verdict::timed_out;
            if (hung && time_.left_for_hung() <= stuck.seconds_per_block) break;
            const CallResult reply = hung ? call_again(*one) : call(*one, brief);
            if (!reply.check) continue;
            note_mistakes(*one, *reply.check);
            note_work(*one, reply.check->kernels);
            case_of(*one).checked_counts = reply.counts;
            if (check_.found.empty()) continue;
            if (reads_unset(*reply.check)) tell_anew(*one, reply);
            case_of(*one).verdict = result_.verdict = worst(result_.verdict, earned_by(check_.found));
            break;
        }
    }

    /// Judges counted work by the budgets: of calls, of required kernels, of all kernels. A call that lacks required
    /// work is reported even if a mistake was found while it computed the right values.
    void judge_budgets(bool was_right) {
        const bool right = is_right(result_.verdict);
        const std::vector<BudgetResult> required = check_required_kernels(task_.kernels, work_);
        result_.budgets = check_budgets(task_.budgets, result_.cases);
        result_.budgets.insert(result_.budgets.end(), required.begin(), required.end());
        for (BudgetResult& budget : check_work_budgets(task_.budgets, work_))
            result_.budgets.push_back(std::move(budget));
        Verdict verdict = Verdict::passed;
        std::string broken;
        // it was never seen running
        if (right && required.empty() && !task_.kernels.empty() && !check_.note.empty()) {
            verdict = Verdict::not_as_asked;
            broken = name_of(task_.kernels[0]) + " must run; " + check_.note + "\n";
        }
        std::vector<BudgetResult*> order;
        for (BudgetResult& budget : result_.budgets) order.push_back(&budget);
        // A wrong index comes first, reported once: the counts follow from it, a call's before a kernel's. Then that no
        // kernel ran, or that one thread did everything; then what decides the verdict.
        bool index_is_said = false;
        const auto rank = [](const BudgetResult* one) {
            if (one->index_is_wrong) return one->kernel.empty() ? 0 : 1;
            if (one->kept() || verdict_of(*one) != Verdict::not_as_asked) return 4;
            const bool idle = one->counter == "launches" ? !one->kernel.empty() || one->counted == 0
                                                         : is_parallelism(one->counter);
            return idle ? 2 : 3;
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](const BudgetResult* a, const BudgetResult* b) { return rank(a) < rank(b); });
        const bool by_host = result_.verdict == Verdict::wrong && is_rounding_of_host();
        for (BudgetResult* const budget : order) {
            const bool of_call = budget->kernel.empty() && !is_about_work(budget->counter);
            const bool lacks = was_right && of_call && verdict_of(*budget) == Verdict::not_as_asked;
            const bool explains = result_.verdict == Verdict::wrong && verdict_of(*budget) == Verdict::wrong;
            const bool unlaunched = by_host && of_call && budget->counter == "launches" && budget->falls_short();
            if (unlaunched) {   // the verdict must not depend on whether the rounding is within the tolerance
                result_.verdict = Verdict::not_as_asked;
                result_.message.insert(0, "it looks as if the host has added this up in float, which rounds more\n");
            }
            if (budget->kept() || !(right || lacks || explains || unlaunched)) continue;
            if (broken.empty() && !of_call) show_work(budget->case_name);
            budget->decides = true;
            verdict = worst(verdict, verdict_of(*budget));
            if (budget->index_is_wrong && !std::exchange(index_is_said, true)) broken += budget->cause + "\n";
            broken += (budget->index_is_wrong ? statement(*budget) : describe(*budget)) + "\n";
        }
        if (broken.empty()) return;
        result_.verdict = worst(result_.verdict, verdict);
        if (result_.message.empty()) broken.pop_back();
        result_.message.insert(0, broken);
    }

    /// Stores the result and the points that the verdict now earns. A case that wasn't seen in check mode hasn't
    /// passed: an answer that can stop check mode could do anything there.
    void finish(bool checked) {
        if (unseen_ && exit_code(result_.verdict) == 0) make_worse(*unseen_->first, unseen_->verdict, unseen_->message);
        if (checked) result_.check = std::move(check_);
        if (exit_code(result_.verdict) != 0) result_.points = 0;
    }

private:
    /// True if nothing was launched, data was copied to the host, and a single number is nearly right.
    [[nodiscard]] bool is_rounding_of_host() const {
        bool any = false;
        for (const CaseResult& one : result_.cases) {
            if (one.counts.launches > 0) return false;
            if (one.verdict != Verdict::wrong) continue;
            if (!one.difference || one.difference->total != 1 || one.counts.bytes_to_host == 0) return false;
            const double got = std::strtod(one.difference->got.c_str(), nullptr);
            const double want = std::strtod(one.difference->want.c_str(), nullptr);
            if (!(std::abs(got - want) <= 1e-3 * std::abs(want))) return false;
            any = true;
        }
        return any;
    }
    CaseResult& case_of(const ReplayableCase& one) { return result_.cases.at(one.index); }
    const std::string& name(const ReplayableCase& one) { return case_of(one).name; }

    void leave_unseen(const ReplayableCase& one, Verdict verdict, const std::string& why) {
        check_.note = fmt::format("{} and larger cases take too much time or memory for check mode", name(one));
        unseen_ = {&one, verdict,
                   fmt::format("right in the usual run, but check mode, which watches each access, could not finish "
                               "it{}\nIs there a loop that doesn't end there, or far more work than {} elements need?",
                               why.empty() ? "" : ": " + why, one.elements)};
    }

    CallResult call_again(const ReplayableCase& hung) {
        CheckLimits limits = stuck;
        limits.seconds = std::min(limits.seconds, time_.left_for_hung());
        const auto start = std::chrono::steady_clock::now();
        CallResult reply = call(hung, limits);
        time_.spend_on_hung(seconds_since(start));
        return reply;
    }

    CallResult call(const ReplayableCase& one, CheckLimits limits) {
        limits.seconds = std::min(limits.seconds, time_.left());
        try {
            return caller_.check_call(one.function->name, one.arguments, one.function->returns, limits);
        } catch (const std::exception& error) {
            throw CallFault(error.what());
        }
    }

    // --- the replay: the same work, done by a process without the answer's host code

    // A result that is only checked for a property doesn't validate the replay's.
    static bool is_compared(const ReplayableCase& one) {
        return std::any_of(one.expected.begin(), one.expected.end(), [](const auto& want) { return want.has_value(); });
    }

    void note_counted(const ReplayableCase& one, const CallResult& reply, bool is_replayed) {
        if (!replays_ || case_of(one).anew) return;
        ++check_.counted;
        if (is_replayed)
            ++check_.replayed;
        else if (check_.not_replayed.empty())
            check_.not_replayed = why_not_replayed(one, reply);
    }

    static std::string why_not_replayed(const ReplayableCase& one, const CallResult& reply) {
        return is_compared(one) ? reply.not_recorded : "results that are looked at for a property alone";
    }

    /// If a call can't be replayed, its own process may count it when right answers need whatever prevented the replay.
    void question_counts(const ReplayableCase& one, const CallResult& reply) {
        if (is_one_of(reply.not_recorded, task_.not_replayed)) return;
        is_questioned_ = true;
        if (reply.not_recorded == computed_by_host)
            leave_to_instructor(one, "can't be done again and counted: the values were computed on the CPU");
        else
            leave_to_instructor(one, "can't be done again" +
                                         (reply.not_recorded.empty() ? "" : ", because of " + reply.not_recorded));
    }

    /// True if the replay finished without mistakes.
    bool has_replayed(const ReplayableCase& one, const CallResult& replay) {
        if (replay.outcome == Outcome::no_device) throw CallFault(replay.message);
        const bool is_late = replay.outcome == Outcome::timed_out || is_slow(replay);
        if (is_late || replay.outcome == Outcome::out_of_memory) {
            leave_unseen(one, is_late ? Verdict::timed_out : Verdict::out_of_memory, replay.message);
            return false;
        }
        if (replay.check) note_mistakes(one, *replay.check);
        if (!check_.found.empty()) {
            make_worse(one, earned_by(check_.found), {});
            return false;
        }
        if (replay.outcome == Outcome::returned) return true;
        leave_to_instructor(one, "couldn't be done again: " + replay.message);
        return false;
    }

    bool gives_the_answer(const ReplayableCase& one, const CallResult& replay) {
        if (has_right_results(one, replay)) return true;
        leave_to_instructor(one, "gives other values when it is done again");
        return false;
    }

    /// If host code hasn't read any array values, the work is the same for all values: an earlier case's recording then
    /// gives the right results for those drawn again. It wouldn't with numbers that host code put into it.
    bool gives_others_too(const ReplayableCase& one, const CallResult& reply) {
        if (!case_of(one).anew) {
            if (reply.replay->counts.copies_to_host == 0) recorded_.push_back({&one, reply.recording});
            return true;
        }
        for (const auto& [earlier, recording] : recorded_) {
            if (!differs_in_device_arrays_alone(*earlier, one)) continue;
            CheckLimits limits = patient;
            limits.seconds = std::min(limits.seconds, time_.left());
            const std::optional<CallResult> other =
                caller_.replay_call(recording, one.arguments, one.function->returns, limits);
            if (!other) return true;
            const bool gives = other->outcome == Outcome::returned && gives_the_answer(one, *other);
            if (!gives) leave_to_instructor(one, "is right for the values that it was recorded with, and no others");
            return gives;
        }
        return true;
    }

    static bool differs_in_device_arrays_alone(const ReplayableCase& a, const ReplayableCase& b) {
        if (a.function != b.function || a.arguments.size() != b.arguments.size()) return false;
        return std::ranges::equal(a.arguments, b.arguments, [](const Value& x, const Value& y) {
            const bool is_free = x.place == protocol::Place::device_array;
            return x.shape == y.shape && (is_free || std::ranges::equal(x.data(), y.data()));
        });
    }

    // --- results that host code has computed and copied to the device, past kernels that change nothing

    /// One function's calls that have results to check.
    struct SentResults {
        int cases = 0;
        std::int64_t elements = 0;
        std::uint32_t always = ~std::uint32_t{0};   ///< bit k: result k was copied up in all of them
        const ReplayableCase* largest = nullptr;
    };

    void note_sent(const ReplayableCase& one, const CallResult& replay) {
        std::uint32_t compared = 0;
        std::int64_t elements = 0;
        for (std::size_t k = 0; k < std::min(one.expected.size(), replay.results.size()); ++k) {
            const std::int64_t size = size_of(replay.results[k].shape);
            if (!one.expected[k] || size == 0) continue;
            compared |= std::uint32_t{1} << k;
            elements += size;
        }
        if (compared == 0) return;
        SentResults& of = sent_[one.function];
        ++of.cases;
        of.elements += elements;
        of.always &= replay.sent & compared;
        if (of.largest == nullptr || of.largest->elements < one.elements) of.largest = &one;
    }

    /// In one case, a maximum, an all-false mask or a count may equal what was copied up, and in several cases so may a
    /// few elements.
    void judge_sent() {
        constexpr int min_cases = 2;
        constexpr std::int64_t min_elements = 64;
        if (!is_right(result_.verdict) || !needs_launch()) return;
        for (const auto& [function, of] : sent_) {
            if (of.cases < min_cases || of.elements < min_elements || of.always == 0) continue;
            make_worse(*of.largest, Verdict::not_as_asked,
                       fmt::format("the result doesn't come from what a kernel computed: in all {} cases that were "
                                   "done again, your host code has sent it to the device as it came back\n"
                                   "Send up what {} is given, and let a kernel do the arithmetic.",
                                   of.cases, function->name));
            return;
        }
    }

    // --- results that host code computes from what is copied to it

    /// If host code computes a result, no replay shows where its values come from. So the copies to the host are
    /// spoiled: a result that is right nevertheless, in two cases, comes from elsewhere.
    void judge_spoiled(std::span<const ReplayableCase> kept) {
        if (!comes_from_kernels() || !needs_launch() || !is_one_of(computed_by_host, task_.not_replayed)) return;
        std::map<const Function*, Cases> tries;
        for (const ReplayableCase& one : kept)
            if (may_depend_on_copies(one) && !case_of(one).anew) tries[one.function].push_back(&one);
        for (auto& [function, cases] : tries) {
            constexpr std::ptrdiff_t min_cases = 2;
            sort_by_size(cases);
            if (std::ssize(cases) < min_cases) continue;
            const auto is_right_all_the_same = [&](const ReplayableCase* one) {
                CheckLimits limits = stuck;
                limits.spoiled_copies = true;
                const CallResult reply = call(*one, limits);
                return reply.outcome == Outcome::returned && has_right_results(*one, reply);
            };
            if (!std::all_of(cases.end() - min_cases, cases.end(), is_right_all_the_same)) continue;
            make_worse(*cases.back(), Verdict::not_as_asked,
                       fmt::format("the result doesn't come from what a kernel computed: it is the same when the "
                                   "copies to the host bring other numbers\n"
                                   "Let a kernel compute what {} returns, and return what comes down.",
                                   function->name));
            return;
        }
    }

    /// True if its result is a real number, which can't be right by chance, and something was copied to the host.
    bool may_depend_on_copies(const ReplayableCase& one) {
        const auto is_real = [](const ValueType& type) {
            return type.place != protocol::Place::device_array &&
                   (type.type == protocol::Type::float32 || type.type == protocol::Type::float64);
        };
        const std::vector<ValueType>& results = one.function->returns;
        for (std::size_t k = 0; k < std::min(one.expected.size(), results.size()); ++k)
            if (one.expected[k] && is_real(results[k])) {
                const auto& counts = case_of(one).checked_counts;
                return one.elements > 0 && counts && counts->copies_to_host > 0;
            }
        return false;
    }

    // --- kernels that are launched only to be counted

    struct Replayed {
        const ReplayableCase* one;
        Bytes recording;
        std::shared_ptr<const CallResult> replay;
    };

    /// Remembers each function's two largest cases, which come last.
    void keep_largest(const ReplayableCase& one, const CallResult& reply) {
        if (task_.kernels.empty() || case_of(one).anew) return;
        std::vector<Replayed>& largest = largest_[one.function];
        if (largest.size() == 2) largest.erase(largest.begin());
        largest.push_back({&one, reply.recording, reply.replay});
    }

    /// A result that is right without a kernel was computed elsewhere. A single such case may be honest.
    void judge_idle() {
        for (const RequiredKernel& kernel : task_.kernels)
            for (const auto& [function, largest] : largest_) {
                if (!comes_from_kernels()) return;
                const auto is_idle = [&](const Replayed& of) {
                    return ran(kernel, of) && is_right_without(kernel, of);
                };
                if (kernel.name.empty() || largest.size() < 2 || !std::all_of(largest.begin(), largest.end(), is_idle))
                    continue;
                make_worse(*largest.back().one, Verdict::not_as_asked,
                           fmt::format("the result doesn't come from {}: it is the same when that isn't launched\n"
                                       "Return what the kernel computes.",
                                       name_of(kernel)));
            }
    }

    /// True as far as is known yet: one sentence is enough.
    [[nodiscard]] bool comes_from_kernels() const {
        return is_right(result_.verdict) && result_.verdict != Verdict::not_as_asked;
    }

    static bool ran(const RequiredKernel& kernel, const Replayed& of) {
        const auto& check = of.replay->check;
        return check && std::any_of(check->kernels.begin(), check->kernels.end(), [&](const KernelCounts& work) {
                   return work.launches > 0 && is_instance(work, kernel);
               });
    }

    bool is_right_without(const RequiredKernel& kernel, const Replayed& of) {
        CheckLimits limits = stuck;
        limits.left_out = kernel.name;
        const std::optional<CallResult> reply =
            caller_.replay_call(of.recording, of.one->arguments, of.one->function->returns, limits);
        return reply && reply->outcome == Outcome::returned && has_right_results(*of.one, *reply);
    }

    static bool has_right_results(const ReplayableCase& one, const CallResult& reply) {
        for (std::size_t k = 0; k < one.expected.size(); ++k)
            if (one.expected[k] && !compare_result(one, reply, k).passed) return false;
        return true;
    }

    [[nodiscard]] bool needs_launch() const {
        const auto is_floor = [](const Budget& one) {
            return one.counter == "launches" && one.at_least && *one.at_least != Limit{};
        };
        return !task_.kernels.empty() || std::any_of(task_.budgets.begin(), task_.budgets.end(), is_floor);
    }

    void leave_to_instructor(const ReplayableCase& one, const std::string& what) {
        make_worse(one, Verdict::review,
                   "the values are right, but this call's work on the device " + what +
                       "\nBudgets count that work when it is replayed without your host code. This isn't an "
                       "accusation: the kit may have recorded it wrongly. Show it to your instructor, who can give the "
                       "points.");
    }

    // An endless loop that did end in the first run may be a slow one.
    static bool is_slow(const CallResult& reply) {
        if (!reply.check) return false;
        const auto endless = [](const Finding& one) { return one.kind == FindingKind::endless_loop; };
        return std::any_of(reply.check->findings.begin(), reply.check->findings.end(), endless);
    }

    void note_mistakes(const ReplayableCase& one, const CheckReport& report) {
        std::vector<Finding> findings = report.findings;
        const auto of_one_kernel = [&](const Finding& finding) { return finding.kernel == findings.front().kernel; };
        if (std::all_of(findings.begin(), findings.end(), of_one_kernel))
            std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
                return rank_of_cause(a.kind) < rank_of_cause(b.kind);
            });
        for (Finding& finding : findings) check_.found.push_back({name(one), std::move(finding)});
        check_.more_found += report.more_findings;
    }

    void note_work(const ReplayableCase& one, std::vector<KernelCounts> kernels) {
        CaseResult& of = case_of(one);
        if (of.anew) return;   // a case of its size has been counted
        of.work = total(kernels);
        work_.push_back({.case_name = of.name, .size = of.size(), .kernels = kernels, .stated = of.stated});
        if (kernels.empty()) return;
        ++check_.cases;
        if (of.elements < check_.work_elements) return;
        check_.largest = check_.work_case = of.name;
        check_.work_elements = of.elements;
        check_.kernels = std::move(kernels);
    }

    void show_work(const std::string& case_name) {
        for (const CheckedWork& one : work_) {
            if (one.case_name != case_name) continue;
            check_.work_case = one.case_name;
            check_.work_elements = one.size.elements;
            check_.kernels = one.kernels;
            return;
        }
    }

    void make_worse(const ReplayableCase& one, Verdict verdict, std::string message) {
        CaseResult& of = case_of(one);
        of.verdict = worst(of.verdict, verdict);
        of.message = std::move(message);
        result_.verdict = worst(result_.verdict, verdict);
    }

    /// True if fresh device memory was read, so that a result may derive from it. (Reading a block's shared memory
    /// breaks another rule.)
    static bool reads_unset(const CheckReport& report) {
        const auto unset = [](const Finding& one) {
            return one.kind == FindingKind::uninitialized_read && one.rule == gpu::Rule::host_only_queues;
        };
        return std::any_of(report.findings.begin(), report.findings.end(), unset);
    }

    /// An element that looks as if it were never written was computed from memory that was never written.
    void tell_anew(const ReplayableCase& one, const CallResult& reply) {
        std::optional<Difference>& told = case_of(one).difference;
        for (std::size_t k = 0; told && k < std::min(one.expected.size(), reply.results.size()); ++k) {
            if (!one.expected[k]) continue;
            Comparison comparison = compare_result(one, reply, k, FreshMemory::was_read);
            if (comparison.difference && comparison.difference->where == told->where) {
                told = std::move(comparison.difference);
                break;
            }
        }
    }

    bool compare_results(const ReplayableCase& one, const CallResult& reply) {
        for (std::size_t k = 0; k < one.expected.size(); ++k) {
            if (!one.expected[k]) continue;
            Comparison comparison = compare_result(one, reply, k);
            if (comparison.passed) continue;
            make_worse(one, Verdict::wrong,
                       case_of(one).anew ? wrong_when_drawn_anew
                                         : "right in the usual run, and wrong in check mode: the result depends on "
                                           "what the kernel leaves to chance");
            if (!comparison.message.empty()) case_of(one).message += "\n" + comparison.message;
            case_of(one).difference = std::move(comparison.difference);
            return false;
        }
        return true;
    }

    struct Unseen {
        const ReplayableCase* first;
        Verdict verdict;
        std::string message;
    };

    const Task& task_;
    Caller& caller_;
    CheckTime& time_;
    TaskResult& result_;
    const bool replays_;   ///< counts decide here, and must be the replay's
    bool is_questioned_ = false;   ///< not all are: an instructor decides
    std::optional<Unseen> unseen_;
    std::vector<std::pair<const ReplayableCase*, Bytes>> recorded_;   // cases in which no value was copied to the host
    std::map<const Function*, SentResults> sent_;
    std::map<const Function*, std::vector<Replayed>> largest_;
    CheckResult check_;
    std::vector<CheckedWork> work_;
};

}  // namespace

void judge_in_check_mode(const Task& task, std::span<const ReplayableCase> kept, Caller& caller, CheckTime& time,
                         bool replays, TaskResult& result) {
    CheckModePass run(task, caller, time, replays, result);
    const bool was_right = is_right(result.verdict);
    switch (result.verdict) {
        case Verdict::passed:
        case Verdict::noisy:
        case Verdict::review:
        case Verdict::not_as_asked:
        case Verdict::over_budget:
        case Verdict::too_slow: run.confirm(kept); break;
        case Verdict::wrong:
        case Verdict::crashed:
        case Verdict::timed_out: run.explain(kept); break;
        default: return;
    }
    run.judge_budgets(was_right);
    run.finish(!kept.empty());
}

}  // namespace course
