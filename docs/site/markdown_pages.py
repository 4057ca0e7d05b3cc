# SPDX-License-Identifier: MIT
"""Markdown as GitHub shows it, as HTML: headings have GitHub's anchors, links lead to the site's pages."""

import html
import posixpath
import re

from markdown_it import MarkdownIt

from charts import chart
from listings import code_block
from kit import Fault, Page
from markup import code

COMMENT = re.compile(r"<!--(.*?)-->\n?", re.DOTALL)
# The marks around generated parts, which <!-- end --> closes: docs/lesson-format.md and docs/syllabi/make.py.
FRAMES = {"snippet", "output", "measured", "question"}            # these get a frame
LONG_CELL = 60                                                   # letters
OTHER_MARKS = {"objectives", "minutes", "exercises", "timetable", "overview", "generated"}


def anchor_of(heading):
    """GitHub's: lower case, blanks become hyphens, and punctuation goes."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def plain(inline):
    """The text of a token `inline`, without its marks."""
    return "".join(" " if token.type in ("softbreak", "hardbreak") else token.content
                   for token in inline.children or [] if token.type not in ("html_inline", "image"))


class Renderer:
    """Renders one page."""

    def __init__(self, kit, source):
        self.kit, self.source = kit, source
        self.headings, self.texts, self.anchors = [], [], {}
        self.open_frames = []
        self.parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
        for name in ("fence", "code_block", "html_block", "html_inline", "table_open", "table_close", "th_open",
                     "th_close", "td_open", "image", "link_open", "code_inline"):
            self.parser.renderer.rules[name] = getattr(self, "_" + name)

    def render(self, text):
        tokens = self.parser.parse(text)
        self._read(tokens)
        body = self.parser.renderer.render(tokens, self.parser.options, {})
        if self.open_frames:
            raise Fault(f"{self.source.path}: <!-- {self.open_frames[-1]} --> has no <!-- end -->")
        return body

    def _read(self, tokens):
        """Gives headings their anchors, and collects what the search and the contents need."""
        for k, token in enumerate(tokens):
            if token.type == "heading_open":
                title = plain(tokens[k + 1])
                anchor = anchor_of(title)
                count = self.anchors.get(anchor, 0)
                self.anchors[anchor] = count + 1
                anchor += f"-{count}" if count else ""
                token.attrSet("id", anchor)
                self.headings.append((int(token.tag[1]), anchor, title))
                self.texts.append([anchor, title, []])
            elif token.type == "inline" and self.texts and tokens[k - 1].type != "heading_open":
                self.texts[-1][2].append(plain(token))

    # --- what markdown-it renders otherwise ---------------------------------------------------------------------------
    def _fence(self, tokens, k, options, env):
        return code_block(tokens[k].content, tokens[k].info.strip())

    def _code_inline(self, tokens, k, options, env):
        return code(tokens[k].content)

    def _code_block(self, tokens, k, options, env):
        return code_block(tokens[k].content, "")

    def _html_block(self, tokens, k, options, env):
        """Marks of generated parts become frames, that of a chart the chart; other comments go, other HTML stays."""
        if re.match(r"<!-- chart\b", tokens[k].content):
            return self._chart(COMMENT.match(tokens[k].content)[1], tokens[k + 1:])
        return COMMENT.sub(lambda comment: self._mark(comment[1].split()), tokens[k].content)

    def _chart(self, mark, tokens):
        """Of the table that comes next, which is rendered after it."""
        if not tokens or tokens[0].type != "table_open":
            raise Fault(f"{self.source.path}: <!--{mark}--> stands before no table")
        rows = []
        for token in tokens[:[token.type for token in tokens].index("table_close")]:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(plain(token))
        return chart(mark, rows[0], rows[1:], self.source.path)

    def _html_inline(self, tokens, k, options, env):
        """`Array<float>` in a sentence would be read as a tag, and lost."""
        tag = tokens[k].content
        raise Fault(f"{self.source.path}: {tag} stands in a sentence as a tag: put code between backticks")

    def _mark(self, words):
        kind = words[0] if words else ""
        if kind == "end":
            return "</div>\n" if self.open_frames and self.open_frames.pop() in FRAMES else ""
        if kind in FRAMES | OTHER_MARKS:
            self.open_frames.append(kind)
        return self._frame(kind, words[1:]) if kind in FRAMES else ""

    def _frame(self, kind, words):
        if kind == "question":
            return f'<div class="question" id="question-{html.escape(words[0])}">\n'
        if kind == "snippet":
            path = posixpath.join(posixpath.dirname(self.source.path), words[0])
            link = self.kit.link(self.source.path, words[0], self.source.url)
            return (f'<div class="listing"><p class="caption"><a href="{link}">'
                    f"{html.escape(posixpath.basename(path))}</a></p>\n")
        caption = f"{words[0]} prints" if kind == "output" else f"{words[0]}, measured"
        return f'<div class="listing {kind}"><p class="caption">{html.escape(caption)}</p>\n'

    def _table_open(self, tokens, k, options, env):
        return '<div class="table"><table>\n'

    def _table_close(self, tokens, k, options, env):
        return "</table></div>\n"

    def _th_open(self, tokens, k, options, env):
        """The corner of a table is empty, and names nothing: it is no heading."""
        return "<th>" if tokens[k + 1].content else "<td>"

    def _th_close(self, tokens, k, options, env):
        return "</th>" if tokens[k - 1].content else "</td>"

    def _td_open(self, tokens, k, options, env):
        """Sentences need some width on a phone, too."""
        return '<td class="long">' if len(tokens[k + 1].content) > LONG_CELL else "<td>"

    def _image(self, tokens, k, options, env):
        token = tokens[k]
        target = self.kit.link(self.source.path, token.attrs["src"], self.source.url)
        alt = html.escape(self.parser.renderer.renderInlineAsText(token.children, options, env))
        if not alt:
            raise Fault(f"{self.source.path}: the picture {token.attrs['src']} has no text for those who can't see it")
        return f'<a class="picture" href="{target}"><img src="{target}" alt="{alt}"></a>'

    def _link_open(self, tokens, k, options, env):
        target = self.kit.link(self.source.path, tokens[k].attrs["href"], self.source.url)
        return f'<a href="{html.escape(target)}">'


def summary_of(texts):
    """The first sentence of a page."""
    for _, _, paragraphs in texts:
        for paragraph in paragraphs:
            if len(paragraph.split()) > 5:
                return re.match(r".*?(?:[.:?!](?=\s|$)|$)", paragraph)[0]
    return ""


def short_title(title):
    """`Lesson 8: Reductions` is `8. Reductions` in the navigation."""
    numbered = re.match(r"(?:Lesson|Exercise) (\d+): (.*)", title)
    return f"{numbered[1]}. {numbered[2][:1].upper()}{numbered[2][1:]}" if numbered else title


def render_markdown(kit, source):
    renderer = Renderer(kit, source)
    body = renderer.render(kit.read(source.path))
    if not renderer.headings or renderer.headings[0][0] != 1:
        raise Fault(f"{source.path}: the first heading isn't one of the first level")
    title = renderer.headings[0][2]
    texts = [(anchor, heading, " ".join(words)) for anchor, heading, words in renderer.texts]
    return Page(source.url, title, body, source.section, source.short_title or short_title(title),
                summary_of(renderer.texts), renderer.headings[1:], texts, source.path)
