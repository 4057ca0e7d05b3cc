# SPDX-License-Identifier: MIT
"""Timetables: the blocks of a session with their minutes, put on the clock with slack."""

import re
from dataclasses import dataclass
from fractions import Fraction

from course import Fault


@dataclass
class Row:
    minutes: Fraction           # without slack
    slack: bool                 # a break has none
    what: str
    show: str
    commands: str


def clock(text):
    hours, minutes = text.split(":")
    return 60 * int(hours) + int(minutes)


def on_the_clock(minutes):
    """To the nearest five minutes: nobody begins at 9:31. The exact minutes are what has to fit."""
    minutes = 5 * int(minutes / 5 + Fraction(1, 2))
    return f"{minutes // 60:02}:{minutes % 60:02}"


def rounded(minutes):
    return max(1, int(minutes + Fraction(1, 2)))


def letters(exercise, tasks):
    """"a and b", or the tasks' names where they have no letters."""
    names = []
    for task in tasks:
        name = exercise.letters[task] or f"`{task}`"
        if name not in names:
            names.append(name)
    return joined(names)


def joined(names):
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]


def lesson_commands(lesson, block):
    """All programs of a lesson, or those that answer the questions that are asked. The slides have all questions."""
    if "questions" not in block:
        return f"`make lesson-{lesson.number}`"
    asked = {id: lesson.questions[id].program for id in block["questions"] if id in lesson.questions}
    commands = [f"`make lesson-{lesson.number} PROGRAM={program}`" for program in dict.fromkeys(asked.values()) if program]
    without = [f"*{id}*" for id, program in asked.items() if not program]
    if without and commands:
        commands.append(f"{joined(without)} on the slides")
    return ", ".join(commands) or "a vote on the slide, no program"


def row_of(block, course, show):
    """What a block of syllabi.toml is in a timetable."""
    def get(name, known):
        if block[name] not in known:
            raise Fault(f"there is no {name} {block[name]}")
        return known[block[name]]

    def minutes(part):
        return Fraction(block["minutes"]) if "minutes" in block else part

    def shown(kind, number):
        return block.get("show", show[kind].get(str(number), ""))

    for key in sorted(set(block) - {"break", "lesson", "questions", "exercise", "tasks", "breather", "minutes", "show"}):
        raise Fault(f"a block has no key {key}: {block}")
    if "break" in block:
        return Row(Fraction(block["break"]), False, "Break", "", "")
    if "lesson" in block:
        lesson = get("lesson", course.lessons)
        ids = block.get("questions", list(lesson.questions))
        link = f"[Lesson {lesson.number}](../../lessons/{lesson.folder}/README.md): {lesson.title}"
        if "questions" in block:
            link += ("" if link.endswith("?") else ".") + " Only: " + ", ".join(f"*{id}*" for id in ids)
        figures = rf"[\1](../../lessons/{lesson.folder}/figures/\1.svg)"
        pictures = re.sub(r"`(\w+)\.svg`", figures, shown("lesson", lesson.number))
        return Row(minutes(course.part_of_lesson(lesson.number, ids)), True, link, pictures,
                   lesson_commands(lesson, block))
    if "exercise" in block:
        exercise = get("exercise", course.exercises)
        tasks = block.get("tasks", list(exercise.points))
        part = f", {letters(exercise, tasks)}" if "tasks" in block else ""
        link = f"[Exercise {exercise.number}](../../exercises/{exercise.folder}/README.md){part}: {exercise.title}"
        return Row(minutes(course.part_of_exercise(exercise.number, tasks)), True, link,
                   shown("exercise", exercise.number), f"`make exercise-{exercise.number}`")
    if "breather" in block:
        lesson = get("breather", course.lessons)
        if not lesson.breather:
            raise Fault(f"lesson {lesson.number} has no breather")
        link = f"[Breather](../../lessons/{lesson.folder}/breather.md): mixed problems"
        return Row(Fraction(lesson.breather_minutes), True, link, "paper", f"`make breather-{lesson.number}`")
    raise Fault(f"a block is a lesson, an exercise, a breather or a break, not {block}")


def session_rows(syllabus, session, course, show):
    return [row_of(block, course, show) for block in session["blocks"]]


def needed(rows, slack):
    """Exact minutes of all rows, with slack for all but breaks."""
    return sum((row.minutes * (1 + slack if row.slack else 1) for row in rows), Fraction(0))


def table(syllabus, session, course, show, slack):
    """A session's timetable in Markdown; a session that is too short is a fault."""
    rows = session_rows(syllabus, session, course, show)
    begin, end = clock(session["begin"]), clock(session["end"])
    total = needed(rows, slack)
    if not total <= end - begin:
        raise Fault(f"{syllabus['file']}, {session['name']}: {float(total):.1f} minutes with slack don't fit into "
                    f"{end - begin}, from {session['begin']} to {session['end']}")
    lines = [f"### {session['name']}, {session['begin']} to {session['end']}", "",
             "| from | minutes, no slack | what | print or show | run |", "|---|---|---|---|---|"]
    at = Fraction(begin)
    for row in rows:
        lines.append(f"| {on_the_clock(at)} | {rounded(row.minutes)} | {row.what} | {row.show} | {row.commands} |")
        at += row.minutes * (1 + slack if row.slack else 1)
    lines.append(f"| {on_the_clock(at)} | {int(end - at)} | Questions, and what else is open | | `make summary` |")
    return lines


def spans(numbers):
    """["1", "2", "3", "8 (a)", "9"] becomes "1 to 3, 8 (a), 9"."""
    runs = []
    for number in numbers:
        if runs and number.isdigit() and runs[-1][-1].isdigit() and int(number) == int(runs[-1][-1]) + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def contents(syllabus, course):
    """Which exercises and lessons a syllabus has, for the overview."""
    blocks = [block for session in syllabus["session"] for block in session["blocks"]]
    done = {}
    for block in blocks:
        if "exercise" in block:
            done.setdefault(block["exercise"], set()).update(
                block.get("tasks", course.exercises[block["exercise"]].points))
    lessons = sorted({block["lesson"] for block in blocks if "lesson" in block})
    exercises = []
    for number, tasks in sorted(done.items()):
        exercise = course.exercises[number]
        whole = tasks == set(exercise.points)
        ordered = [task for task in exercise.points if task in tasks]
        exercises.append(f"{number}" if whole else f"{number} ({letters(exercise, ordered)})")
    return spans(map(str, lessons)), spans(exercises)
