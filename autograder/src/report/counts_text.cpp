// SPDX-License-Identifier: MIT
#include "report/counts_text.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "judge/work/work_budgets.hpp"

namespace course {

namespace {

constexpr std::size_t longest_kernel = 200, longest_line = 200;  // lines that are shown of one, and bytes of a line

std::string count_cell(double count) { return count == 0 ? "" : fmt::format("{:.10g}", count); }
std::string ratio_text(double ratio) { return ratio == 0 ? "" : fmt::format("{:.1f}", ratio); }

/// What stands in a column, empty for none of it.
struct Column {
    std::string_view title;
    std::string (*text)(const Work&);
};

constexpr Column table_columns[] = {
    {"reads", [](const Work& work) { return count_cell(counted(work, "global_reads")); }},
    {"writes", [](const Work& work) { return count_cell(counted(work, "global_writes")); }},
    {"sectors/req", [](const Work& work) { return ratio_text(counted(work, "sectors_per_request")); }},
    {"used",
     [](const Work& work) { return work.global_sectors == 0 ? "" : fmt::format("{:.0f}%", 100 * used_share(work)); }},
    {"sh.reads", [](const Work& work) { return count_cell(counted(work, "shared_reads")); }},
    {"sh.writes", [](const Work& work) { return count_cell(counted(work, "shared_writes")); }},
    {"bank ways", [](const Work& work) { return ratio_text(counted(work, "bank_conflict_ways")); }},
    {"atomics", [](const Work& work) { return count_cell(static_cast<double>(work.atomics)); }},
    {"turns", [](const Work& work) { return ratio_text(counted(work, "atomic_turns")); }},
    {"barriers", [](const Work& work) { return count_cell(static_cast<double>(work.barriers)); }},
    {"warp ops", [](const Work& work) { return count_cell(counted(work, "warp_operations")); }},
    {"divergent", [](const Work& work) { return count_cell(counted(work, "divergent_requests")); }},
};

/// The columns that have something in them, with their widths.
class Columns {
public:
    explicit Columns(std::span<const Work> rows) {
        for (const Column& column : table_columns) {
            std::size_t width = 0;
            for (const Work& row : rows) width = std::max(width, column.text(row).size());
            if (width > 0) used_.push_back({&column, std::max(width, column.title.size())});
        }
    }

    [[nodiscard]] std::string titles() const {
        std::string text;
        for (const auto& [column, width] : used_) text += fmt::format("  {:>{}}", column->title, width);
        return text;
    }
    [[nodiscard]] std::string row(const Work* work) const {
        std::string text;
        for (const auto& [column, width] : used_)
            text += fmt::format("  {:>{}}", work ? column->text(*work) : "", width);
        return text;
    }

private:
    struct Used {
        const Column* column;
        std::size_t width;
    };
    std::vector<Used> used_;
};

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        std::string plain;
        line.resize(std::min(line.size(), longest_line));
        for (const char c : line) plain += c == '\t' ? std::string(4, ' ') : std::string(1, c);
        lines.push_back(std::move(plain));
    }
    return lines;
}

/// The lines, counted from 1, from the kernel's head to its end: as far as they can be told from the text.
struct Range {
    int first, last;
};
Range kernel_range(const std::vector<std::string>& text, int first, int last) {
    const auto line = [&](int number) -> std::string_view { return text[static_cast<std::size_t>(number - 1)]; };
    const int end = static_cast<int>(text.size());
    Range range{std::clamp(first, 1, std::max(end, 1)), std::clamp(last, 1, std::max(end, 1))};
    for (int k = range.first; k >= 1 && k <= end; --k)
        if (line(k).find("__global__") != std::string_view::npos) {
            range.first = k;
            break;
        }
    while (range.last < end && !line(range.last).starts_with('}')) {
        if (line(range.last + 1).find("__global__") != std::string_view::npos) break;
        ++range.last;
    }
    return range;
}

std::string table(const CheckResult& check) {
    std::vector<Work> rows;
    std::size_t width = 6;
    for (const KernelWork& kernel : check.kernels) {
        rows.push_back(kernel.work);
        width = std::max(width, kernel.name.size());
    }
    const Columns shown(rows);
    std::string text = fmt::format("{:<{}}  {:>8}  {:>8}{}\n", "kernel", width, "launches", "threads", shown.titles());
    for (const KernelWork& kernel : check.kernels)
        text += fmt::format("{:<{}}  {:>8}  {:>8}{}\n", kernel.name, width, kernel.launches, kernel.threads,
                            shown.row(&kernel.work));
    return text;
}

/// The lines of one kernel that lie in one of the answer's files.
std::string margin(const SourceFile& source, const std::map<int, Work>& work) {
    std::vector<Work> rows;
    for (const auto& [line, of] : work) rows.push_back(of);
    const Columns shown(rows);
    const std::vector<std::string> text = lines_of(source.text);
    const Range range = kernel_range(text, work.begin()->first, work.rbegin()->first);
    std::string drawn = fmt::format("{:>5}{}  | {}\n", "line", shown.titles(), source.name);
    for (int k = range.first; k <= range.last && k <= static_cast<int>(text.size()); ++k) {
        if (static_cast<std::size_t>(k - range.first) == longest_kernel) return drawn + "  ...\n";
        const auto found = work.find(k);
        drawn += fmt::format("{:>5}{}  | {}\n", k, shown.row(found == work.end() ? nullptr : &found->second),
                             text[static_cast<std::size_t>(k - 1)]);
    }
    return drawn;
}

}  // namespace

std::string counts_text(const CheckResult& check, std::span<const SourceFile> sources) {
    if (check.kernels.empty()) return "";
    std::string text = fmt::format("work of the kernels at {}\n{}", check.work_case, table(check));
    for (const KernelWork& kernel : check.kernels)
        for (const SourceFile& source : sources) {
            std::map<int, Work> work;
            for (const LineWork& line : kernel.lines)
                if (base_name(line.file) == source.name) work[line.line] = work[line.line] + line.work;
            if (!work.empty()) text += "\n" + margin(source, work);
        }
    return text;
}

}  // namespace course
