// SPDX-License-Identifier: MIT
#include "classroom/class_report/html.hpp"

#include <stdexcept>

#include <embedded/class_report.hpp>
#include <fmt/format.h>
#include <sodium.h>

#include "support/text.hpp"

namespace course {

namespace {

/// The hash that stands for a text in a Content-Security-Policy: 'sha256-BASE64'.
std::string hash_of(std::string_view text) {
    std::string hash(crypto_hash_sha256_BYTES, '\0');
    if (sodium_init() < 0) throw std::runtime_error("libsodium can't be used");
    ::crypto_hash_sha256(reinterpret_cast<unsigned char*>(hash.data()),
                         reinterpret_cast<const unsigned char*>(text.data()), text.size());
    return fmt::format("'sha256-{}'", base64(hash));
}

/// True for a cell that is aligned right: a number, a share, or nothing.
bool is_number(const std::string& cell) {
    return cell.find_first_not_of("0123456789.%+?- ") == cell.npos || cell == "\xE2\x80\x93" || cell == "not graded";
}

/// Which columns only have numbers.
std::vector<bool> number_columns(std::size_t count, const std::vector<HtmlRow>& rows) {
    std::vector<bool> numbers(count, true);
    for (const HtmlRow& row : rows)
        for (std::size_t k = 0; k < row.cells.size() && k < count; ++k)
            if (!is_number(row.cells[k])) numbers[k] = false;
    return numbers;
}

}  // namespace

std::string html_page(const HtmlPage& page) {
    const std::string style = text::page_style + page.style;
    std::string policy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hash_of(style);
    if (!page.script.empty()) policy += "; script-src " + hash_of(page.script);
    std::string html = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<style>{}</style>\n</head>\n"
        "<body>\n<main>\n<h1>{}</h1>\n",
        policy, html_text(page.title), style, html_text(page.title));
    html += page.body;
    html += "</main>\n";
    if (!page.script.empty()) html += "<script>" + page.script + "</script>\n";
    return html + "</body>\n</html>\n";
}

std::string html_table(const std::string& caption, const std::vector<std::string>& columns,
                       const std::vector<HtmlRow>& rows) {
    std::string html = fmt::format(
        "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"{0}\"><table>\n<caption>{0}</caption>\n"
        "<thead><tr>",
        caption);
    const std::vector<bool> numbers = number_columns(columns.size() - 1, rows);
    const auto kind = [&](std::size_t k) { return k < numbers.size() && !numbers[k] ? " class=\"text\"" : ""; };
    for (std::size_t k = 0; k < columns.size(); ++k)
        html += fmt::format("<th scope=\"col\"{}>{}</th>", k == 0 ? "" : kind(k - 1), columns[k]);
    html += "</tr></thead>\n<tbody>\n";
    for (const HtmlRow& row : rows) {
        html += fmt::format("<tr><th scope=\"row\">{}</th>", row.head);
        for (std::size_t k = 0; k < row.cells.size(); ++k) html += fmt::format("<td{}>{}</td>", kind(k), row.cells[k]);
        html += "</tr>\n";
    }
    return html + "</tbody>\n</table></div>\n";
}

}  // namespace course
