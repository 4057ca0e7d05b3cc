// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>
#include <locale.h>

#include "classroom/submissions/take_in.hpp"
#include "progress/submission.hpp"
#include "support/folder.hpp"

namespace test {

/// An entry of an archive that a test packs, honest or not.
struct Packed {
    std::string path, bytes = {};
    unsigned type = AE_IFREG;
    std::string target = {};  ///< of a link
    bool is_hard_link = false;
    std::int64_t sparse_size = 0;  ///< of a file that is a hole but for its bytes
};

enum class Pack { zip, stored_zip, tar, tar_gz, tar_xz, tar_zst, tar_bz2, encrypted_zip };

inline std::string pack(const std::vector<Packed>& entries, Pack how = Pack::zip) {
    // As the programs of LMS and students do, which have a locale: names are marked as UTF-8.
    const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr), before = ::uselocale(utf8);
    REQUIRE(utf8);
    const std::shared_ptr<void> as_before(nullptr, [&](void*) { ::uselocale(before), ::freelocale(utf8); });
    std::string out(std::size_t{64} << 20, '\0');
    std::size_t used = 0;
    const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(), archive_write_free);
    const auto must = [&](int code) {
        if (code < ARCHIVE_WARN) throw std::runtime_error(archive_error_string(writer.get()));
    };
    const bool zip = how == Pack::zip || how == Pack::stored_zip || how == Pack::encrypted_zip;
    must(zip ? archive_write_set_format_zip(writer.get()) : archive_write_set_format_pax(writer.get()));
    if (how == Pack::stored_zip) must(archive_write_zip_set_compression_store(writer.get()));
    if (how == Pack::encrypted_zip) {
        must(archive_write_set_options(writer.get(), "zip:encryption=traditional"));
        must(archive_write_set_passphrase(writer.get(), "secret"));
    }
    if (how == Pack::tar_gz) must(archive_write_add_filter_gzip(writer.get()));
    if (how == Pack::tar_xz) must(archive_write_add_filter_xz(writer.get()));
    if (how == Pack::tar_zst) must(archive_write_add_filter_zstd(writer.get()));
    if (how == Pack::tar_bz2) must(archive_write_add_filter_bzip2(writer.get()));
    must(archive_write_set_bytes_per_block(writer.get(), 0));
    must(archive_write_open_memory(writer.get(), out.data(), out.size(), &used));
    for (const Packed& one : entries) {
        const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                                  archive_entry_free);
        archive_entry_set_pathname(entry.get(), one.path.c_str());
        archive_entry_set_filetype(entry.get(), one.type);
        archive_entry_set_perm(entry.get(), one.type == AE_IFDIR ? 0755 : 0644);
        archive_entry_set_size(entry.get(), static_cast<la_int64_t>(one.bytes.size()));
        if (one.type == AE_IFLNK) archive_entry_set_symlink(entry.get(), one.target.c_str());
        if (one.is_hard_link) archive_entry_set_hardlink(entry.get(), one.target.c_str());
        if (one.sparse_size > 0) {
            archive_entry_set_size(entry.get(), one.sparse_size);
            archive_entry_sparse_add_entry(entry.get(), 0, static_cast<la_int64_t>(one.bytes.size()));
        }
        must(archive_write_header(writer.get(), entry.get()));
        if (one.type == AE_IFREG && !one.is_hard_link && !one.bytes.empty())
            if (archive_write_data(writer.get(), one.bytes.data(), one.bytes.size()) < 0) must(ARCHIVE_FATAL);
    }
    must(archive_write_close(writer.get()));
    out.resize(used);
    return out;
}

/// A class's submissions in a folder, taken in with the toy course's exercises: 01-twice (twice.cpp) and 02-shift
/// (shift.cpp, shift.cu).
struct Class {
    Folder folder;
    course::IntakeOptions options;

    Class() {
        std::filesystem::create_directory(folder / "in");
        options.submissions = folder / "in";
        options.into = folder / "results";
        options.root = COURSE_SOURCE_DIR "/autograder/tests/toy";
    }

    void write(const std::string& name, const std::string& text) const { folder.write("in/" + name, text); }
    void roster(const std::string& text) {
        folder.write("roster.csv", text);
        options.roster = folder / "roster.csv";
    }
    /// The submissions are this one archive.
    void archive(const std::string& name, const std::vector<Packed>& entries, Pack how = Pack::zip) {
        folder.write(name, pack(entries, how));
        options.submissions = folder / name;
    }

    /// Takes in, and looks that nothing was written but what belongs there, and that a dry run says the same.
    course::ClassIntake take() {
        options.dry_run = true;
        const std::set<std::string> before = everything();
        const course::ClassIntake dry = course::take_in(options);
        CHECK(everything() == before);
        options.dry_run = false;
        const course::ClassIntake intake = course::take_in(options);
        CHECK(dry == intake);
        std::set<std::string> expected = before;
        expected.insert({"results", "results/intake.json", "results/submissions"});
        for (const course::ClassSubmission& one : intake.submissions) {
            expected.insert("results/submissions/" + one.id);
            for (const course::SubmittedAnswer& answer : one.answers)
                expected.insert("results/submissions/" + one.id + "/" + answer.folder);
        }
        for (const std::string& name : everything())
            if (!expected.contains(name)) {
                const std::string file = std::filesystem::path(name).filename().string();
                const bool is_answers = file == "twice.cpp" || file == "shift.cpp" || file == "shift.cu";
                CHECK_MESSAGE((is_answers && expected.contains(std::filesystem::path(name).parent_path().string())),
                              name, " was written");
            }
        CHECK(course::read_intake(read(folder / "results/intake.json")) == intake);
        return intake;
    }
    [[nodiscard]] std::string taken(const std::string& name) const {
        return read(folder / ("results/submissions/" + name));
    }

private:
    [[nodiscard]] std::set<std::string> everything() const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
            names.insert(entry.path().lexically_relative(folder.path()).string());
        return names;
    }
};

/// What `make submit` packs.
inline std::string submitted(const std::string& name, const std::string& id, const std::string& twice) {
    course::Submission submission;
    submission.student = {name, id};
    submission.kit_version = "1";
    submission.exercises.push_back({.number = 1,
                                    .name = "twice",
                                    .folder = "01-twice",
                                    .files = {{"01-twice/twice.cpp", twice}},
                                    .last_verdict = "passed",
                                    .earlier_verdict = "",
                                    .points = 1,
                                    .max_points = 1});
    return course::submission_archive(submission);
}

/// True if one of the lines has this in it.
inline bool has(const std::vector<std::string>& lines, const std::string& what) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(what) != line.npos; });
}

inline const course::ClassSubmission& find(const course::ClassIntake& intake, const std::string& id) {
    for (const course::ClassSubmission& one : intake.submissions)
        if (one.id == id) return one;
    std::string ids;
    for (const course::ClassSubmission& one : intake.submissions) ids += " " + one.id;
    throw std::runtime_error("there is no submission " + id + ", but" + ids);
}

inline std::string all_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

}  // namespace test
