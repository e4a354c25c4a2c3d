// Shows the state between two steps: lanes, memory, what may still be read, barriers, stacks, source.

/** Returns the name of some lanes: "w0.l1–l3, w1.l0". `lanes` are in rising order. */
function laneRange(lanes, names) {
  const parts = [];
  for (let i = 0; i < lanes.length; ++i) {
    const first = lanes[i];
    while (i + 1 < lanes.length && lanes[i + 1] === lanes[i] + 1) ++i;
    const last = names[lanes[i]];
    const dot = last.lastIndexOf('.') + 1;
    const isSameWarp = names[first].slice(0, dot) === last.slice(0, dot);
    parts.push(first === lanes[i] ? last : `${names[first]}–${isSameWarp ? last.slice(dot) : last}`);
  }
  return parts.join(', ');
}

const laneSigns = { active: '●', parked: '○', 'other side': '○', 'not resident': '·', exited: '–' };

/** Panels that show a state. `names` are those of lanes, `locations` those of memory. */
class StateView {
  constructor(names, locations, sources) {
    this.names = names;
    this.locations = locations;
    this.sources = sources;
    this.panels = element('div', { class: 'panels' });
    this.code = new SourceView(sources, names);
  }

  /** Shows the lanes of `state`. Memory is that of `before`, and how `after` differs. */
  showPanels(state, before, after, acting) {
    const panels = [this.lanePanel(state, acting), this.memoryPanel(before, after)];
    if (state.readable.length > 0) panels.push(this.readablePanel(state));
    if (state.barriers.length > 0) panels.push(this.barrierPanel(state));
    if (state.stack.length > 0) panels.push(this.stackPanel(state));
    this.panels.replaceChildren(...panels);
    this.code.showLanes(state, acting);
  }

  panel(title, ...content) {
    return element('section', { class: 'panel' }, element('h3', {}, title), content);
  }

  placeLink(place) {
    if (!place) return [];
    const [file, line] = place;
    return withPlaces(`${this.sources[file].name}:${line}`, this.sources, () => this.follow(file, line));
  }

  lanePanel(state, acting) {
    const { names } = this;
    const warps = new Map();
    names.forEach((name, lane) => {
      const warp = name.slice(0, name.lastIndexOf('.'));
      if (!warps.has(warp)) warps.set(warp, []);
      const { is } = state.lanes[lane];
      warps.get(warp).push(element('span', {
        class: `lane ${is.replace(' ', '-')}${acting.has(lane) ? ' acting' : ''}`, title: `${name}: ${is}`,
      }, laneSigns[is]));
    });
    const masks = [...warps].map(([warp, signs]) => element('div', { class: 'warp' },
      element('span', { class: 'faint' }, warp), element('span', { class: 'signs' }, signs)));
    const groups = new Map();  // lanes in the same place and state
    names.forEach((name, lane) => {
      const key = JSON.stringify(state.lanes[lane]);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(lane);
    });
    const list = [...groups.values()].map((lanes) => {
      const { is, at, does } = state.lanes[lanes[0]];
      const next = {
        active: does === 'branch' ? 'goes on at' : does && `${does} at`,
        parked: 'parked at',
        'other side': 'its side comes later, at',
      }[is] || is;
      return element('li', { class: lanes.some((lane) => acting.has(lane)) ? 'acting' : '' },
        element('b', {}, laneRange(lanes, names)), ` ${next} `, this.placeLink(at));
    });
    return this.panel('Lanes', masks, element('ul', {}, list));
  }

  memoryPanel(state, after) {
    const rows = this.locations.map((name, number) => {
      const [old, now] = [state.memory[number], after.memory[number]];
      return element('tr', { class: old === now ? '' : 'changed' },
        element('td', {}, name), element('td', {}, old === now ? old : `${old} → ${now}`));
    });
    return this.panel('Memory', rows.length === 0 ? element('p', { class: 'faint' }, 'Nothing is accessed.')
      : element('div', { class: 'scroll memory' }, element('table', {}, element('tbody', {}, rows))));
  }

  readablePanel(state) {
    const alive = Object.values(state.lanes).filter(({ is }) => is !== 'exited').length;
    return this.panel('May still be read', state.readable.map(({ location, stored }) =>
      element('div', { class: 'messages' }, element('b', {}, this.locations[location]),
        element('ol', {}, stored.map(({ value, promised, readers }, number) => element('li', {},
          element('span', { class: 'value' }, value),
          promised ? ' (its store comes later)' : '',
          number + 1 === stored.length ? ' newest' : '',
          readers.length === 0 ? ', by nobody'
            : readers.length === alive ? ', by everybody' : `, by ${laneRange(readers, this.names)}`))))));
  }

  barrierPanel(state) {
    return this.panel('Barriers', element('ul', {}, state.barriers.map(({ name, arrived, expected, unit }) =>
      element('li', {}, withPlaces(`${name}: `, this.sources, (file, line) => this.follow(file, line)),
        element('b', {}, `${arrived} of ${expected} ${unit}`)))));
  }

  stackPanel(state) {
    const range = (lanes) => laneRange(lanes, this.names);
    return this.panel('Stack', element('ul', {}, state.stack.map(({ warp, reconverges, parked, sides }) =>
      element('li', {}, `${warp} reconverges `,
        reconverges ? ['at ', this.placeLink(reconverges)].flat() : 'where its lanes exit',
        parked.length > 0 ? `; parked: ${range(parked)}` : '',
        sides.length > 0 ? `; yet to run: ${sides.map(range).join(' | ')}` : ''))));
  }

  follow(file, line) {
    this.code.follow(file, line);
  }
}

/** Shows the source, with the lanes at the lines where they stand. */
class SourceView {
  constructor(sources, names) {
    this.sources = sources;
    this.names = names;
    this.file = -1;
    this.at = [];
    this.tabs = element('div', { class: 'tabs', role: 'tablist' });
    this.lines = element('div', { class: 'code scroll', tabindex: 0, role: 'region', 'aria-label': 'Source' });
    this.shown = element('section', { class: 'panel sources' }, element('h3', {}, 'Source'), this.tabs, this.lines);
    sources.forEach((source, number) => {
      this.tabs.append(element('button', {
        type: 'button', role: 'tab', onclick: () => { this.open(number); this.mark(); },
      }, source.name));
    });
    this.shown.hidden = sources.length === 0;
  }

  open(file) {
    if (this.file === file) return;
    this.file = file;
    [...this.tabs.children].forEach((tab, number) => tab.setAttribute('aria-selected', String(number === file)));
    const { text } = this.sources[file];
    this.lines.replaceChildren(...text.split('\n').map((line, index) => element('div', { class: 'line', tabindex: -1 },
      element('span', { class: 'lanes' }), element('span', { class: 'number' }, index + 1),
      element('code', {}, line))));
    if (text === '') this.lines.replaceChildren('This file could not be read when the page was written.');
  }

  lineElement(line) {
    return this.lines.querySelectorAll('.line')[line - 1];
  }

  showLanes(state, acting) {
    this.at = [];
    for (const [lane, { at, is }] of Object.entries(state.lanes)) {
      if (at) this.at.push({ lane: Number(lane), file: at[0], line: at[1], is, acts: acting.has(Number(lane)) });
    }
    const first = this.at.find((one) => one.acts) || this.at[0];
    if (first) this.open(first.file);
    else if (this.file < 0 && this.sources.length > 0) this.open(0);
    this.mark();
    if (first) this.scrollTo(first.line);
  }

  mark() {
    for (const line of this.lines.querySelectorAll('.here')) {
      line.classList.remove('here', 'acting');
      line.querySelector('.lanes').replaceChildren();
    }
    const byLine = new Map();
    for (const one of this.at.filter(({ file }) => file === this.file)) {
      if (!byLine.has(one.line)) byLine.set(one.line, []);
      byLine.get(one.line).push(one);
    }
    for (const [number, all] of byLine) {
      const line = this.lineElement(number);
      if (!line) continue;
      line.classList.add('here');
      if (all.some(({ acts }) => acts)) line.classList.add('acting');
      const active = all.filter(({ is }) => is === 'active').map(({ lane }) => lane);
      const others = all.filter(({ is }) => is !== 'active').map(({ lane }) => lane);
      const text = [active.length > 0 ? `● ${laneRange(active, this.names)}` : '',
        others.length > 0 ? `○ ${laneRange(others, this.names)}` : ''].filter(Boolean).join(' ');
      line.querySelector('.lanes').replaceChildren(text);
    }
  }

  scrollTo(number) {
    const line = this.lineElement(number);
    if (!line) return;
    const view = this.lines;
    if (line.offsetTop < view.scrollTop || line.offsetTop + line.offsetHeight > view.scrollTop + view.clientHeight) {
      view.scrollTop = line.offsetTop - view.clientHeight / 2;
    }
  }

  /** Shows the line of a link that was followed, and puts the keyboard focus there. */
  follow(file, number) {
    this.open(file);
    this.mark();
    const line = this.lineElement(number);
    if (!line) return;
    for (const other of this.lines.querySelectorAll('.followed')) other.classList.remove('followed');
    line.classList.add('followed');
    line.scrollIntoView({ block: 'center' });
    line.focus({ preventScroll: true });
  }
}
