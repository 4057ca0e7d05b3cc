// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/text.hpp"

namespace course {

/// A page that needs no other file, and whose policy allows its own style and script and nothing else, by their hashes.
struct HtmlPage {
    std::string title;   ///< escaped here
    std::string body;    ///< HTML
    std::string script;  ///< empty: none
    std::string style = {};   ///< of its own, besides that of all pages
};
std::string html_page(const HtmlPage& page);

/// A row of a table: its first cell names the row.
struct HtmlRow {
    std::string head;                ///< HTML
    std::vector<std::string> cells;  ///< HTML
};

/// A table that can be scrolled with the keyboard where it is wider than the page.
/// @param caption escaped, and without elements
std::string html_table(const std::string& caption, const std::vector<std::string>& columns,
                       const std::vector<HtmlRow>& rows);

/// The style of all pages of a class: light, dark and printed.
inline constexpr std::string_view page_style = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --faint: #57606a; --line: #c9d1d9; --bar: #2f6fb5; --bound: #a34a00;
  --paper: #ffffff; --panel: #f3f5f8; --link: #0b57b0; --g0: #1a7f4b; --g1: #8cc6a0; --g2: #e0a33e; --g3: #b5402f;
  --g4: #7b4fa3; --g5: #d5dae0; --g6: #59636e; --on-dark: #ffffff; --on-light: #1b1f24; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --faint: #a3adb8; --line: #3a424b; --bar: #6aa9ec;
  --bound: #f0a35e; --paper: #0d1117; --panel: #171d25; --link: #79b8ff; --g5: #3a424b; --on-light: #0d1117; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0; }
main { margin: 0 auto; padding: 1rem; max-width: 62rem; }
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin: 2.5rem 0 0.5rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 0.25rem; }
a { color: var(--link); } :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: 0.5rem; background: var(--paper); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 0.75rem; padding: 0;
  margin: 1rem 0; }
.facts div { background: var(--panel); padding: 0.5rem 0.75rem; border-radius: 0.4rem; }
.facts dt { color: var(--faint); font-size: 0.875rem; } .facts dd { margin: 0; font-size: 1.35rem; font-weight: 600; }
.faint, figcaption, caption { color: var(--faint); } caption { text-align: left; padding-bottom: 0.25rem; }
.wide { overflow-x: auto; max-width: 100%; } table { border-collapse: collapse; font-size: 0.9rem;
  margin: 0.25rem 0 0.75rem; }
th, td { padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
thead th { color: var(--faint); font-weight: 600; } tbody th { text-align: left; font-weight: 500; }
th:first-child, .text { text-align: left; } td.text { min-width: 7rem; max-width: 30rem; overflow-wrap: break-word; }
figure { margin: 0.5rem 0 1rem; } figure svg { display: block; width: 100%; height: auto; overflow: visible; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg .tick line, svg .domain { stroke: var(--line); }
svg .bar { fill: var(--bar); } svg .bound { stroke: var(--bound); stroke-width: 2; stroke-dasharray: 5 4;
  fill: none; }
svg .bound-text { fill: var(--bound); } svg .mark { fill: var(--bar); fill-opacity: 0.65; }
  svg .box { fill: var(--bar); fill-opacity: 0.35; }
svg .whisker { stroke: var(--bar); stroke-width: 2; } svg .median { stroke: var(--ink); stroke-width: 3; }
svg .part { stroke: var(--paper); stroke-width: 1.5; } svg .halo { paint-order: stroke; stroke: var(--paper);
  stroke-width: 4px; }
svg .part0 { fill: var(--g0); } svg .part1 { fill: var(--g1); } svg .part2 { fill: var(--g2); }
  svg .part3 { fill: var(--g3); }
svg .part4 { fill: var(--g4); } svg .part5 { fill: var(--g5); } svg .part6 { fill: var(--g6); }
svg text.on0, svg text.on3, svg text.on4, svg text.on6 { fill: var(--on-dark); }
  svg text.on1, svg text.on2 { fill: var(--on-light); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--panel); padding: 0.6rem 0.75rem;
  border-radius: 0.4rem;
  font: 0.875rem/1.4 ui-monospace, monospace; margin: 0.4rem 0; }
td.text:has(pre) { max-width: none; }
pre.code { border-left: 0.25rem solid var(--line); border-radius: 0; text-align: left; }
pre.code i { color: var(--faint); font-style: normal; user-select: none; }
pre.code mark { background: color-mix(in srgb, var(--bound) 18%, transparent); color: inherit; font-weight: 600; }
svg .track { stroke: var(--line); } svg .counts { fill-opacity: 1; }
svg .other { fill: var(--paper); stroke: var(--bar); stroke-width: 2; fill-opacity: 1; }
.todo { border: 2px solid var(--bound); border-radius: 0.4rem; padding: 0.25rem 1rem 0.5rem; margin: 1rem 0; }
.todo h2 { margin-top: 0.5rem; } input[type=search] { font: inherit; padding: 0.35rem 0.5rem;
  width: min(100%, 22rem); color: inherit;
  background: var(--paper); border: 1px solid var(--faint); border-radius: 0.3rem; }
summary { cursor: pointer; color: var(--link); } li { margin: 0.2rem 0; } code { overflow-wrap: anywhere; }
@media (max-width: 40rem) { th, td { padding: 0.25rem 0.35rem; } td.text { min-width: 4rem; } }
@media print { :root { color-scheme: light; --ink: #000; --faint: #444; --line: #999; --bar: #2f6fb5;
  --bound: #a34a00; --paper: #fff;
  --panel: #f3f5f8; --link: #000; --g5: #d5dae0; --on-light: #000; } nav, .filter, .skip { display: none; }
  main { max-width: none; padding: 0; } h2, h3 { break-after: avoid; } figure, tr, pre, .facts { break-inside: avoid; }
  caption, thead { break-after: avoid; } tbody tr:first-child { break-before: avoid; }
  body { font-size: 10.5pt; } a { text-decoration: none; } .todo { break-inside: auto; }
  .wide { overflow: visible; }
  svg .part, svg .bar, svg .mark, .facts div, pre, mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)css";

}  // namespace course
