// SPDX-License-Identifier: MIT
// What a page of pictures does: choose a launch, a window, a request, a thread.

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
