# SPDX-License-Identifier: MIT
"""The course as its manifests have it: lessons with their questions, and exercises with their tasks."""

import re
import textwrap
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path


class Fault(Exception):
    """What speaks against a manifest, a page or a timetable; its text names the place."""


def one_line(text):
    return " ".join(text.split())


def load(path):
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise Fault(f"{path}: {error}") from error


@dataclass
class Choice:
    text: str
    why: str
    right: bool


@dataclass
class Question:
    id: str                     # 08/plain-addition
    ask: str
    program: str                # the program that answers it, or ""
    listing: str                # the code that it asks about, or ""
    choices: list               # lettered as on the lesson's page; none if a number is asked for
    number: str                 # the right number with its unit
    why: str
    slips: list                 # wrong numbers, and why


@dataclass
class Lesson:
    number: int
    folder: str
    title: str
    after: str                  # the folder of the lesson after which it is read, or ""
    minutes: int
    questions: dict             # of the lesson itself, by id
    breather: dict
    breather_minutes: int


@dataclass
class Exercise:
    number: int
    folder: str
    title: str
    minutes: int
    bonus: bool
    points: dict                # by task; a star has none
    letters: dict               # "a" of "part a: ...", by task


def lettered(page, id, choices):
    """The choices in the order in which the page has them: what a class votes on has the same letters everywhere."""
    block = re.search(rf"<!-- question {re.escape(id)} -->(.*?)<!-- end -->", page, re.DOTALL)
    shown = re.findall(r"^- [A-Z]: (.*)$", block[1], re.MULTILINE) if block else []
    by_text = {choice.text: choice for choice in choices}
    if sorted(shown) != sorted(by_text):
        raise Fault(f"question {id}: the page's choices aren't those of lesson.toml; run course dev lessons --write")
    return [by_text[text] for text in shown]


def listed(folder, listing):
    """The region between // [name] and // [/name] of a program, or all of it."""
    name, _, region = listing.partition(" ")
    lines = (folder / name).read_text(encoding="utf-8").split("\n") if name else []
    if region:
        try:
            marks = [line.strip() for line in lines]
            begin, end = marks.index(f"// [{region}]"), marks.index(f"// [/{region}]")
        except ValueError:
            raise Fault(f"{folder / name}: no region {region}") from None
        lines = lines[begin + 1:end]
    lines = [line for line in lines if "SPDX-License-Identifier" not in line and not line.strip().startswith("// [")]
    return textwrap.dedent("\n".join(lines)).strip("\n")


def answer_of(folder, table, manifest):
    """What the program answers to this question, as its committed output has it; ~ stands for a measured number."""
    same = [other["id"] for other in manifest["question"] if other.get("program") == table["program"]]
    output = (folder / f"{table['program']}.out").read_text(encoding="utf-8")
    said = re.findall(r"^Answer: (.*)$", output, re.MULTILINE)
    if len(said) != len(same):
        raise Fault(f"{folder / table['program']}.out: {len(said)} answers to {len(same)} questions")
    value = said[same.index(table["id"])]
    unit = table["number"].get("unit", "")
    return f"what make lesson-{int(folder.name[:2])} measures here" if value == "~" else f"{value} {unit}".strip()


def read_question(folder, manifest, table, page):
    choices = [Choice(one_line(c["text"]), one_line(c.get("why", "")), c.get("right", False))
               for c in table.get("choice", [])]
    if choices:
        choices = lettered(page, table["id"], choices)
        if sum(choice.right for choice in choices) != 1:
            raise Fault(f"question {table['id']}: exactly one choice is right")
    number = answer_of(folder, table, manifest) if "number" in table else ""
    slips = [(str(slip["value"]), one_line(slip.get("why", ""))) for slip in table.get("slip", [])]
    listing = listed(folder, table.get("listing", ""))
    return Question(f"{folder.name[:2]}/{table['id']}", table["ask"].strip("\n"), table.get("program", ""), listing,
                    choices, number, one_line(table.get("why", "")), slips)


def read_lesson(folder):
    manifest = load(folder / "lesson.toml")
    number = int(folder.name[:2])
    page = (folder / "README.md").read_text(encoding="utf-8")
    breather = folder / "breather.md"
    pause = breather.read_text(encoding="utf-8") if breather.exists() else ""
    minutes = re.search(r"About (\d+) minutes", pause)
    if pause and not minutes:
        raise Fault(f"{breather}: says nowhere \"About N minutes\"")
    own, after = {}, {}
    for table in manifest["question"]:
        in_breather = f"<!-- question {table['id']} -->" in pause
        question = read_question(folder, manifest, table, pause if in_breather else page)
        (after if in_breather else own)[table["id"]] = question
    return Lesson(number, folder.name, manifest["title"], manifest.get("after", ""), manifest["minutes"]["teach"],
                  own, after, int(minutes[1]) if minutes else 0)


def read_exercise(folder):
    manifest = load(folder / "exercise.toml")
    points, letters = {}, {}
    for task in manifest.get("task", []):
        part = re.match(r"part ([a-z]):", task["title"])
        letters[task["id"]] = part[1] if part else ""
        if not task.get("star"):
            points[task["id"]] = task["points"]
    return Exercise(int(folder.name[:2]), folder.name, manifest["title"], manifest["minutes"],
                    manifest.get("bonus", False), points, letters)


def in_reading_order(lessons):
    """By number, each that names another one in `after` behind that one and those that follow it already."""
    order, before = [], {lesson.folder: lesson.after for lesson in lessons}

    def follows(folder, other):
        while folder != other and folder:
            folder = before.get(folder, "")
        return folder == other

    for lesson in lessons:
        folders = [other.folder for other in order]
        place = folders.index(lesson.after) + 1 if lesson.after in folders else len(order)
        while place < len(order) and follows(folders[place], lesson.after):
            place += 1
        order.insert(place, lesson)
    return order


class Course:
    def __init__(self, root):
        root = Path(root)
        lessons = sorted(path.parent for path in root.glob("lessons/*/lesson.toml"))
        exercises = sorted(path.parent for path in root.glob("exercises/*/exercise.toml"))
        self.lessons = {lesson.number: lesson for lesson in in_reading_order(list(map(read_lesson, lessons)))}
        self.exercises = {exercise.number: exercise for exercise in map(read_exercise, exercises)}
        if not self.lessons or not self.exercises:
            raise Fault(f"{root}: no lessons or no exercises there")

    def part_of_lesson(self, number, ids):
        """The exact minutes of these questions' share of a lesson."""
        lesson = self.lessons[number]
        for id in ids:
            if id not in lesson.questions:
                raise Fault(f"lesson {number} has no question {id}")
        return Fraction(lesson.minutes * len(ids), len(lesson.questions))

    def part_of_exercise(self, number, tasks):
        """The exact minutes of these tasks' share of an exercise."""
        exercise = self.exercises[number]
        for task in tasks:
            if task not in exercise.points:
                raise Fault(f"exercise {number} has no task {task} with points")
        return Fraction(exercise.minutes * sum(exercise.points[t] for t in tasks), sum(exercise.points.values()))
