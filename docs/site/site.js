// SPDX-License-Identifier: MIT
// The menu on phones, and the search. All pages can be read without this file.
'use strict';

const up = document.body.dataset.up;

// --- the menu --------------------------------------------------------------------------------------------------------
const menuButton = document.getElementById('menu-button');
const menu = document.getElementById('menu');
document.documentElement.classList.add('scripted');

const openMenu = (open) => {
  menuButton.setAttribute('aria-expanded', open);
  document.body.classList.toggle('menu-open', open);
};
menuButton.addEventListener('click', () => openMenu(!document.body.classList.contains('menu-open')));

const here = menu.querySelector('[aria-current]');
if (here) menu.scrollTop = Math.max(0, here.offsetTop - menu.clientHeight / 2);

// What is wider than its place can be scrolled with the keyboard, too.
for (const wide of document.querySelectorAll('pre, .table'))
  if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;

// --- the search ------------------------------------------------------------------------------------------------------
const most = 12;
const form = document.getElementById('search');
const field = document.getElementById('search-field');
const list = document.getElementById('search-results');
const count = document.getElementById('search-count');
let sections = null;    // of all pages: {url, page, heading, text, and the same in lower case}
let chosen = -1;
form.hidden = false;

// The index is a script, for a page that was opened as a file can't fetch anything else; it is read when it is needed.
function loadIndex() {
  if (sections) return;
  sections = [];
  const script = document.createElement('script');
  script.src = up + 'search-index.js';
  script.onload = () => {
    sections = window.searchIndex.map(([url, page, heading, text]) =>
      ({url, page, heading, text, low: [page, heading, text].map(piece => piece.toLowerCase())}));
    show();
  };
  document.head.append(script);
}

// Every word must occur. A word that begins one of a heading counts more than one of the text.
function score(section, words) {
  let total = section.heading ? 0 : 2;
  for (const word of words) {
    const [page, heading, text] = section.low;
    const begins = (where) => (' ' + where.replace(/[^\p{L}\p{N}]+/gu, ' ')).includes(' ' + word);
    const points = (heading === word ? 40 : begins(heading) ? 20 : heading.includes(word) ? 8 : 0)
      + (page === word ? 40 : begins(page) ? 12 : page.includes(word) ? 5 : 0)
      + (begins(text) ? 3 : text.includes(word) ? 1 : 0);
    if (points === 0) return 0;
    total += points;
  }
  return total;
}

function excerpt(section, words) {
  const at = Math.max(0, Math.min(...words.map(word => section.low[2].indexOf(word)).filter(k => k >= 0), Infinity));
  const begin = Number.isFinite(at) ? Math.max(0, at - 40) : 0;
  const part = section.text.slice(begin, begin + 120);                            // of it the whole words
  return (begin ? '… ' : '') + part.replace(begin ? /^\S*\s+|\s+\S*$/g : /\s+\S*$/, '');
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [] : sections.map(section => [score(section, words), section])
    .filter(([points]) => points > 0).sort((a, b) => b[0] - a[0]);
  list.replaceChildren(...found.slice(0, most).map(([, section], k) => {
    const item = document.createElement('li');
    item.id = 'result-' + k;
    item.setAttribute('role', 'option');
    const link = document.createElement('a');
    link.href = up + section.url;
    link.tabIndex = -1;
    link.append(element('b', section.heading ? `${section.page}: ${section.heading}` : section.page),
                element('span', excerpt(section, words)));
    item.append(link);
    return item;
  }));
  choose(-1);
  list.hidden = found.length === 0;
  field.setAttribute('aria-expanded', !list.hidden);
  count.textContent = words.length === 0 ? '' : found.length === 1 ? '1 result' : `${found.length} results`;
}

function choose(which) {
  chosen = which;
  [...list.children].forEach((item, k) => item.setAttribute('aria-selected', k === which));
  if (which < 0) return field.removeAttribute('aria-activedescendant');
  field.setAttribute('aria-activedescendant', 'result-' + which);
  list.children[which].scrollIntoView({block: 'nearest'});
}

field.addEventListener('focus', loadIndex);
field.addEventListener('input', () => { loadIndex(); show(); });
field.addEventListener('keydown', (event) => {
  const last = list.children.length - 1;
  if (event.key === 'ArrowDown' && last >= 0) choose(chosen < last ? chosen + 1 : 0);
  else if (event.key === 'ArrowUp' && last >= 0) choose(chosen > 0 ? chosen - 1 : last);
  else if (event.key === 'Escape') { field.value = ''; show(); return; }
  else return;
  event.preventDefault();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const target = list.children[Math.max(chosen, 0)];
  if (target) location.href = target.firstChild.href;
});
document.addEventListener('keydown', (event) => {
  const typing = event.target.closest('input, textarea, select');
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) { field.focus(); event.preventDefault(); }
  if (event.key === 'Escape' && document.body.classList.contains('menu-open')) { openMenu(false); menuButton.focus(); }
});
document.addEventListener('click', (event) => {
  if (!form.contains(event.target)) { list.hidden = true; field.setAttribute('aria-expanded', false); }
});
