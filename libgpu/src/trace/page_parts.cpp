// SPDX-License-Identifier: MIT
#include "trace/page_parts.hpp"

namespace gpu::detail::trace {

std::string_view page_style() noexcept {
    return R"css(
:root{color-scheme:light dark;--fg:#1b1f24;--bg:#fff;--edge:#d0d7de;--soft:#57606a;--accent:#0a58ca;--panel:#f6f8fa;
--bad:#b00c28}
@media (prefers-color-scheme:dark){:root{--fg:#e6edf3;--bg:#12161b;--edge:#3a424c;--soft:#9aa4af;--accent:#79b8ff;
--panel:#1a2027;--bad:#ff8593}}
*{box-sizing:border-box}
body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg)}
header,main,footer{max-width:1180px;margin:0 auto;padding:.6rem 1rem}
main.two{max-width:2300px;display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,640px),1fr));gap:1.5rem}
article{min-width:0}
h1{font-size:1.4rem;margin:.4rem 0 0}h2{font-size:1.15rem;margin:1.2rem 0 .2rem}
h3{font-size:1.05rem;margin:1.6rem 0 .2rem}
p{margin:.3rem 0}.soft{color:var(--soft)}.bad{color:var(--bad);font-weight:600}
nav{position:sticky;top:0;z-index:2;background:var(--bg);border-bottom:1px solid var(--edge)}
nav ul{max-width:1180px;margin:0 auto;padding:.4rem 1rem;display:flex;flex-wrap:wrap;gap:.3rem 1rem;list-style:none}
a{color:var(--accent)}
figure{margin:.4rem 0;border:1px solid var(--edge);border-radius:6px;overflow:hidden}
figcaption{padding:.5rem .7rem;background:var(--panel);border-bottom:1px solid var(--edge)}
figcaption b{display:block}
.draw{overflow:auto;padding:.7rem;max-height:75vh}
.controls{display:flex;flex-wrap:wrap;gap:.4rem .6rem;align-items:center;margin:.4rem 0}
button,select,input{font:inherit;color:var(--fg);background:var(--panel);border:1px solid var(--edge);border-radius:5px;
padding:.2rem .6rem}
input{width:6rem}button[aria-pressed=true]{background:var(--accent);color:var(--bg)}
:focus-visible{outline:3px solid var(--accent);outline-offset:1px}
.thread{position:sticky;top:2.6rem;z-index:1;background:var(--panel);border:1px solid var(--edge);border-radius:6px;
padding:.4rem .7rem;margin:.5rem 0}
.thread ol{margin:.3rem 0 0;padding-left:2.2rem;max-height:9.5rem;overflow:auto;font:13px/1.45 ui-monospace,monospace}
pre{margin:0;padding:.6rem;overflow:auto;font:12px/1.4 ui-monospace,monospace}
details summary{padding:.3rem .7rem;cursor:pointer;color:var(--soft)}
[hidden]{display:none!important}
.chosen .t{opacity:.22}.chosen .t.on{opacity:1;stroke:var(--ink);stroke-width:2}
[data-t]{cursor:pointer}[data-line].go{cursor:pointer;fill:var(--bar)}[data-line].go:hover{text-decoration:underline}
)css";
}

std::string_view page_script() noexcept {
    return R"js(
'use strict';
for (const article of document.querySelectorAll('article')) {
  const launches = [...article.querySelectorAll('.launch')];
  const chooser = article.querySelector('.launches');
  if (chooser) chooser.addEventListener('change', () => {
    launches.forEach((launch, k) => { launch.hidden = k !== +chooser.value; });
  });
  launches.forEach(prepare);
}
function prepare(launch) {
  const data = JSON.parse(launch.querySelector('script').textContent);
  const panel = launch.querySelector('.thread'), list = panel.querySelector('ol'), said = panel.querySelector('output');
  const field = panel.querySelector('input');
  let block = data.block;
  const verbs = ['reads', 'writes', 'updates'];
  function choose(thread) {
    launch.classList.toggle('chosen', thread !== null);
    for (const e of launch.querySelectorAll('[data-t]'))
      e.classList.toggle('on', thread !== null && (' ' + e.dataset.t + ' ').includes(' ' + thread + ' '));
    list.replaceChildren();
    if (thread === null) { said.textContent = 'none chosen: click a cell, or type a number'; field.value = ''; return; }
    field.value = thread;
    const mine = data.accesses.filter(a => a[0] === block && a[1] === thread);
    said.textContent = 'block ' + block + ': ' + mine.length + (mine.length === 1 ? ' access' : ' accesses');
    for (const a of mine.slice(0, 200)) {
      const item = document.createElement('li');
      item.textContent = verbs[a[2]] + ' ' + a[4] + (a[7] ? ' OUT OF BOUNDS' : ' = ' + a[6]) +
        (a[5] ? '   line ' + a[5] : '') + '   interval ' + a[3];
      list.append(item);
    }
  }
  launch.addEventListener('click', event => {
    const cell = event.target.closest('[data-t]');
    if (!cell) return;
    const threads = cell.dataset.t.split(' ').filter(t => t).map(Number);
    if (!threads.length) return;
    const at = field.value === '' ? -1 : threads.indexOf(+field.value);
    choose(at + 1 < threads.length ? threads[at + 1] : threads.length > 1 ? threads[0] : at < 0 ? threads[0] : null);
  });
  field.addEventListener('change', () => choose(field.value === '' ? null : +field.value));
  panel.querySelector('button').addEventListener('click', () => choose(null));
  const windows = [...launch.querySelectorAll('.windows button')];
  for (const button of windows) button.addEventListener('click', () => {
    for (const other of windows) other.setAttribute('aria-pressed', other === button);
    for (const w of launch.querySelectorAll('.window')) w.hidden = w.dataset.window !== button.value;
    block = +button.dataset.block;
    choose(null);
  });
  for (const steps of launch.querySelectorAll('.steps')) {
    const line = steps.querySelector('select'), all = [...steps.querySelectorAll('figure')];
    let at = 0;
    const show = () => {
      const mine = all.filter(f => f.dataset.of === line.value);
      at = Math.max(0, Math.min(at, mine.length - 1));
      all.forEach(f => { f.hidden = f !== mine[at]; });
      steps.querySelector('output').textContent = 'request ' + (at + 1) + ' of ' + mine.length;
    };
    line.addEventListener('change', () => { at = 0; show(); });
    const [back, on] = steps.querySelectorAll('button');
    back.addEventListener('click', () => { --at; show(); });
    on.addEventListener('click', () => { ++at; show(); });
    steps.show = value => { line.value = value; at = 0; show(); };
    show();
  }
  for (const text of launch.querySelectorAll('[data-line]')) {
    const steps = [...launch.querySelectorAll('.steps')]
      .find(s => [...s.querySelectorAll('option')].some(o => o.value === text.dataset.line));
    if (!steps) continue;
    text.classList.add('go');
    text.addEventListener('click', () => { steps.show(text.dataset.line); steps.scrollIntoView({block: 'center'}); });
  }
  choose(null);
}
)js";
}

}  // namespace gpu::detail::trace
