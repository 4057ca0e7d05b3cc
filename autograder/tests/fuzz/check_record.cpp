// SPDX-License-Identifier: MIT
// What a runner says that check mode saw, and all that is made of it: counters, causes, pages, JSON.
#include <cmath>
#include <cstring>
#include <memory>

#include <nlohmann/json.hpp>

#include "fuzz/course_fixture.hpp"
#include "judge/work/budgets.hpp"
#include "manifest/names.hpp"
#include "report/counts_text.hpp"
#include "report/result_json.hpp"
#include "run/validate_reply.hpp"

namespace fuzz {

namespace {

using namespace course;

template <std::size_t bytes>
void set_text(char (&to)[bytes], Values& from) {
    const std::string_view text = from.text();
    std::copy_n(text.begin(), std::min(text.size(), bytes), to);
}

void set_work(gpu::WorkCounts& work, Values& from) {
    for (const auto& [name, value] : gpu::work_facts) work.*value = from.number();
}

void set_record(protocol::CheckRecord& record, Values& from) {
    record.finding_count = static_cast<std::uint32_t>(from.number());
    record.kernel_count = static_cast<std::uint32_t>(from.number());
    record.line_count = static_cast<std::uint32_t>(from.number());
    record.cut = from.take<std::uint8_t>();
    record.all_findings = from.number();
    for (std::uint32_t k = 0; k < std::min(record.finding_count, protocol::max_findings); ++k) {
        protocol::FindingRecord& finding = record.findings[k];
        finding.kind = static_cast<std::uint32_t>(from.number());
        finding.rule = static_cast<std::uint32_t>(from.number());
        finding.line = static_cast<std::int32_t>(from.number());
        finding.times = from.number();
        set_text(finding.kernel, from);
        set_text(finding.file, from);
        set_text(finding.what, from);
        set_text(finding.advice, from);
    }
    for (std::uint32_t k = 0; k < std::min(record.kernel_count, protocol::max_kernels); ++k) {
        protocol::KernelRecord& kernel = record.kernels[k];
        set_text(kernel.name, from);
        set_text(kernel.file, from);
        set_text(kernel.made_in, from);
        set_text(kernel.rewritten, from);
        kernel.launches = from.number();
        kernel.blocks = from.number();
        kernel.threads = from.number();
        kernel.shape_count = from.number();
        for (std::uint64_t shape = 0; shape < std::min<std::uint64_t>(kernel.shape_count, protocol::max_shapes);
             ++shape)
            for (const auto axis : {&gpu::Dim3::x, &gpu::Dim3::y, &gpu::Dim3::z}) {
                kernel.shapes[shape].grid.*axis = static_cast<std::int64_t>(from.number());
                kernel.shapes[shape].block.*axis = static_cast<std::int64_t>(from.number());
            }
        set_work(kernel.work, from);
        kernel.first_line = static_cast<std::uint32_t>(from.number());
        kernel.line_count = static_cast<std::uint32_t>(from.number());
    }
    for (std::uint32_t k = 0; k < std::min(record.line_count, protocol::max_lines) && !from.rest().empty(); ++k) {
        set_text(record.lines[k].file, from);
        record.lines[k].line = static_cast<std::int32_t>(from.number());
        set_work(record.lines[k].work, from);
    }
}

void check_finding(const Finding& finding) {
    require(!gpu::sentence(finding.rule).empty(), "a rule that doesn't exist");
    require(finding.line >= 0 && finding.times >= 1, "a line or a number that can't be");
    for (const std::string* text :
         {&finding.kernel, &finding.file, &finding.variable, &finding.what, &finding.who, &finding.advice}) {
        require(text->find_first_of("\n\t") == text->npos, "a text of several lines");
        require_plain(*text, "a text of a finding");
    }
    require_plain(finding_text(finding), "a finding");
}

}  // namespace

FUZZ_TARGET(check_record, std::size_t{1} << 13) {
    static std::vector<std::byte> memory(sizeof(protocol::CheckRecord) + 64);
    static const auto record = std::make_unique<protocol::CheckRecord>();
    std::memset(static_cast<void*>(record.get()), 0, sizeof *record);
    Values from(input);
    const std::uint64_t offset = from.number();
    set_record(*record, from);
    std::memcpy(memory.data(), record.get(), sizeof *record);
    CheckReport report;
    try {
        report = take_check(memory, offset);
    } catch (const BadReply&) {
        return;
    }
    for (const Finding& finding : report.findings) check_finding(finding);

    CheckResult check{.cases = 1,
                      .largest = "n = 1009",
                      .found = {},
                      .more_found = report.more_findings,
                      .work_case = "n = 1009",
                      .work_elements = 1009,
                      .kernels = report.kernels,
                      .note = {},
                      .counted = 0,
                      .replayed = 0,
                      .not_replayed = {}};
    for (const Finding& finding : report.findings) check.found.push_back({"n = 1009", finding});
    for (const std::string_view counter : work_counter_names)
        require(counted(check.kernels, counter) >= 0, "a counter is negative, or no number");
    for (const std::string_view counter : ratio_names) {
        require(counted(check.kernels, counter) >= 0, "a ratio is negative, or no number");
        require_plain(cause_of_work(check.kernels, counter).text, "a cause");
    }
    const double share = used_share(total(check.kernels));
    require(share >= 0 && share <= 1, "more than all is used");
    require_plain(counts_text(check, std::vector<SourceFile>{{"a.cu", "one\ntwo\nthree\n"}}), "the page of counts");
    require_plain(work_text(check), "the line of work");
    TaskResult task;
    task.check = check;
    require_plain(found_text(task, "n = 1009"), "what was found");
    Result result;
    result.tasks.push_back(std::move(task));
    require(nlohmann::json::parse(result_json(result)).is_object(), "no JSON");
}

}  // namespace fuzz
