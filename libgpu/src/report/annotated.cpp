// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gpu/check.hpp>

#include "report/columns.hpp"
#include "report/numbers.hpp"

namespace gpu {

namespace {

using detail::report::Column;
using detail::report::counted;
using detail::report::Style;

/// Kernels of one text, and what its lines did for all of them.
struct Sheet {
    std::vector<const KernelCounts*> kernels;
    std::vector<LineCounts> lines;
};

// A text is shown once, however many of its kernels ran.
std::vector<Sheet> sheets_of(const std::vector<KernelCounts>& kernels) {
    std::vector<Sheet> sheets;
    for (const KernelCounts& kernel : kernels) {
        const auto same = [&](const Sheet& sheet) {
            const KernelCounts& other = *sheet.kernels.front();
            return !kernel.source.empty() && other.file == kernel.file && other.first_line == kernel.first_line &&
                   other.source == kernel.source;
        };
        auto sheet = std::find_if(sheets.begin(), sheets.end(), same);
        if (sheet == sheets.end()) sheet = sheets.insert(sheets.end(), Sheet{});
        sheet->kernels.push_back(&kernel);
        for (const LineCounts& line : kernel.lines) {
            const auto there = std::find_if(sheet->lines.begin(), sheet->lines.end(), [&](const LineCounts& other) {
                return other.line == line.line && other.file == line.file;
            });
            if (there == sheet->lines.end())
                sheet->lines.push_back(line);
            else
                there->work += line.work;
        }
    }
    return sheets;
}

// As it stands on a screen: tabs as spaces, nothing behind the last visible character.
std::string visible(std::string_view line) {
    std::string text;
    for (const char c : line) {
        if (c == '\t')
            text.append(4 - text.size() % 4, ' ');
        else
            text += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

std::vector<std::string> lines_of(std::string_view source) {
    std::vector<std::string> lines;
    while (!source.empty()) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        lines.push_back(visible(source.substr(0, end)));
        source.remove_prefix(std::min(end + 1, source.size()));
    }
    return lines;
}

std::string right(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string title(const Sheet& sheet) {
    std::string text;
    for (const KernelCounts* kernel : sheet.kernels) {
        text += "kernel " + kernel->name;
        if (!kernel->file.empty() && kernel->file != kernel->name) text += " in " + kernel->file;
        text += ": " + counted(kernel->launches, "launch", "launches") + ", " +
                counted(kernel->blocks, "block", "blocks") + ", " + counted(kernel->threads, "thread", "threads") +
                '\n';
    }
    return text;
}

/// Numbers in a margin, a line each; then what they stand beside.
void show(std::string& text, const std::vector<Column>& columns, const std::vector<const WorkCounts*>& work,
          const std::vector<std::string>& beside) {
    std::vector<std::string_view> groups, names;
    for (const Column& column : columns) {
        groups.push_back(column.group);
        names.push_back(column.name);
    }
    detail::report::TextTable table(0);
    for (const WorkCounts* counts : work) {
        std::vector<std::string> cells;
        for (const Column& column : columns)
            cells.push_back(counts != nullptr ? cell(column, *counts, Style::margin) : "");
        table.row(std::move(cells));
    }
    table.head(groups, names);
    const std::vector<std::string> margin = table.lines(true);
    const std::size_t heads = margin.size() - work.size();
    for (std::size_t k = 0; k < margin.size(); ++k) {
        std::string line = margin[k] + " |";
        if (k >= heads && !beside[k - heads].empty()) line += ' ' + beside[k - heads];
        text += line + '\n';
    }
}

}  // namespace

std::string CheckReport::annotated() const {
    std::string text, legend;
    for (const Sheet& sheet : sheets_of(kernels)) {
        const KernelCounts& first = *sheet.kernels.front();
        const std::vector<std::string> source = lines_of(first.source);
        const int last_line = first.first_line + static_cast<int>(source.size()) - 1;
        std::vector<const WorkCounts*> work(source.size(), nullptr);
        std::vector<std::string> beside;
        const std::size_t digits = std::to_string(last_line).size();
        for (std::size_t k = 0; k < source.size(); ++k)
            beside.push_back(right(std::to_string(first.first_line + static_cast<int>(k)), digits) +
                             (source[k].empty() ? "" : "  " + source[k]));
        std::vector<WorkCounts> rows;
        for (const LineCounts& line : sheet.lines) {
            rows.push_back(line.work);
            if (line.file == first.file && line.line >= first.first_line && line.line <= last_line) {
                work[static_cast<std::size_t>(line.line - first.first_line)] = &line.work;
            } else {  // in a file that it includes, or in one that libgpu wrote around a learner's expression
                work.push_back(&line.work);
                beside.push_back(line.file + ':' + std::to_string(line.line));
            }
        }
        const std::vector<Column> columns = detail::report::columns_for(rows, Style::margin);
        if (!text.empty()) text += '\n';
        text += title(sheet);
        show(text, columns, work, beside);
        for (std::string line = detail::report::legend(columns); !line.empty();) {
            const std::string one = line.substr(0, line.find('\n') + 1);
            if (legend.find(one) == std::string::npos) legend += one;
            line.erase(0, one.size());
        }
    }
    return text.empty() ? text : text + (legend.empty() ? "" : "\n" + legend);
}

}  // namespace gpu
