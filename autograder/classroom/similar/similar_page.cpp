// SPDX-License-Identifier: MIT
#include "classroom/similar/similar_page.hpp"

#include <algorithm>
#include <string_view>

#include <embedded/class_report.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "classroom/class_report/html.hpp"
#include "support/text.hpp"

namespace course {

namespace {

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

/// A pair, and the exercise that it is of.
struct PlacedPair {
    const ExerciseAnswers* exercise;
    const SimilarPair* pair;
};

/// The text of a file: shared code is marked, ignored code is grey. Space and comments look like the tokens around
/// them.
std::string code_html(const ComparedFile& file, const std::vector<bool>& in_both) {
    enum class Look { plain, grey, shared };
    const auto look_of = [&](std::size_t k) {
        return in_both[k] ? Look::shared : file.is_grey[k] ? Look::grey : Look::plain;
    };
    std::string html;
    const auto add = [&](std::size_t begin, std::size_t end, Look look) {
        if (begin >= end) return;
        const std::string text = html_text(std::string_view(file.text).substr(begin, end - begin));
        html += look == Look::shared ? "<mark>" + text + "</mark>"
                : look == Look::grey ? "<span class=\"faint\">" + text + "</span>"
                                     : text;
    };
    std::size_t done = 0;
    for (std::size_t k = 0; k < file.tokens.size();) {
        std::size_t last = k;
        while (last + 1 < file.tokens.size() && look_of(last + 1) == look_of(k)) ++last;
        add(done, file.tokens[k].begin, Look::plain);
        add(file.tokens[k].begin, file.tokens[last].end, look_of(k));
        done = file.tokens[last].end;
        k = last + 1;
    }
    add(done, file.text.size(), Look::plain);
    return html;
}

std::string side_html(const ComparedAnswer& answer, const ComparedAnswer& other, const std::string& who) {
    const std::vector<std::vector<bool>> shared = shared_tokens(answer, other);
    std::string html = fmt::format("<div>\n<h4>{}</h4>\n", html_text(who));
    for (std::size_t k = 0; k < answer.files.size(); ++k) {
        if (std::find(shared[k].begin(), shared[k].end(), true) == shared[k].end()) continue;
        html += fmt::format("<p class=\"faint\">{}</p>\n<pre>{}</pre>\n", html_text(answer.files[k].name),
                            code_html(answer.files[k], shared[k]));
    }
    return html + "</div>\n";
}

class Page {
public:
    explicit Page(const SimilarPage& page) : page_(page) {
        for (const ExerciseAnswers& exercise : page_.exercises)
            for (const SimilarPair& pair : exercise.found.pairs) pairs_.push_back({&exercise, &pair});
        std::stable_sort(pairs_.begin(), pairs_.end(), [](const PlacedPair& a, const PlacedPair& b) {
            return a.pair->share > b.pair->share || (!(a.pair->share < b.pair->share) && a.pair->alone > b.pair->alone);
        });
    }

    [[nodiscard]] std::string html() const {
        std::string body =
            "<p><strong>Similarity isn't proof.</strong> Students who learned together, or from the same page, write "
            "alike, and careful copying doesn't show here. No verdict and no points follow from this page: read both "
            "answers, then ask both students to explain theirs.</p>\n";
        body += pairs_html() + same_html() + how_html() + sides_html();
        return html_page({.title = "Similar answers", .body = body, .script = "", .style = text::pair_style});
    }

private:
    [[nodiscard]] static std::string who(const ExerciseAnswers& exercise, std::size_t answer) {
        const std::vector<std::size_t>& others = exercise.found.others[answer];
        constexpr std::size_t max_named = 3;
        std::string names = exercise.answers[answer].shown;
        for (std::size_t k = 0; k < std::min(others.size(), max_named); ++k)
            names += (k == 0 ? "; the same files: " : "; ") + exercise.answers[others[k]].shown;
        return names + (others.size() > max_named ? fmt::format("; {} more", others.size() - max_named) : "");
    }

    [[nodiscard]] std::string pairs_html() const {
        std::string html = "<h2>Pairs</h2>\n";
        if (pairs_.empty())
            return html + fmt::format("<p>No two answers have {} of their own code or more in common.</p>\n",
                                      percent(page_.options.at_least));
        std::vector<HtmlRow> rows;
        for (std::size_t k = 0; k < std::min(pairs_.size(), max_pairs_listed); ++k) {
            const auto& [exercise, pair] = pairs_[k];
            const std::string names = html_text(who(*exercise, pair->a)) + " <span class=\"faint\">and</span> " +
                                      html_text(who(*exercise, pair->b));
            rows.push_back({k < max_pairs_shown ? fmt::format("<a href=\"#pair-{}\">{}</a>", k + 1, names) : names,
                            {std::to_string(exercise->number), percent(pair->share), std::to_string(pair->common),
                             std::to_string(pair->alone)}});
        }
        html += html_table("Pairs of answers, the largest share first",
                           {"who", "exercise", "in common", "tokens in common", "of these in no other answer"}, rows);
        if (pairs_.size() > max_pairs_listed)
            html += fmt::format("<p>{} more have less in common; --at-least shows fewer, --exercises one by one.</p>\n",
                                plural(pairs_.size() - max_pairs_listed, "pair"));
        return html;
    }

    [[nodiscard]] std::string same_html() const {
        std::vector<HtmlRow> rows;
        for (const ExerciseAnswers& exercise : page_.exercises)
            for (const std::vector<std::size_t>& group : exercise.found.same) {
                std::vector<std::string> names;
                for (const std::size_t k : group) names.push_back(html_text(exercise.answers[k].shown));
                rows.push_back({fmt::format("{}", fmt::join(names, "; ")),
                                {std::to_string(exercise.number), std::to_string(group.size())}});
            }
        return "<h2>The same files</h2>\n" +
               (rows.empty()
                    ? "<p>No two answers of some length are equal byte for byte.</p>\n"
                    : html_table("Answers that are equal byte for byte", {"who", "exercise", "answers"}, rows));
    }

    [[nodiscard]] std::string how_html() const {
        const SimilarityOptions& options = page_.options;
        std::string html = fmt::format(
            "<h2>What was compared</h2>\n"
            "<p>Each student's latest answer to an exercise, as tokens: names, numbers, comments and layout make no "
            "difference, nor does the order of functions. What {} tokens in a row have in common counts, if it isn't "
            "<span class=\"faint\">grey</span>: what the exercise hands out{}, and what more than a quarter of the "
            "answers have (and more than {}). An answer with fewer than {} tokens of its own is too short to tell "
            "anything. The share is of both answers' own code; {} is the least that is shown.</p>\n",
            run_tokens, page_.published.empty() ? "" : ", what everybody may have read", options.common_answers,
            options.min_own, percent(options.at_least));
        if (!page_.compared_with.empty())
            html += fmt::format("<p>Also compared with: {}.</p>\n",
                                html_text(fmt::format("{}", fmt::join(page_.compared_with, ", "))));
        if (!page_.published.empty())
            html += fmt::format("<p>Everybody may have read: {}.</p>\n",
                                html_text(fmt::format("{}", fmt::join(page_.published, ", "))));
        std::vector<HtmlRow> rows;
        for (const ExerciseAnswers& exercise : page_.exercises)
            rows.push_back({html_text(fmt::format("{}: {}", exercise.number, exercise.title)),
                            {std::to_string(exercise.answers.size()), std::to_string(exercise.found.unchanged),
                             std::to_string(exercise.found.too_short), std::to_string(exercise.found.same_but_short),
                             std::to_string(exercise.found.pairs.size())}});
        return html + html_table("Exercises",
                                 {"exercise", "answers", "unchanged stubs", "too short",
                                  "of these as another, byte for byte", "pairs"},
                                 rows);
    }

    [[nodiscard]] std::string sides_html() const {
        std::string html;
        for (std::size_t k = 0; k < std::min(pairs_.size(), max_pairs_shown); ++k) {
            const auto& [exercise, pair] = pairs_[k];
            const ComparedAnswer &a = exercise->answers[pair->a], &b = exercise->answers[pair->b];
            html += fmt::format(
                "<div class=\"pair\" id=\"pair-{}\">\n<h3>{}. Exercise {}: {} in common</h3>\n"
                "<div class=\"sides\">\n{}{}</div>\n</div>\n",
                k + 1, k + 1, exercise->number, percent(pair->share), side_html(a, b, who(*exercise, pair->a)),
                side_html(b, a, who(*exercise, pair->b)));
        }
        if (html.empty()) return html;
        return fmt::format(
                   "<h2>Side by side</h2>\n<p><mark>Marked</mark>: in both. <span class=\"faint\">Grey</span>: "
                   "doesn't count. Files without anything in common are left out.{}</p>\n",
                   pairs_.size() > max_pairs_shown ? fmt::format(" The first {} pairs.", max_pairs_shown) : "") +
               html;
    }

    const SimilarPage& page_;
    std::vector<PlacedPair> pairs_;
};

}  // namespace

std::string similar_page(const SimilarPage& page) { return Page(page).html(); }

}  // namespace course
