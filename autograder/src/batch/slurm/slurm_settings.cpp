// SPDX-License-Identifier: MIT
#include "batch/slurm/slurm_settings.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "manifest/toml_document.hpp"

namespace course {

namespace {

/// sbatch's options that are the kit's to set, and the key that says the same, if there is one.
struct OwnOption {
    std::string_view name, key;
};

constexpr OwnOption own_options[] = {
    {"--array", "chunk"},  {"--chdir", ""},    {"--cpus-per-task", "cpus"},
    {"--error", ""},       {"--gres", "gpus"}, {"--job-name", ""},
    {"--mem", "memory"},   {"--ntasks", ""},   {"--open-mode", ""},
    {"--output", ""},      {"--parsable", ""}, {"--partition", "partition"},
    {"--time", "minutes"}, {"--wait", ""},     {"--wrap", ""},
    {"--quiet", ""},
};

void read_options(const TomlTable& table, SlurmSettings& settings) {
    settings.options = table.texts("options");
    for (std::size_t k = 0; k < settings.options.size(); ++k) {
        const std::string& option = settings.options[k];
        if (!option.starts_with("--") || option.size() < 4)
            table.fail("options", k,
                       fmt::format("\"{}\" is not a long option of sbatch, such as \"--account=teaching\"", option));
        const std::string name = option.substr(0, option.find('='));
        const auto own = std::find_if(std::begin(own_options), std::end(own_options),
                                      [&](const OwnOption& one) { return one.name == name; });
        if (own == std::end(own_options)) continue;
        if (name == "--gres" && settings.gpus == 0) continue;  // "--gres=gpu:h200:1"
        table.fail("options", k,
                   own->key.empty() ? fmt::format("the kit sets {} itself", name)
                                    : fmt::format("the kit sets {} itself: use the key \"{}\"", name, own->key));
    }
}

std::string read_memory(const TomlTable& table) {
    const std::string text = table.text("memory");
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string unit = text.substr(digits);
    if (digits == 0 || unit.size() > 1 || (unit.size() == 1 && std::string_view("KMGT").find(unit) == unit.npos))
        table.fail("memory", fmt::format("\"memory\" is \"{}\"; expected a size as sbatch takes it: \"8G\"", text));
    return text;
}

}  // namespace

SlurmSettings read_slurm_settings(const std::filesystem::path& path, const std::string& shown) {
    const TomlDocument document(path, shown, "how a class is graded by Slurm");
    const TomlTable table = document.table();
    table.know({"format", "partition", "gpus", "cpus", "memory", "minutes", "chunk", "at_once", "resubmit",
                "settle_seconds", "poll_seconds", "kit", "options"});
    document.need_format(1, "Slurm's settings");
    SlurmSettings settings;
    const auto take = [&](const char* key, int least, int& value) {
        if (table.has(key)) value = table.count(key, least);
    };
    if (table.has("partition")) settings.partition = table.text("partition");
    take("gpus", 0, settings.gpus);
    take("cpus", 1, settings.cpus);
    if (table.has("memory")) settings.memory = read_memory(table);
    take("minutes", 1, settings.minutes);
    take("chunk", 1, settings.chunk);
    take("at_once", 1, settings.at_once);
    take("resubmit", 0, settings.resubmit);
    take("settle_seconds", 0, settings.settle_seconds);
    take("poll_seconds", 1, settings.poll_seconds);
    if (table.has("kit")) {
        settings.kit = table.text("kit");
        if (!settings.kit.is_absolute())
            table.fail("kit", fmt::format("\"kit\" is \"{}\"; expected a folder from the root on: \"/opt/gpu-course\"",
                                          settings.kit.string()));
    }
    if (table.has("options")) read_options(table, settings);
    return settings;
}

}  // namespace course
