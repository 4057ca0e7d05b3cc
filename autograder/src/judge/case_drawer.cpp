// SPDX-License-Identifier: MIT
#include "judge/case_drawer.hpp"

#include <utility>

#include "judge/values/elements.hpp"

namespace course {

std::vector<DrawnCase> CaseDrawer::draw(void (*check)(CheckHost&)) {
    try {
        check(*this);
        finish_call();
    } catch (const EndOfTask&) {   // the first large case
    }
    std::vector<DrawnCase> drawn;
    for (ReplayableCase& one : kept_) drawn.push_back({std::move(result_.cases[one.index]), std::move(one)});
    return drawn;
}

void CaseDrawer::end_at(std::span<const std::int64_t> shape) const {
    if (size_of({shape.begin(), shape.end()}) > manifest_.check_elements) throw EndOfTask();
}

void CaseDrawer::uniform(ElementType type, std::span<const std::int64_t> shape, double low, double high,
                         std::span<std::byte> out) {
    end_at(shape);
    CheckCases::uniform(type, shape, low, high, out);
}

void CaseDrawer::integers(ElementType type, std::span<const std::int64_t> shape, std::int64_t low, std::int64_t high,
                          std::span<std::byte> out) {
    end_at(shape);
    CheckCases::integers(type, shape, low, high, out);
}

std::size_t CaseDrawer::call(std::string_view function, std::vector<CheckValue> arguments) {
    CurrentCall call = prepare(function, std::move(arguments));
    call.case_index = add_case(call, {});
    keep_case(call);
    if (kept_.empty() || kept_.back().index != call.case_index) throw EndOfTask();
    call.failed = true;
    current_ = std::move(call);
    return ++calls_;
}

void CaseDrawer::image(const Image& /*image*/) {}

void CaseDrawer::speed(const std::function<void()>& /*round*/) {}

std::size_t CaseDrawer::timed_call(std::string_view /*function*/, std::vector<CheckValue> /*arguments*/,
                                   double /*bytes*/, const std::function<void()>& /*baseline*/) {
    throw CheckError("timed() belongs in a round of speed()");
}

void CaseDrawer::case_ends(const CaseResult& /*one*/) {}

}  // namespace course
