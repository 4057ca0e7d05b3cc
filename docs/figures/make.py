#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the three walks of docs/internals.md: what an expression, a raw kernel and a submission pass through.

    make.py [FOLDER]         the folder for the pictures; this one, unless it is given

They are as wide as a phone. A room that a step names must exist, and words must fit. tests/site/check compares the
pictures with what the script draws.
"""

import html
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WIDTH, EDGE, INSIDE = 360, 2, 12
STYLE = """\
text { font: 14px system-ui, sans-serif; fill: #1b1f24; }
.title { font-weight: 600; } .room, .code { font: 12.5px ui-monospace, Menlo, Consolas, monospace; }
.room, .aside { fill: #57606a; } .aside { font-size: 13px; }
rect { fill: #f6f8fa; stroke: #8c959f; stroke-width: 1.2; }
.own { fill: #ddf4ff; stroke: #0969da; } .theirs { fill: #fff1e5; stroke: #bc4c00; stroke-dasharray: 5 3; }
.way { fill: none; stroke: #57606a; stroke-width: 1.6; } .head { fill: #57606a; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .room, .aside { fill: #a3adb8; }
  rect { fill: #21262d; stroke: #8b949e; }
  .own { fill: #0d2d4d; stroke: #58a6ff; } .theirs { fill: #3d1e00; stroke: #f0883e; }
  .way { stroke: #a3adb8; } .head { fill: #a3adb8; }
}"""


class Walk:
    """Boxes below one another, joined by arrows; what is drawn is said in words as well."""

    def __init__(self, name, title):
        self.name, self.title = name, title
        self.y, self.parts, self.said = 6, [], []

    def box(self, title, lines, room="", kind="", x=EDGE, width=WIDTH - 2 * EDGE, y=None):
        """A step; it returns where the box begins and ends."""
        for part in room.split(", ") if room else ():
            if not (ROOT / part).exists():
                raise SystemExit(f"docs/figures/make.py: {self.name} names {part}, which doesn't exist")
        top = self.y if y is None else y
        at = top + 20
        inner = [self.text(title, x + INSIDE, at, "title")]
        for line in lines:
            at += 19
            kind_of_text = "code" if line.startswith("  ") else ""
            inner.append(self.text(line.strip(), x + INSIDE, at, kind_of_text))
        for part in room.split(", ") if room else ():
            at += 18
            inner.append(self.text(part, x + INSIDE, at, "room"))
        bottom = at + 10
        self.parts.append(f'<rect{self.kind(kind)} x="{x}" y="{top}" width="{width}" height="{bottom - top}" rx="7"/>'
                          + "".join(inner))
        self.said.append(f"{title}: {' '.join(line.strip() for line in lines)}" if lines else f"{title}.")
        self.y = max(self.y, bottom)
        return top, bottom

    def arrow(self, x=110, aside="", length=22):
        """Down from the last box to the next one."""
        self.down(x, self.y, self.y + length)
        if aside:
            self.parts.append(self.text(aside, x + 12, self.y + 16, "aside"))
            self.said.append(f"({aside})")
        self.y += length

    def down(self, x, top, bottom):
        self.parts.append(f'<path class="way" d="M{x} {top}V{bottom - 5}"/>' + self.head(x, bottom))

    def note(self, words, x=EDGE):
        self.parts.append(self.text(words, x, self.y + 18, "aside"))
        self.said.append(words)
        self.y += 26

    @staticmethod
    def head(x, y):
        return f'<path class="head" d="M{x - 5} {y - 8}H{x + 5}L{x} {y}Z"/>'

    @staticmethod
    def kind(kind):
        return f' class="{kind}"' if kind else ""

    def text(self, words, x, y, kind=""):
        letter = {"room": 7.6, "code": 7.6, "title": 7.4, "aside": 6.5}.get(kind, 6.9)
        if x + letter * len(words) > WIDTH:
            raise SystemExit(f"docs/figures/make.py: {self.name}: too long: {words}")
        return f'<text{self.kind(kind)} x="{x}" y="{y}">{html.escape(words)}</text>'

    def svg(self):
        said = html.escape(" ".join(self.said))
        body = "\n".join(self.parts)
        height = self.y + 6
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
                f'viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="title desc">\n'
                f'<title id="title">{html.escape(self.title)}</title>\n<desc id="desc">{said}</desc>\n'
                f"<style>\n{STYLE}\n</style>\n{body}\n</svg>\n")


def expression():
    walk = Walk("walk_expression", "The way of an expression, from the operators to the array")
    narrow = WIDTH - 46
    walk.box("1. Operators build a tree",
             ["  pow(x, 2) + 2.f * y", "Nothing is computed yet."], "libgpu/include/gpu/expression.hpp", width=narrow)
    walk.arrow(aside="z = ...")
    walk.box("2. Assignment looks at the tree",
             ["Arrays and numbers are listed, shapes", "broadcast, axes joined where possible."],
             "libgpu/src/launch, libgpu/src/array", width=narrow)
    walk.arrow()
    _, known = walk.box("3. Is this kind of tree known?",
                        ["A hash of its form, types and strides", "is looked up: no text is made for that."],
                        "libgpu/src/launch", width=narrow)
    walk.arrow(aside="no: the first time")
    walk.box("4. The kernel is written",
             ["The tree becomes CUDA C++ text; the", "backend puts its loop around it."],
             "libgpu/src/codegen", width=narrow)
    walk.arrow()
    walk.box("5. It is compiled, or found on disk",
             ["NVRTC for a GPU, g++ or clang for the", "host; kept in ~/.cache/libgpu."],
             "libgpu/src/jit", width=narrow)
    walk.arrow()
    top, _ = walk.box("6. It is launched",
                      ["Into the current stream; the call", "returns before the kernel has run."],
                      "libgpu/src/cuda, libgpu/src/host", width=narrow)
    right, start, end = EDGE + narrow, known - 34, top + 24
    walk.parts.append(f'<path class="way" d="M{right} {start}H{right + 22}V{end}H{right + 6}"/>'
                      f'<path class="head" d="M{right + 8} {end - 5}V{end + 5}L{right} {end}Z"/>'
                      f'<text class="aside" x="{right + 12}" y="{start - 8}">yes</text>')
    walk.said.append("If the tree is known, step 3 goes straight on to step 6.")
    walk.arrow(aside="to_host(z), item(), synchronize()")
    walk.box("7. Somebody waits, and z is there",
             ["So do errors: what a kernel did wrong is", "thrown by the next call that waits."],
             "libgpu/src/runtime", width=narrow)
    return walk


def raw_kernel():
    walk = Walk("walk_raw_kernel", "The way of a raw kernel, on a GPU and on the host backend")
    half = (WIDTH - 2 * EDGE - 12) // 2
    left, right = EDGE, EDGE + half + 12
    middles = (left + half // 2, right + half // 2)
    walk.box("1. A kernel is declared",
             ["  RawKernel<void(const float*, float*, int)>", "Its types become text; nothing is compiled."],
             "libgpu/include/gpu/raw_kernel.hpp")
    walk.arrow(aside="add({.grid = 4, .block = 256}, ...)")
    walk.box("2. A launch checks what it can",
             ["Number and types of the arguments, on which", "device each is, grid and block."],
             "libgpu/src/launch/raw")
    walk.arrow()
    walk.box("3. Compiled before?",
             ["Looked up in memory, then on disk, by all that",
              "changes the result. If not, it is compiled,",
              "which also compares the types:"],
             "libgpu/src/jit")
    fork = walk.y
    for x in middles:
        walk.down(x, fork, fork + 22)
    top = fork + 22
    walk.box("4. GPU: NVRTC",
             ["Machine code for", "this GPU (a cubin)", "", ""], "libgpu/src/cuda", x=left, width=half, y=top)
    walk.box("4. Host: g++, clang",
             ["A shared object. No", "barrier: a loop over", "the threads. Barriers:", "a fiber for each."],
             "libgpu/src/host", x=right, width=half, y=top)
    fork = walk.y
    for x in middles:
        walk.down(x, fork, fork + 22)
    top = fork + 22
    walk.box("5. Blocks run",
             ["on multiprocessors,", "in any order", ""], x=left, width=half, y=top)
    walk.box("5. Blocks run",
             ["on CPU threads; a", "guard page stands", "behind each array"], x=right, width=half, y=top)
    walk.note("gpu::check and each verdict also take this way:")
    walk.box("6. Check mode, on the host backend",
             ["Compiled once more, so that each access calls",
              "the checker. It looks for what is wrong with",
              "bounds, order, barriers and fresh memory, and",
              "counts reads, writes, sectors and banks."],
             "libgpu/src/host/check")
    walk.arrow(aside="findings, counts")
    walk.box("7. The report",
             ["Three lines for each mistake, once: where and", "what, which threads, what to do."],
             "libgpu/src/report")
    return walk


def submission():
    walk = Walk("walk_submission", "The way of a submission, from the student's files to the verdict")
    shift, wide = 40, WIDTH - 2 * EDGE - 40
    own = {"kind": "own", "width": wide}
    theirs = {"kind": "theirs", "x": EDGE + shift, "width": wide}
    walk.parts.append(f'<rect class="own" x="{EDGE}" y="6" width="26" height="16" rx="4"/>'
                      + walk.text("trusted: the grader, course", 38, 19)
                      + f'<rect class="theirs" x="{EDGE}" y="30" width="26" height="16" rx="4"/>'
                      + walk.text("not trusted: in the sandbox", 38, 43))
    walk.said.append("Blue boxes are the grader's own work, which is trusted. Orange, dashed ones run what a student "
                     "wrote, in the sandbox.")
    walk.y = 62
    a = "autograder/src/"
    walk.box("1. Collect",
             ["Just the files that the exercise lists:", "regular, no links, of bounded size."], a + "collect", **own)
    walk.arrow()
    walk.box("2. Build",
             ["g++ reads the student's text, so it is", "in the sandbox, too."],
             a + "build, " + a + "sandbox", **theirs)
    walk.arrow()
    walk.box("3. Draw inputs",
             ["check.cpp says which; the values come", "from a secret seed, new for each call."], a + "judge", **own)
    walk.arrow(aside="inputs, which can only be read")
    walk.box("4. Run",
             ["A process of its own loads the answer,", "calls it, and copies out its results."], a + "run", **theirs)
    walk.arrow(aside="results, each field checked")
    walk.box("5. Compare",
             ["What is right is computed only now, in", "double; then every element is compared."],
             a + "judge/values", **own)
    walk.arrow(aside="small cases once more")
    walk.box("6. Run in check mode",
             ["Another process: mistakes that values", "don't show, and the work counted."], a + "run", **theirs)
    walk.arrow(aside="findings, counts")
    walk.box("7. Judge",
             ["Budgets; some cases with new values; on", "a GPU the speed, by the grader's clock."],
             a + "judge/work, " + a + "judge", **own)
    walk.arrow()
    walk.box("8. Report",
             ["The verdict as structs, then as text on the", "screen and as result.json."],
             a + "verdict, " + a + "report", **own)
    walk.note("For a class, the same for each submission:")
    walk.box("9. Taken in, queued, exported",
             ["An LMS's archive comes in, points and a", "report for the class go out."],
             "autograder/classroom", **own)
    return walk


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for walk in (expression(), raw_kernel(), submission()):
        (folder / f"{walk.name}.svg").write_text(walk.svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
