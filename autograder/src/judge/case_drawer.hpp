// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "judge/check_cases.hpp"

namespace course {

/// Draws the inputs of a check's small cases, up to the first large one, with the expected results, and calls nothing
/// of the answer's. For the check, each call has failed: it continues, and nothing is compared.
class CaseDrawer final : public CheckCases {
public:
    CaseDrawer(const Manifest& manifest, const Task& task, Caller& caller, const JudgeOptions& options,
               const RunFrame& frame)
        : CheckCases(manifest, task, caller, options, frame) {}

    /// @throws CheckError, CallFault.
    [[nodiscard]] std::vector<DrawnCase> draw(void (*check)(CheckHost&));

    void uniform(ElementType type, std::span<const std::int64_t> shape, double low, double high,
                 std::span<std::byte> out) override;
    void integers(ElementType type, std::span<const std::int64_t> shape, std::int64_t low, std::int64_t high,
                  std::span<std::byte> out) override;
    std::size_t call(std::string_view function, std::vector<CheckValue> arguments) override;
    void image(const Image& image) override;
    [[nodiscard]] bool measures_speed() const override { return false; }
    void speed(const std::function<void()>& round) override;
    std::size_t timed_call(std::string_view function, std::vector<CheckValue> arguments, double bytes,
                           const std::function<void()>& baseline) override;

private:
    void case_ends(const CaseResult& one) override;
    void end_at(std::span<const std::int64_t> shape) const;
};

}  // namespace course
