// SPDX-License-Identifier: MIT
// The charts of a class's report, drawn with d3 of their tables, and the search for a student.

'use strict';
(() => {
  const d3 = globalThis.d3;
  const all = (selector, from) => [...(from || document).querySelectorAll(selector)];
  const value = cell => Number(cell.dataset.v ?? cell.textContent);
  const si = number => {
    const units = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']];
    const [size, name] = units.find(([least]) => number >= least) || units[4];
    return Number((number / size).toPrecision(3)) + (name ? ' ' + name : '');
  };

  const bytes = number => si(number) + (number < 1e3 ? ' B' : 'B');

  const start = (figure, height) => {
    const plot = figure.querySelector('.plot');
    const width = Math.max(plot.clientWidth, 280);
    plot.replaceChildren();
    const svg = d3.select(plot).append('svg').attr('viewBox', `0 0 ${width} ${height}`).attr('role', 'img')
      .attr('aria-label', figure.dataset.name + ': the text and the table below say what it shows');
    return {svg, width, height};
  };
  const rows = figure => all('tbody tr', figure);
  const label = row => row.cells[0].textContent;

  // The round numbers of a logarithmic axis: 1, 2, 5, 10, or powers of ten alone where these are too many.
  const round = (scale, most) => {
    const [least, greatest] = scale.domain(), all = [];
    for (let power = 10 ** Math.floor(Math.log10(least)); power <= greatest * 1.001; power *= 10)
      for (const digit of [1, 2, 5])
        if (digit * power >= least * 0.999 && digit * power <= greatest * 1.001) all.push(digit * power);
    return all.length <= most ? all : all.filter(one => Math.abs(Math.log10(one) % 1) < 1e-9);
  };

  // A bar for each row's number; a row with data-mark has a dashed line at its end.
  const bars = figure => {
    const {svg, width, height} = start(figure, 230);
    const data = rows(figure), left = 36, bottom = height - 44;
    const x = d3.scaleBand().domain(data.map(label)).range([left, width - 4]).padding(0.15);
    const y = d3.scaleLinear().domain([0, d3.max(data, row => value(row.cells[1])) || 1]).nice().range([bottom, 30]);
    const widest = Math.max(...data.map(row => label(row).length)) * 7 + 10;
    const every = Math.ceil(widest / Math.max(x.step(), 1));
    svg.append('g').attr('transform', `translate(0,${bottom})`)
      .call(d3.axisBottom(x).tickValues(data.map(label).filter((_, k) => k % every === 0)).tickSizeOuter(0));
    svg.append('g').attr('transform', `translate(${left},0)`)
      .call(d3.axisLeft(y).ticks(Math.min(5, y.domain()[1])).tickFormat(d3.format('d')));
    svg.selectAll('.bar').data(data).enter().append('rect').attr('class', 'bar').attr('x', row => x(label(row)))
      .attr('width', x.bandwidth()).attr('y', row => y(value(row.cells[1])))
      .attr('height', row => bottom - y(value(row.cells[1])));
    if (x.bandwidth() > 18)
      svg.selectAll('.count').data(data.filter(row => value(row.cells[1]) > 0)).enter().append('text')
        .attr('text-anchor', 'middle').attr('x', row => x(label(row)) + x.bandwidth() / 2)
        .attr('y', row => y(value(row.cells[1])) - 4).text(row => value(row.cells[1]));
    for (const row of data.filter(one => one.dataset.mark)) {
      const at = x(label(row)) + x.bandwidth();
      svg.append('path').attr('class', 'bound').attr('d', `M${at},4V${bottom}`);
      svg.append('text').attr('class', 'bound-text halo').attr('text-anchor', at > width / 2 ? 'end' : 'start')
        .attr('x', at > width / 2 ? at - 5 : at + 5).attr('y', 12).text(row.dataset.mark);
    }
    svg.append('text').attr('x', width - 4).attr('y', height - 2).attr('text-anchor', 'end').text(figure.dataset.x);
  };

  // A bar in parts for each row: how many students have each kind of verdict.
  const stacks = figure => {
    const data = rows(figure), names = all('thead th', figure).slice(1).map(cell => cell.textContent);
    const used = names.map((_, k) => data.some(row => value(row.cells[k + 1]) > 0));
    const legend = [];
    let line = 0, at = 0;
    const plot = Math.max(figure.querySelector('.plot').clientWidth, 280);
    names.forEach((name, k) => {
      if (!used[k]) return;
      const wide = 36 + name.length * 7;
      if (at > 0 && at + wide > plot) { line += 1; at = 0; }
      legend.push({name, k, x: at, y: line * 18});
      at += wide;
    });
    const top = line * 18 + 30, step = 44;
    const {svg, width} = start(figure, top + data.length * step);
    for (const one of legend) {
      svg.append('rect').attr('class', `part part${one.k}`).attr('x', one.x).attr('y', one.y)
        .attr('width', 13).attr('height', 13);
      svg.append('text').attr('x', one.x + 18).attr('y', one.y + 11).text(one.name);
    }
    data.forEach((row, line) => {
      const counts = names.map((_, k) => value(row.cells[k + 1]));
      const total = counts.reduce((a, b) => a + b, 0) || 1;
      const x = d3.scaleLinear().domain([0, total]).range([0, width]);
      const y = top + line * step;
      svg.append('text').attr('x', 0).attr('y', y).text(label(row));
      let before = 0;
      counts.forEach((count, k) => {
        if (!count) return;
        svg.append('rect').attr('class', `part part${k}`).attr('x', x(before)).attr('y', y + 5)
          .attr('width', x(count)).attr('height', 20);
        if (x(count) > String(count).length * 8 + 4)
          svg.append('text').attr('class', `on${k}`).attr('text-anchor', 'middle').attr('x', x(before) + x(count) / 2)
            .attr('y', y + 19.5).text(count);
        before += count;
      });
    });
  };

  // A box for each row: least, quarter, half, three quarters, most.
  const boxes = figure => {
    const data = rows(figure), step = 48;
    const {svg, width, height} = start(figure, data.length * step + 34);
    const numbers = data.map(row => [1, 2, 3, 4, 5].map(k => value(row.cells[k])));
    const least = Math.min(1, ...numbers.map(one => one[0])), most = Math.max(2, ...numbers.map(one => one[4]));
    const x = d3.scaleLog().domain([least, most]).range([6, width - 14]).nice();
    const ticks = width < 500 ? 4 : 8;
    svg.append('g').attr('transform', `translate(0,${height - 34})`)
      .call(d3.axisBottom(x).tickValues(round(x, ticks)).tickFormat(one => si(one)).tickSizeOuter(0));
    svg.append('text').attr('x', width - 4).attr('y', height - 2).attr('text-anchor', 'end').text(figure.dataset.x);
    numbers.forEach((one, line) => {
      const y = line * step + 12, [low, quarter, half, three, high] = one.map(x);
      svg.append('text').attr('x', 0).attr('y', y).text(label(data[line]));
      svg.append('path').attr('class', 'whisker').attr('d', `M${low},${y + 15}H${high}`);
      svg.append('rect').attr('class', 'box').attr('x', quarter).attr('y', y + 6).attr('height', 18)
        .attr('width', Math.max(three - quarter, 2));
      svg.append('path').attr('class', 'median').attr('d', `M${half},${y + 4}v22`);
    });
  };

  // Bytes moved and the rate that was reached; the roof is what a copy reaches.
  const roof = figure => {
    const {svg, width, height} = start(figure, 320);
    const points = figure.dataset.points.split(' ').map(one => one.split(',').map(Number));
    const roofs = (figure.dataset.roofs || '').split('|').filter(Boolean).map(one => {
      const at = one.indexOf(',');
      return {rate: Number(one.slice(0, at)), name: one.slice(at + 1)};
    });
    const rates = [...points.map(one => one[2]), ...roofs.map(one => one.rate)];
    const around = list => [Math.min(...list) / 1.5, Math.max(...list) * 1.5];
    const x = d3.scaleLog().domain(around(points.map(one => one[1]))).range([64, width - 12]).nice();
    const y = d3.scaleLog().domain(around(rates)).range([height - 40, 16]).nice();
    svg.append('g').attr('transform', `translate(0,${height - 40})`)
      .call(d3.axisBottom(x).tickValues(round(x, width < 500 ? 4 : 8)).tickFormat(one => bytes(one)));
    svg.append('g').attr('transform', 'translate(64,0)')
      .call(d3.axisLeft(y).tickValues(round(y, 8)).tickFormat(one => bytes(one) + '/s'));
    svg.append('text').attr('x', width - 4).attr('y', height - 4).attr('text-anchor', 'end')
      .text('bytes that one call moves');
    for (const one of roofs) {
      svg.append('path').attr('class', 'bound').attr('d', `M64,${y(one.rate)}H${width - 12}`);
      svg.append('text').attr('class', 'bound-text halo').attr('x', 70).attr('y', y(one.rate) - 5)
        .text(`a copy on ${one.name}`);
    }
    // All calls of a task move the same bytes: its points are spread a little, and have their exercise's number below.
    svg.selectAll('.mark').data(points).enter().append('circle').attr('class', 'mark').attr('r', 3)
      .attr('cx', (one, k) => x(one[1]) + (k * 5 % 11 - 5)).attr('cy', one => y(one[2]));
    const columns = new Map();
    for (const one of points) {
      const key = Math.round(x(one[1]) / 24), column = columns.get(key) || {at: x(one[1]), low: 0, names: new Set()};
      column.low = Math.max(column.low, y(one[2]));
      columns.set(key, column);
      column.names.add(one[0]);
    }
    for (const {at, low, names} of columns.values())
      svg.append('text').attr('class', 'halo').attr('text-anchor', 'middle').attr('x', at)
        .attr('y', Math.min(low + 18, height - 44)).text([...names].sort((a, b) => a - b).join(', '));
  };

  const kinds = {bars, stacks, boxes, roof};
  const draw = () => {
    all('figure[data-kind]').forEach(figure => kinds[figure.dataset.kind](figure));
    // Who listens hears the chart's name, not its ticks and digits: the table has the numbers.
    all('.plot svg > *').forEach(one => one.setAttribute('aria-hidden', 'true'));
  };
  if (d3) {
    draw();
    all('figure[data-kind] details').forEach(one => { one.open = false; });
    let waiting = 0;
    addEventListener('resize', () => { clearTimeout(waiting); waiting = setTimeout(draw, 150); });
  }

  const field = document.querySelector('.filter input');
  if (field) {
    // Words with a space around each, so that ' ann ' is a word of a name and ' ann' begins one.
    const wordsOf = text => ` ${text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()} `;
    const students = all('#students tbody tr'), texts = students.map(row => wordsOf(row.cells[0].textContent));
    const count = document.querySelector('.filter output');
    document.querySelector('.filter').hidden = false;
    field.addEventListener('input', () => {
      const words = wordsOf(field.value).split(' ').filter(Boolean);
      // By how many words are only begun; those that have all of them come first.
      const found = students.map((row, k) => ({row, begun: words.filter(word => !texts[k].includes(` ${word} `)).length,
        fits: words.every(word => texts[k].includes(` ${word}`))})).sort((a, b) => a.begun - b.begun);
      for (const {row, fits} of found) { row.hidden = !fits; row.parentNode.append(row); }
      const shown = found.filter(one => one.fits).length;
      count.textContent = words.length === 0 ? '' : shown ? `${shown} of ${students.length} students`
        : `Nobody found: no student has ${words.length > 1 ? 'all of these words' : 'a word that begins so'}.`;
    });
  }
})();
