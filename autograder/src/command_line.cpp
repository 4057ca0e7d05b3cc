// SPDX-License-Identifier: MIT
#include "command_line.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <type_traits>

#include <sys/prctl.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "kit/probe.hpp"
#include "kit_config.hpp"
#include "report/terminal.hpp"
#include "run/session.hpp"
#include "support/process.hpp"

namespace course {

namespace {

/// "09" is nine: CLI11 would read a number with a leading zero as an octal one.
const CLI::Validator decimal(
    [](std::string& text) {
        if (text.empty() || text.find_first_not_of("0123456789") != text.npos)
            return "\"" + text + "\" is not a valid exercise number; expected one such as 9";
        text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
        return std::string();
    },
    "");

/// Every command and option, one on a line and its parts between tabs: what docs/commands.md is made of.
void print_commands(const CLI::App& app, const std::string& name) {
    print(fmt::format("command\t{}\t{}\n", name, app.get_description()));
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty() || option == app.get_help_ptr()) continue;
        std::string choices = option->get_type_name();
        choices = choices.find('{') == choices.npos ? "" : choices.substr(choices.find('{'));
        print(fmt::format("option\t{}\t{}\t{}\t{}\t{}\n", option->get_name(option->get_positional(), true),
                          option->get_expected_max() == 0 ? "flag" : "value", option->get_required() ? "required" : "",
                          choices, option->get_description()));
    }
    for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
        print_commands(*command, name + " " + command->get_name());
}

}  // namespace

void CommandOptions::option(const std::string& names, Target to, const std::string& about,
                            const OptionRules& rules) const {
    CLI::Option& option = *std::visit(
        [&](auto* value) {
            if constexpr (std::is_same_v<decltype(value), bool*>)
                return app_->add_flag(names, *value, about);
            else
                return app_->add_option(names, *value, about);
        },
        to);
    option.required(rules.required);
    if (rules.has_commas) option.delimiter(',');
    if (rules.is_number) option.transform(decimal);
    if (rules.repeats) option.take_all()->expected(1);
    if (rules.is_positive) option.check(CLI::PositiveNumber);
    if (rules.range) option.check(CLI::Range(rules.range->first, rules.range->second));
    if (!rules.one_of.empty()) option.check(CLI::IsMember(rules.one_of));
    if (about.empty() && !app_->get_group().empty()) option.group("");
    if (!rules.needs.empty()) option.needs(app_->get_option(rules.needs));
    for (const std::string& other : rules.excludes) option.excludes(app_->get_option(other));
}

CommandLine::CommandLine(const std::string& about)
    : app_(std::make_unique<CLI::App>(about, "course")), parent_(app_.get()) {
    app_->fallthrough();
    app_->require_subcommand(1);
    app_->add_option("--root", root_, "the course's folder (default: COURSE_ROOT, else upwards from here)");
}

CommandLine::~CommandLine() = default;

void CommandLine::begin_group(const std::string& name, const std::string& about) {
    parent_ = parent_->add_subcommand(name, about)->require_subcommand(1);
}

CommandOptions CommandLine::add(const std::string& name, const std::string& about, Action act) {
    CLI::App& command = *parent_->add_subcommand(name, about);
    if (about.empty()) command.group("");
    if (act) command.callback([this, act = std::move(act)] { action_ = act; });
    return CommandOptions(command);
}

void CommandLine::act_by_default(Action act) {
    action_ = std::move(act);
    app_->require_subcommand(0, 1);
}

int CommandLine::run(int argc, char** argv) {
    app_->set_version_flag("--version", kit_version(), "the kit's version");
    app_->add_flag_callback(
            "--commands",
            [&] {
                print_commands(*app_, app_->get_name());
                throw CLI::Success();
            },
            "every command and option, for a program that reads them")
        ->group("");
    try {
        app_->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app_->exit(error) == 0 ? 0 : 4;
    }
    Kit kit;
    kit.root = find_root(root_);
    kit.toolchain = Toolchain::configured();
    return action_(kit);
}

int guarded(const std::function<int()>& run) {
    // Nobody else's program reads or changes this one's memory. LeakSanitizer does just that.
    if (*kit::sanitize_flags == '\0') ::prctl(PR_SET_DUMPABLE, 0);
    int code = 4;
    try {
        clean_up_on_signals(kill_leftover_processes);
        code = run();
    } catch (const std::system_error& error) {
        print_error(fmt::format("course: {}\n", explained(error)));
    } catch (const std::exception& error) {
        print_error(fmt::format("course: {}\n", error.what()));
    }
    kill_leftover_processes();
    return code;
}

}  // namespace course
