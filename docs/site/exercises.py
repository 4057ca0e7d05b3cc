# SPDX-License-Identifier: MIT
"""What an exercise's manifest adds to its page: lesson, minutes and points above the text, its files below."""

import tomllib

from kit import Fault
from markup import bullets, code, link

SHOWN = {"exercise.hpp": "what each function must do", "pipeline.hpp": "what each function must do",
         "check.cpp": "what judges your answer"}


def add_facts(kit, page):
    """Adds them to the page of an exercise or of the capstone."""
    folder = page.source.rpartition("/")[0]
    name = "exercise.toml" if folder.startswith("exercises/") else "capstone.toml"
    try:
        manifest = tomllib.loads(kit.read(f"{folder}/{name}"))
    except tomllib.TOMLDecodeError as error:
        raise Fault(f"{folder}/{name}: {error}") from error
    heading, _, text = page.html.partition("</h1>\n")
    page.html = f"{heading}</h1>\n{_facts(kit, page, manifest)}{text}{_files(kit, page, folder, manifest)}"


def _facts(kit, page, manifest):
    facts = []
    if "lesson" in manifest:
        target = kit.link(page.source, f"../../lessons/{manifest['lesson']}", page.url)
        facts.append(link(target, f"Lesson {int(manifest['lesson'][:2])}"))
    facts.append(f"About {manifest['minutes']} minutes")
    points = sum(task.get("points", 0) for task in manifest.get("task", []) if isinstance(task, dict))
    if points:
        facts.append(f"{points} {'point' if points == 1 else 'points'}{' (bonus)' if manifest.get('bonus') else ''}")
    return f'<p class="facts">{"".join(f"<span>{fact}</span>" for fact in facts)}</p>\n'


def _files(kit, page, folder, manifest):
    lines = []
    for name in ["exercise.hpp", "pipeline.hpp", *manifest["edit"], "check.cpp"]:
        if (kit.root / folder / name).exists():
            target = link(kit.link(page.source, name, page.url), code(name))
            lines.append(f"{target} {SHOWN.get(name, 'yours to edit')}")
    return '<h2 id="files">Files</h2>\n' + bullets(lines)
