// SPDX-License-Identifier: MIT
#include "batch/slurm/work_area.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <random>

#include <sys/stat.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "batch/grade_key.hpp"
#include "batch/slurm/slurm_text.hpp"
#include "batch/workers/worker_messages.hpp"
#include "support/files.hpp"
#include "support/remove_tree.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

using AreaJson = nlohmann::json;

constexpr const char* areas = ".slurm";
constexpr const char* name_begins = "course-grade-";
constexpr std::size_t most_of_log = std::size_t{1} << 16;

std::string as_line(const AreaJson& json) {
    return json.dump(-1, ' ', true, AreaJson::error_handler_t::replace) + "\n";
}

/// The lines of a text; none if its last one isn't whole.
std::optional<std::vector<std::string_view>> lines_of(std::string_view text) {
    if (text.empty() || text.back() != '\n') return {};
    std::vector<std::string_view> lines;
    for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1))
        lines.push_back(text.substr(0, end));
    return lines;
}

void make_private_folder(const fs::path& path) {
    if (::mkdir(path.c_str(), 0700) == 0) return;
    if (errno != EEXIST || ::chmod(path.c_str(), 0700) != 0) throw FileError("make the folder", path, errno);
}

}  // namespace

std::string batch_text(const SlurmBatch& batch) {
    std::vector<std::size_t> sizes;
    for (const auto& jobs : batch.indexes) sizes.push_back(jobs.size());
    const GradingSetup& setup = batch.setup;
    std::vector<std::string> unseen;
    for (const std::filesystem::path& one : setup.unseen) unseen.push_back(one.string());
    std::string text = as_line({{"schema", 1},
                                {"kit", batch.kit},
                                {"results", setup.results.string()},
                                {"device", setup.device},
                                {"hidden", setup.hidden.string()},
                                {"unseen", unseen},
                                {"call_seconds", setup.call_seconds},
                                {"job_seconds", setup.job_seconds},
                                {"allow_unsandboxed", setup.allow_unsandboxed},
                                {"workers", setup.workers},
                                {"indexes", sizes}});
    for (const auto& jobs : batch.indexes)
        for (const GradeJob& job : jobs) text += job_line(job);
    return text;
}

std::optional<SlurmBatch> parse_batch(std::string_view text) try {
    const auto lines = lines_of(text);
    if (!lines) return {};
    const AreaJson json = AreaJson::parse((*lines)[0]);
    if (json.at("schema") != 1) return {};
    SlurmBatch batch;
    batch.kit = json.at("kit");
    batch.setup.results = json.at("results").get<std::string>();
    batch.setup.device = json.at("device");
    batch.setup.hidden = json.at("hidden").get<std::string>();
    for (const auto& one : json.at("unseen")) batch.setup.unseen.emplace_back(one.get<std::string>());
    batch.setup.call_seconds = json.at("call_seconds");
    batch.setup.job_seconds = json.at("job_seconds");
    batch.setup.allow_unsandboxed = json.at("allow_unsandboxed");
    batch.setup.workers = json.at("workers");
    std::size_t line = 1;
    for (const std::size_t size : json.at("indexes").get<std::vector<std::size_t>>()) {
        std::vector<GradeJob>& jobs = batch.indexes.emplace_back();
        for (std::size_t k = 0; k < size; ++k, ++line) {
            const std::optional<GradeJob> job = line < lines->size() ? parse_job((*lines)[line]) : std::nullopt;
            if (!job) return {};
            jobs.push_back(*job);
        }
    }
    if (line != lines->size()) return {};
    return batch;
} catch (const AreaJson::exception&) {
    return {};
}

std::string report_text(const IndexReport& report) {
    std::string text =
        as_line({{"device", report.device}, {"sandbox", report.sandbox}, {"jobs", report.outcomes.size()}});
    for (const JobOutcome& one : report.outcomes) text += answer_line({.ready = true, .outcome = one});
    return text;
}

std::optional<IndexReport> parse_report(std::string_view text) try {
    const auto lines = lines_of(text);
    if (!lines) return {};
    const AreaJson json = AreaJson::parse((*lines)[0]);
    IndexReport report{json.at("device"), json.at("sandbox"), {}};
    if (json.at("jobs") != lines->size() - 1) return {};
    for (std::size_t k = 1; k < lines->size(); ++k) {
        const std::optional<WorkerAnswer> answer = parse_answer((*lines)[k]);
        if (!answer || !answer->outcome) return {};
        report.outcomes.push_back(*answer->outcome);
    }
    return report;
} catch (const AreaJson::exception&) {
    return {};
}

WorkArea WorkArea::make(const fs::path& results, const SlurmBatch& batch) {
    std::random_device random;
    make_private_folder(results / areas);
    const WorkArea area(results / areas / fmt::format("{}{:08x}{:08x}", name_begins, random(), random()));
    make_private_folder(area.path_);
    for (const char* folder : {"done", "log", "unfinished"}) make_private_folder(area.path_ / folder);
    write_file_atomically(area.path_ / "batch", batch_text(batch), 0600);
    return area;
}

std::optional<WorkArea> WorkArea::left_over(const fs::path& results) {
    std::optional<WorkArea> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(results / areas, error)) {
        const WorkArea one(entry.path());
        if (!found && one.name().starts_with(name_begins) && one.batch())
            found = one;
        else
            one.remove();  // it was never whole: nothing was submitted
    }
    return found;
}

std::optional<SlurmBatch> WorkArea::batch() const try {
    return parse_batch(read_file(path_ / "batch"));
} catch (const FileError&) {
    return {};
}

void WorkArea::write_script(const std::string& text) const { write_file_atomically(path_ / "script", text, 0700); }

// The whole folder is read: a name that was looked up too early would stay unknown for a while on a network file
// system.
std::set<int> WorkArea::done() const {
    std::set<int> indexes;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(path_ / "done", error)) {
        const std::string name = entry.path().filename().string();
        if (!name.empty() && name.size() < 9 && name.find_first_not_of("0123456789") == name.npos)
            indexes.insert(std::stoi(name));
    }
    return indexes;
}

std::optional<IndexReport> WorkArea::report(int index) const try {
    return parse_report(read_file(path_ / "done" / fmt::format("{}", index)));
} catch (const FileError&) {
    return {};
}

void WorkArea::write_report(int index, const IndexReport& report) const {
    write_file_atomically(path_ / "done" / fmt::format("{}", index), report_text(report), 0600);
}

fs::path WorkArea::make_unfinished() const {
    std::string name = (path_ / "unfinished/XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw FileError("make the folder", name, errno);
    return name;
}

std::string WorkArea::log(int index) const {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(path_ / "log", error))
        if (entry.path().filename().string().starts_with(fmt::format("{}-", index))) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::string text;
    for (const fs::path& file : files) try {
            text += read_file(file, most_of_log).substr(0, most_of_log);
        } catch (const FileError&) {}
    return text;
}

void WorkArea::remove() const noexcept { remove_tree(path_); }

}  // namespace course
