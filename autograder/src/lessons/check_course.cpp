// SPDX-License-Identifier: MIT
#include "lessons/check_course.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace course {

namespace {

std::string toml_of(const Lesson& lesson) { return fmt::format("lessons/{}/lesson.toml: ", lesson.folder.name()); }

const Lesson* find_lesson(const std::vector<Lesson>& lessons, const std::string& name) {
    const auto found = std::find_if(lessons.begin(), lessons.end(),
                                    [&](const Lesson& lesson) { return lesson.folder.name() == name; });
    return found == lessons.end() ? nullptr : &*found;
}

/// The lesson itself and all that it builds upon.
std::set<std::string> built_upon(const std::vector<Lesson>& lessons, const std::string& name) {
    std::set<std::string> known;
    std::vector<std::string> left = {name};
    while (!left.empty()) {
        const std::string one = left.back();
        left.pop_back();
        if (!known.insert(one).second) continue;
        if (const Lesson* lesson = find_lesson(lessons, one))
            left.insert(left.end(), lesson->needs.begin(), lesson->needs.end());
    }
    return known;
}

std::string exercise_toml(const Manifest& exercise) {
    return fmt::format("exercises/{}/exercise.toml: ", exercise.folder.filename().string());
}

void add_faults_of_exercise(const Manifest& exercise, const std::vector<Lesson>& lessons,
                            const std::map<std::string, Manifest>& exercises, std::vector<std::string>& faults) {
    const std::string where = exercise_toml(exercise);
    const Lesson* const lesson = find_lesson(lessons, exercise.lesson);
    if (!lesson) {
        const int number = exercise.lesson.size() > 2 ? std::atoi(exercise.lesson.substr(0, 2).c_str()) : 0;
        if (number <= lessons.back().folder.number)
            faults.push_back(fmt::format("{}its lesson {} doesn't exist", where, exercise.lesson));
        return;
    }
    if (std::find(lesson->exercises.begin(), lesson->exercises.end(), exercise.name) == lesson->exercises.end())
        faults.push_back(fmt::format("{}its lesson {} doesn't list it in \"exercises\"", where, exercise.lesson));
    const std::set<std::string> practised = built_upon(lessons, exercise.lesson);
    for (const std::string& name : exercise.needs) {
        const auto needed = exercises.find(name);
        if (needed == exercises.end())
            faults.push_back(fmt::format("{}it needs {}, which is not an exercise", where, name));
        else if (!practised.contains(needed->second.lesson))
            faults.push_back(
                fmt::format("{}it needs {} of lesson {}, which lesson {} doesn't build upon; expected it "
                            "among the \"needs\" of that lesson, or of one that it needs",
                            where, name, needed->second.lesson, exercise.lesson));
    }
}

}  // namespace

std::vector<std::string> faults_of_order(const std::vector<Lesson>& lessons,
                                         const std::map<std::string, Manifest>& exercises, const Glossary& glossary) {
    std::vector<std::string> faults;
    std::map<std::string, const Lesson*> introduced;
    for (const Lesson& lesson : lessons) {
        for (const std::string& name : lesson.needs) {
            const Lesson* const needed = find_lesson(lessons, name);
            if (!needed)
                faults.push_back(fmt::format("{}it needs {}, which doesn't exist", toml_of(lesson), name));
            else if (needed->folder.number >= lesson.folder.number)
                faults.push_back(fmt::format("{}it needs {}, which doesn't come before it", toml_of(lesson), name));
        }
        for (const std::string& name : lesson.exercises) {
            const auto found = exercises.find(name);
            if (found == exercises.end())
                faults.push_back(fmt::format("{}{} is not an exercise", toml_of(lesson), name));
            else if (found->second.lesson != lesson.folder.name())
                faults.push_back(fmt::format("{}{} says that its lesson is {}; expected {}", toml_of(lesson), name,
                                             found->second.lesson, lesson.folder.name()));
        }
        for (const std::string& text : lesson.introduces) {
            const auto term = glossary.term(text);
            if (!term) continue;
            if (const auto [first, is_new] = introduced.emplace(*term, &lesson); !is_new)
                faults.push_back(fmt::format("{}it introduces \"{}\", as {} does", toml_of(lesson), *term,
                                             first->second->folder.name()));
        }
    }
    if (!lessons.empty())
        for (const auto& [name, exercise] : exercises) add_faults_of_exercise(exercise, lessons, exercises, faults);
    return faults;
}

Introductions introductions(const std::vector<Lesson>& lessons, const Glossary& glossary) {
    Introductions introduced;
    for (const Lesson& lesson : lessons)
        for (const std::string& text : lesson.introduces)
            if (const auto term = glossary.term(text)) introduced.emplace(*term, lesson.folder.number);
    return introduced;
}

}  // namespace course
