// SPDX-License-Identifier: MIT
// The kit's pages in a terminal: `course help TOPIC`.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "lessons/page_text.hpp"
#include "report/output.hpp"
#include "support/files.hpp"

namespace course {

namespace {

struct Topic {
    std::string_view name, about, page;
    std::string_view section = {};  ///< a heading of the page; empty: all of it
};

constexpr Topic topics[] = {
    {"loop", "a student's commands", "docs/student.md", "The loop"},
    {"watch", "judged when you save", "docs/student.md", "Judged when you save"},
    {"verdicts", "what a verdict means, and what to do", "docs/student.md", "Reading a verdict"},
    {"ledger", "what a line costs", "docs/student.md", "The ledger: what a line costs"},
    {"host", "without a GPU, and check mode", "docs/student.md", "Without a GPU: the host backend"},
    {"submit", "handing in", "docs/student.md", "Handing in"},
    {"progress", "where your progress is kept", "docs/student.md", "Your progress"},
    {"rules", "the six rules of the machine in your head", "lessons/notional-machine.md"},
    {"pictures", "what make show-N draws", "docs/pictures.md"},
    {"debugging", "gdb in a kernel", "docs/debugging.md"},
    {"editors", "kernels in your editor", "docs/editors.md"},
    {"eigen", "from Eigen, NumPy and CuPy to libgpu", "docs/from-eigen-and-numpy.md"},
    {"words", "what each word means", "docs/glossary.md"},
    {"commands", "every command and its options", "docs/commands.md"},
    {"environment", "every environment variable", "docs/environment.md"},
    {"grading", "for instructors: grading a class", "docs/instructor.md", "Grading a class"},
    {"security", "for instructors: what a student's code can't do", "docs/security.md"},
};

std::string list_of_topics() {
    std::string text;
    for (const Topic& topic : topics) text += fmt::format("  {:<12} {}\n", topic.name, topic.about);
    return text;
}

}  // namespace

int help_command(const Kit& kit, const std::string& name) {
    if (name.empty()) {
        print(
            fmt::format("Topics, each shown by {0} help TOPIC:\n{1}The commands: {0} --help, or make help.\n"
                        "All pages with pictures and a search: make docs\n",
                        kit.command(), list_of_topics()));
        return 0;
    }
    const auto* const topic =
        std::find_if(std::begin(topics), std::end(topics), [&](const Topic& one) { return one.name == name; });
    if (topic == std::end(topics))
        throw UsageError(fmt::format("there is no topic \"{}\"; there are:\n{}", name, list_of_topics()));
    const std::string text = page_text(read_file(kit.root / topic->page), topic->section);
    if (text.empty())
        throw UsageError(
            fmt::format("{} has no part \"{}\": is it of another version of the kit?", topic->page, topic->section));
    print(fmt::format("{}\nFrom {}\n", text, topic->page));
    return 0;
}

}  // namespace course
