// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "kit/kit.hpp"

namespace CLI {
class App;
}

namespace course {

/// What a command does, once all arguments are read; it returns the exit code.
using Action = std::function<int(const Kit&)>;

/// Where an option's value goes; a bool is a flag.
using Target = std::variant<bool*, int*, double*, std::string*, std::optional<std::uint64_t>*,
                            std::optional<std::string>*, std::vector<int>*, std::vector<std::string>*>;

/// What must hold of an option.
struct OptionRules {
    bool required = false;
    bool is_number = false;   ///< of an exercise or a lesson: "09" is nine
    bool has_commas = false;  ///< several values are one argument, with commas between
    bool repeats = false;     ///< may be given several times
    bool is_positive = false;
    std::optional<std::pair<int, int>> range = {};
    std::vector<std::string> one_of = {};
    std::string needs = {};                  ///< an option that must be given as well
    std::vector<std::string> excludes = {};  ///< and those that must not
};

/// One command's options, as the command declares them.
class CommandOptions {
public:
    explicit CommandOptions(CLI::App& app) : app_(&app) {}

    /// @param names "--from", "-v,--counts"; without dashes an argument that is known by its place
    /// @param about empty: for the kit's own processes, and shown to nobody
    void option(const std::string& names, Target to, const std::string& about, const OptionRules& rules = {}) const;
    void exercise_number(int& to) const {
        option("number", &to, "the exercise's number", {.required = true, .is_number = true});
    }

private:
    CLI::App* app_;
};

/// The command line of a program. Each command is a function that adds it, with its options and its action.
class CommandLine {
public:
    explicit CommandLine(const std::string& about);
    ~CommandLine();

    /// All commands from here on stand behind this one: `course dev check`.
    void begin_group(const std::string& name, const std::string& about);
    /// @param about as of an option @param act null: it is only listed
    CommandOptions add(const std::string& name, const std::string& about, Action act);
    /// @return the command, and what `act` gets of its options
    template <class... Options>
    auto add(const std::string& name, const std::string& about, int (*act)(const Kit&, Options...)) {
        const auto options = std::make_shared<std::tuple<std::remove_cvref_t<Options>...>>();
        const auto command =
            add(name, about, Action([options, act](const Kit& kit) {
                    return std::apply([&](const auto&... each) { return act(kit, each...); }, *options);
                }));
        return std::apply(
            [&](auto&... each) { return std::tuple<CommandOptions, decltype(each)...>(command, each...); }, *options);
    }
    /// What a command line without a command does; if this isn't said, one must be named.
    void act_by_default(Action act);

    /// Reads the arguments, which choose the command and the course's folder, and acts.
    int run(int argc, char** argv);

private:
    std::unique_ptr<CLI::App> app_;
    CLI::App* parent_;
    std::string root_;
    Action action_;
};

/// A command's function.
using AddCommand = void(CommandLine&);

/// A whole program around `run`: errors are said, and no process is left.
int guarded(const std::function<int()>& run);

}  // namespace course
