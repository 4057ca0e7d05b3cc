# SPDX-License-Identifier: MIT
"""The questions of the lessons as slides: one HTML page that needs nothing else."""

import html
import json
import re
from pathlib import Path


def marked_up(text):
    """Escaped; `code` as code, and lines that are indented by four or more as a block of it."""
    def inline(line):
        return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(line))

    parts, prose, code = [], [], []

    def close():
        if prose:
            parts.append(f"<p>{inline(' '.join(prose))}</p>")
            prose.clear()
        if code:
            parts.append(f"<pre>{html.escape(chr(10).join(code))}</pre>")
            code.clear()

    for line in text.split("\n"):
        is_code = line.startswith("    ")
        if not line.strip() or (code if not is_code else prose):
            close()
        if is_code:
            code.append(line[4:])
        elif line.strip():
            prose.append(line.strip())
    close()
    return "\n".join(parts)


def in_line(text):
    return re.sub(r"^<p>(.*)</p>$", r"\1", marked_up(text), flags=re.DOTALL)


def choice_item(k, choice):
    kind = "right" if choice.right else "other"
    mark = "right" if choice.right else "not"
    return (f'<li class="{kind}"><b class="letter">{chr(65 + k)}</b><div>{in_line(choice.text)}'
            f'<p class="why"><span class="mark">{mark}:</span> {in_line(choice.why)}</p></div></li>')


def number_items(question):
    """For a question that asks for a number: the place to think of one, the right one, and the usual wrong ones."""
    items = [f'<li class="right number"><div>Write your number down.<p class="why"><span class="mark">'
             f"{html.escape(question.number)}.</span> {in_line(question.why)}</p></div></li>"]
    items += [f'<li class="other number"><div><p class="why"><span class="mark">not {html.escape(value)}:</span> '
              f"{in_line(why)}</p></div></li>" for value, why in question.slips if why]
    return items


def slide(lesson, question):
    items = [choice_item(k, choice) for k, choice in enumerate(question.choices)] or number_items(question)
    choices = "\n".join(items)
    listing = f"<pre>{html.escape(question.listing)}</pre>\n" if question.listing else ""
    id = html.escape(question.id, quote=True)
    return (f'<section id="{id}" data-lesson="{lesson.number}">\n'
            f"<header>Lesson {lesson.number}: {html.escape(lesson.title)}</header>\n"
            f'<div class="ask">{listing}{marked_up(question.ask)}</div>\n<ol>\n{choices}\n</ol>\n</section>')


def ids_of(syllabus, course):
    """The slides of a syllabus, in its order."""
    ids = []
    for session in syllabus["session"]:
        for block in session["blocks"]:
            if "lesson" in block:
                lesson = course.lessons[block["lesson"]]
                ids += [lesson.questions[id].id for id in block.get("questions", lesson.questions)]
            elif "breather" in block:
                ids += [question.id for question in course.lessons[block["breather"]].breather.values()]
    return ids


def slides_page(course, plan):
    slides = [slide(lesson, question) for lesson in course.lessons.values()
              for question in [*lesson.questions.values(), *lesson.breather.values()]]
    links = "\n".join(f'<li><a href="?lesson={number}">Lesson {number}: {html.escape(lesson.title)}</a></li>'
                      for number, lesson in course.lessons.items())
    plans = "\n".join(f'<li><a href="?syllabus={html.escape(s["file"])}">{html.escape(s["title"])}</a></li>'
                      for s in plan["syllabus"])
    start = ('<section id="start"><header>GPU course kit</header><h1>Questions to vote on</h1>\n'
             f'<div class="columns"><ul>{links}</ul><ul>{plans}</ul></div>\n'
             "<p class=\"keys\">→ or space: the answer, then the next question. ← goes back. Home and End: "
             "the first and the last. D: dark or light.</p></section>")
    orders = json.dumps({s["file"]: ids_of(s, course) for s in plan["syllabus"]}).replace("<", "\\u003c")
    template = (Path(__file__).resolve().parent / "slides.html.in").read_text(encoding="utf-8")
    for name, text in (("ORDERS", orders), ("SLIDES", "\n".join([start] + slides))):
        template = template.replace(f"@{name}@", text)
    return template
