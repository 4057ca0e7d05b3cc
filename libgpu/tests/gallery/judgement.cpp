// SPDX-License-Identifier: MIT
#include "judgement.hpp"

#include <algorithm>
#include <sstream>

#include <gpu/check.hpp>
#include <gpu/device.hpp>
#include <gpu/error.hpp>

#include "execution.hpp"
#include "support/wanted_compiler.hpp"

namespace gallery {

namespace {

const char* const schedules[] = {"", "random:1", "random:2", "random:3"};

std::string in_schedule(const char* schedule, const std::string& what, const gpu::CheckReport& report) {
    return "in check mode, schedule=" + std::string(schedule) + ":\n" + what +
           (report.clean() ? "" : "the whole report:\n" + report.to_text());
}

// "14" in "line 14", but not in "line 141".
bool has_number(const std::string& text, int number) {
    const std::string digits = std::to_string(number);
    for (std::size_t at = text.find(digits); at != std::string::npos; at = text.find(digits, at + 1)) {
        const auto is_digit = [&text](std::size_t k) { return k < text.size() && text[k] >= '0' && text[k] <= '9'; };
        if (!(at > 0 && is_digit(at - 1)) && !is_digit(at + digits.size())) return true;
    }
    return false;
}

}  // namespace

std::vector<std::filesystem::path> kernel_files(const std::filesystem::path& root) {
    std::vector<std::filesystem::path> files;
    for (const char* folder : {"buggy", "correct"})
        for (const auto& entry : std::filesystem::directory_iterator(root / folder))
            if (entry.path().extension() == ".cu") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string judge_correct(const KernelFile& file) {
    Execution execution(file);
    try {
        execution.run();
        if (const std::string wrong = wrong_values(file, execution.contents()); !wrong.empty()) return wrong;
    } catch (const gpu::Error& error) {
        return error.what();
    }
    if (gpu::Device::current().kind() != gpu::BackendKind::host) return {};
    for (const char* const schedule : schedules) {
        const gpu::CheckReport report = gpu::check([&] { execution.run(); }, {.schedule = schedule});
        std::string wrong = report.clean() ? "" : "a false finding\n";
        wrong += wrong_values(file, execution.contents());
        wrong += wrong_counts(file, report);
        if (!wrong.empty()) return in_schedule(schedule, wrong, report);
    }
    return {};
}

std::string judge_buggy(const KernelFile& file) {
    Execution execution(file);
    // An endless loop is what takes longer than this; other kernels take milliseconds.
    const double seconds = file.finding->kind == gpu::FindingKind::endless_loop ? 0.2 : 60;
    for (const char* const schedule : {"", "random:1"}) {
        const gpu::CheckReport report =
            gpu::check([&] { execution.run(); }, {.schedule = schedule,
                                                  .seconds_per_block = seconds,
                                                  .strict_barriers = file.strict_barriers});
        if (file.is_for_gcc && with_clang()) {
            if (!report.clean()) return in_schedule(schedule, "what only g++ told so far\n", report);
            continue;
        }
        const std::string wrong = difference(*file.finding, report.findings);
        if (!wrong.empty()) return in_schedule(schedule, wrong, report);
    }
    return {};
}

std::string difference(const FindingSpec& expected, const std::vector<gpu::Finding>& findings) {
    if (findings.size() != 1) return "expected one finding, there are " + std::to_string(findings.size()) + "\n";
    const gpu::Finding& found = findings.front();
    if (found.kind != expected.kind)
        return "expected " + std::string(to_string(expected.kind)) + ", found " + std::string(to_string(found.kind)) +
               "\n";
    std::string lines;
    for (const int line : expected.lines) lines += (lines.empty() ? "" : " ") + std::to_string(line);
    if (std::find(expected.lines.begin(), expected.lines.end(), found.line) == expected.lines.end())
        return "expected it on line " + lines + ", it is on " + std::to_string(found.line) + "\n";
    for (const int line : expected.lines)
        if (!expected.any_line && line != found.line && !has_number(found.what + found.who, line))
            return "expected that it names the lines " + lines + ", it doesn't name " + std::to_string(line) + "\n";
    if (found.variable != expected.variable)
        return "expected the variable `" + expected.variable + "', it says `" + found.variable + "'\n";
    if (found.what.empty() || found.who.empty() || found.advice.empty()) return "one of its three lines is empty\n";
    return {};
}

std::string wrong_counts(const KernelFile& file, const gpu::CheckReport& report) {
    const auto total = [&report](const std::string& name) {
        double sum = 0;
        for (const gpu::KernelCounts& kernel : report.kernels)
            sum += static_cast<double>(*count_named(kernel.work, name));
        return sum;
    };
    std::ostringstream text;
    for (const CountSpec& spec : file.counts) {
        const double count = total(spec.count), per = spec.per.empty() ? 1 : total(spec.per);
        if (count == spec.value * per && per != 0) continue;
        text << spec.count << " is " << count;
        if (!spec.per.empty()) text << ", " << spec.per << " is " << per;
        text << "; expected " << spec.value << (spec.per.empty() ? "" : " each") << "\n";
    }
    return text.str();
}

}  // namespace gallery
