// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "classroom/class_report/statistics.hpp"
#include "classroom/class_report/student_view.hpp"
#include "manifest/manifest.hpp"

namespace course {

/// The contents of the class's page.
struct ClassPage {
    const ClassResults* read = nullptr;
    const ClassGrades* grades = nullptr;
    const ClassPolicy* policy = nullptr;
    const ClassStatistics* counted = nullptr;
    const std::vector<Misconception>* misconceptions = nullptr;
    std::string results;                               ///< the folder, for lines that can be pasted
    std::map<std::string, std::string> student_pages;  ///< by student id: "students/ada.html"
    std::string script;                                ///< charts_script()
    const AnswerCode* code = nullptr;  ///< for the lines of findings; nullptr: without
    std::string note = {};             ///< a line at the top, e.g. about hidden names
    bool has_leaderboard = false;
};

/// The page for teachers, which names students. Pure.
std::string class_page(const ClassPage& page);

/// A place on the leaderboard.
struct LeaderboardEntry {
    std::string pseudonym;
    double speedup = 0, copy_percent = 0;
};

/// The leaderboard's page, which names nobody. Pure.
std::string leaderboard_page(const std::string& course_title, const std::string& exercise,
                             const std::vector<LeaderboardEntry>& places);

}  // namespace course
