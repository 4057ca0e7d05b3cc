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
let sections = null;    // of all pages: {url, page, heading, text, and the words of these three}
let chosen = -1;
form.hidden = false;

// A text's words with a space around each: ' late ' is a word of it, and ' late' begins one.
const wordsOf = (text) => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

// The index is a script, for a page that was opened as a file can't fetch anything else; it is read when it is needed.
function loadIndex() {
  if (sections) return;
  sections = [];
  const script = document.createElement('script');
  script.src = up + 'search-index.js';
  script.onload = () => {
    sections = window.searchIndex.map(([url, page, heading, text]) =>
      ({url, page, heading, text, words: [page, heading, text].map(wordsOf)}));
    show();
  };
  document.head.append(script);
}

// What was typed: words, and signs such as <<<, which are looked for as they stand.
const termsOf = (typed) => typed.toLowerCase().split(/\s+/).filter(Boolean)
  .map(raw => ({raw, word: wordsOf(raw).trim()}));

// Every term must be a word, or begin one; `begun` counts those that are nowhere a whole word. A heading's words count
// more than a text's.
function score(section, terms) {
  const [page, heading, text] = section.words;
  let points = section.heading ? 0 : 2, begun = 0;
  for (const {raw, word} of terms) {
    if (!word && !section.text.includes(raw)) return null;
    if (!word) continue;
    const whole = ` ${word} `, begins = ` ${word}`;
    const weigh = (where, most, some) =>
      where === whole ? most : where.includes(whole) ? some : where.includes(begins) ? some / 2 : 0;
    const found = weigh(heading, 40, 20) + weigh(page, 40, 12) + weigh(text, 3, 3);
    if (found === 0) return null;
    points += found;
    begun += section.words.some(where => where.includes(whole)) ? 0 : 1;
  }
  return {section, points, begun};
}

// Where a term is in a text, the whole word if it is there.
function placeOf({raw, word}, text) {
  if (!word) return text.indexOf(raw);
  const letters = word.replaceAll(' ', '[^\\p{L}\\p{N}]+'), begins = `(?<![\\p{L}\\p{N}])${letters}`;
  const whole = text.search(new RegExp(`${begins}(?![\\p{L}\\p{N}])`, 'iu'));
  return whole >= 0 ? whole : text.search(new RegExp(begins, 'iu'));
}

function excerpt(section, terms) {
  const at = Math.min(...terms.map(term => placeOf(term, section.text)).filter(k => k >= 0), Infinity);
  const begin = Number.isFinite(at) ? Math.max(0, at - 40) : 0;
  const part = section.text.slice(begin, begin + 120);                            // of it the whole words
  return (begin ? '… ' : '') + part.replace(begin ? /^\S*\s+|\s+\S*$/g : /\s+\S*$/, '');
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

// What is said below the field if nothing is found.
function nothing(terms) {
  if (terms.length > 1) return 'Nothing found: no part of a page has all of these words.';
  return `Nothing found: no page has ${terms[0].word ? 'a word that begins with' : 'the signs'} “${terms[0].raw}”.`;
}

function show() {
  const terms = window.searchIndex ? termsOf(field.value) : [];
  const found = terms.length === 0 ? [] : sections.map(section => score(section, terms)).filter(Boolean)
    .sort((a, b) => a.begun - b.begun || b.points - a.points);
  list.replaceChildren(...found.slice(0, most).map(({section}, k) => {
    const item = document.createElement('li');
    item.id = 'result-' + k;
    item.setAttribute('role', 'option');
    const link = document.createElement('a');
    link.href = up + section.url;
    link.tabIndex = -1;
    link.append(element('b', section.heading ? `${section.page}: ${section.heading}` : section.page),
                element('span', excerpt(section, terms)));
    item.append(link);
    return item;
  }));
  choose(-1);
  list.hidden = found.length === 0;
  field.setAttribute('aria-expanded', !list.hidden);
  const none = terms.length > 0 && found.length === 0;
  count.textContent = terms.length === 0 ? '' : none ? nothing(terms) :
    found.length === 1 ? '1 result' : `${found.length} results`;
  count.classList.toggle('unseen', !none);      // how many there are is for those who listen
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
  if (form.contains(event.target)) return;
  list.hidden = true;
  count.classList.add('unseen');
  field.setAttribute('aria-expanded', false);
});
