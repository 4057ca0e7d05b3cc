// SPDX-License-Identifier: MIT
#pragma once

// Shared by the command lines of `course`, `course-class` and `course-author`.

#include <algorithm>
#include <exception>
#include <functional>
#include <string>
#include <system_error>

#include <sys/prctl.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "kit/kit.hpp"
#include "kit/probe.hpp"
#include "kit_config.hpp"
#include "report/terminal.hpp"
#include "run/session.hpp"
#include "support/process.hpp"

namespace course {

using Action = std::function<int(const Kit&)>;

/// "09" is nine: CLI11 would read a number with a leading zero as octal.
inline const CLI::Validator& decimal() {
    static const CLI::Validator validator(
        [](std::string& text) {
            if (text.empty() || text.find_first_not_of("0123456789") != text.npos)
                return "\"" + text + "\" is not a valid exercise number; expected one such as 9";
            text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
            return std::string();
        },
        "");
    return validator;
}

/// Prints every command and option, one per line with tabs between its parts: the source of docs/commands.md.
inline void print_commands(const CLI::App& app, const std::string& name) {
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

/// Parses the arguments, which choose the action and the course's folder, and runs the action.
inline int parse_and_act(CLI::App& app, int argc, char** argv, const std::string& root, const Action& action) {
    app.set_version_flag("--version", kit_version(), "the kit's version");
    app.add_flag_callback(
           "--commands",
           [&] {
               print_commands(app, app.get_name());
               throw CLI::Success();
           },
           "every command and option, for a program that reads them")
        ->group("");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 4;
    }
    Kit kit;
    kit.root = find_root(root);
    kit.toolchain = Toolchain::configured();
    return action(kit);
}

/// Runs a program's main function: reports errors, and leaves no process behind.
inline int guarded_main(int argc, char** argv, int (*run)(int, char**)) {
    // No other program may read or change this one's memory. LeakSanitizer needs just that.
    if (*kit::sanitize_flags == '\0') ::prctl(PR_SET_DUMPABLE, 0);
    int code = 4;
    try {
        clean_up_on_signals(kill_leftover_processes);
        code = run(argc, argv);
    } catch (const std::system_error& error) {
        print_error(fmt::format("course: {}\n", explained(error)));
    } catch (const std::exception& error) {
        print_error(fmt::format("course: {}\n", error.what()));
    }
    kill_leftover_processes();
    return code;
}

}  // namespace course
