// Shows runs: a counterexample is a table of steps, and a stage that shows the state at one of them.
//
// A position is a move of the execution, from 0; the last one, after all moves, is the end. At a
// move the stage shows the state before it, and what the move changes in memory.

/** Returns all states in full, from the differences that the document has. */
function unpackStates(states) {
  let lanes = {};
  let memory = {};
  return states.map((state) => {
    lanes = { ...lanes, ...state.lanes };
    memory = { ...memory, ...state.memory };
    return {
      lanes, memory,
      readable: state.readable || [], barriers: state.barriers || [], stack: state.stack || [],
    };
  });
}

class Stage extends StateView {
  constructor(violation, sources) {
    super(violation.lanes, violation.locations, sources);
    this.violation = violation;
    this.states = unpackStates(violation.states);
    this.end = violation.steps.length;
    this.hasCycle = violation.cycle !== undefined;
    this.round = 1;
    this.position = 0;
    this.rowsOf = new Map();  // by move: numbers of rows
    violation.table.rows.forEach((row, number) => {
      for (const move of row.moves) {
        if (!this.rowsOf.has(move)) this.rowsOf.set(move, []);
        this.rowsOf.get(move).push(number);
      }
    });
    this.rowElements = new Map();
    this.folds = [];
    this.shown = this.build();
    this.show(0);
  }

  build() {
    const button = (label, sign, action) => element('button',
      { type: 'button', 'aria-label': label, title: label, onclick: action }, sign);
    this.slider = element('input', {
      type: 'range', min: 0, max: this.end, value: 0, 'aria-label': 'Step of the run',
      oninput: () => this.show(Number(this.slider.value)),
    });
    this.label = element('span', { class: 'label' });
    this.does = element('div', { class: 'does', 'aria-live': 'polite' });
    return element('div', { class: 'stage' },
      element('div', { class: 'controls' },
        button('First step (Home)', '|◀', () => this.show(0)),
        button('Step back (←)', '◀', () => this.back()),
        this.slider,
        button('Next step (→)', '▶', () => this.forward()),
        button('The end (End)', '▶|', () => this.show(this.end)),
        this.label),
      this.does,
      element('div', { class: 'split' }, this.table(), this.panels),
      this.code.shown);
  }

  // The table of steps.

  table() {
    const { columns, rows, folds, idle, cycle } = this.violation.table;
    const used = (key) => rows.some((row) => row[key]);
    this.heads = ['step', ...(used('active') ? ['active'] : []), ...columns.map((column) => column.head),
      ...(used('memory') ? ['memory'] : []), ...(used('source') ? ['source'] : [])];
    this.body = element('tbody', {});
    const byBegin = new Map(folds.map((fold) => [fold.begin, fold]));
    for (let r = 0; r < rows.length; ++r) {
      const fold = byBegin.get(r);
      if (fold === undefined) {
        this.body.append(this.row(r));
        continue;
      }
      for (let i = 0; i < fold.block; ++i) this.body.append(this.row(r + i));
      const note = element('tr', { class: 'fold' });
      this.body.append(note);
      this.folds.push({ ...fold, note, isOpen: false, more: [] });
      this.labelFold(this.folds.at(-1));
      r += fold.block * fold.times - 1;
    }
    const back = this.hasCycle && element('button', {
      type: 'button', class: 'back', onclick: () => this.forward(),
    }, `⟳ back to ${this.stepName(this.violation.cycle)}`);
    this.endRow = element('tr', {
      class: cycle !== null ? 'end cycle' : 'end', onclick: () => this.show(this.end),
    }, element('td', {}, element('button', { type: 'button' }, 'end')),
    element('td', { colspan: this.heads.length - 1, class: 'ending' },
      withPlaces(`└─ ${this.violation.ending || 'the run ends here'}`, this.sources,
        (file, line) => this.follow(file, line)), ' ', back || null));
    this.body.append(this.endRow);
    const table = element('table', { class: columns.length > 8 ? 'steps listed' : 'steps' },
      element('thead', {}, element('tr', {}, this.heads.map((head) => element('th', { scope: 'col' }, head)))),
      this.body);
    this.scroll = element('div', { class: 'scroll rows', tabindex: 0, role: 'region', 'aria-label': 'Steps' }, table);
    return element('div', {}, this.scroll, idle ? element('p', { class: 'faint' }, idle) : null);
  }

  row(number) {
    const { columns, rows, cycle } = this.violation.table;
    const row = rows[number];
    const go = () => this.show(row.moves.length > 0 ? row.moves[0] : 0);
    const isFirstOfCycle = number === cycle;
    const steps = row.first === 0 ? '' : row.first === row.last ? `${row.first}` : `${row.first}–${row.last}`;
    const label = isFirstOfCycle ? `⟳ ${steps}` : steps;
    const cells = [element('td', { class: 'step' }, label && element('button', { type: 'button' }, label))];
    const add = (text, kind) => {
      const head = this.heads[cells.length];
      const follow = (file, line) => this.follow(file, line);
      cells.push(element('td', { class: kind, 'data-head': head },
        text ? withPlaces(text, this.sources, follow) : []));
    };
    if (this.heads.includes('active')) add(row.active, 'mask');
    columns.forEach((column, c) => {
      const text = row.cells[c];
      add(text && row.times > 1 ? `${text}  ×${row.times}` : text, 'does');
    });
    if (this.heads.includes('memory')) add([...new Set(row.memory || [])].join(', '), 'memory');
    if (this.heads.includes('source')) add(row.source, 'source');
    const made = element('tr', { class: cycle !== null && number >= cycle ? 'cycle' : '', onclick: go }, cells);
    this.rowElements.set(number, made);
    return made;
  }

  labelFold(fold) {
    const rows = fold.block === 1 ? '' : 'these rows ';
    fold.note.replaceChildren(element('td', { colspan: this.heads.length },
      `└─ ${rows}×${fold.times} `,
      element('button', {
        type: 'button', 'aria-expanded': String(fold.isOpen), onclick: () => this.toggle(fold),
      }, fold.isOpen ? 'fold' : 'unfold')));
  }

  toggle(fold) {
    fold.isOpen = !fold.isOpen;
    if (fold.isOpen) {
      for (let r = fold.begin + fold.block; r < fold.begin + fold.block * fold.times; ++r) {
        fold.more.push(this.row(r));
      }
      fold.note.before(...fold.more);
    } else {
      for (const row of fold.more) row.remove();
      for (let r = fold.begin + fold.block; r < fold.begin + fold.block * fold.times; ++r) this.rowElements.delete(r);
      fold.more = [];
    }
    this.labelFold(fold);
    this.show(this.position);
  }

  /** Returns the row that shows row `number`: itself, or its counterpart in the first round of a fold. */
  visibleRow(number) {
    for (const fold of this.folds) {
      if (number < fold.begin || number >= fold.begin + fold.block * fold.times || fold.isOpen) continue;
      return fold.begin + (number - fold.begin) % fold.block;
    }
    return number;
  }

  // Moving.

  forward() {
    if (this.position < this.end) return this.show(this.position + 1);
    if (!this.hasCycle) return undefined;
    ++this.round;
    return this.show(this.violation.cycle);
  }

  back() {
    if (this.position > 0) this.show(this.position - 1);
  }

  goToStep(number) {
    this.show(this.violation.steps.findIndex((step) => step.step === number));
  }

  stepName(position) {
    for (let p = position; p < this.end; ++p) {
      if (this.violation.steps[p].step > 0) return `step ${this.violation.steps[p].step}`;
    }
    return 'the end';
  }

  show(position) {
    if (position <= 0) this.round = 1;
    this.position = Math.max(0, Math.min(position, this.end));
    this.slider.value = this.position;
    const last = this.violation.steps.reduce((most, step) => Math.max(most, step.step), 0);
    const isEnd = this.position === this.end;
    const step = isEnd ? null : this.violation.steps[this.position];
    const name = isEnd ? 'end' : step.step > 0 ? `step ${step.step} of ${last}` : 'between steps';
    this.label.textContent = this.round > 1 ? `${name}, round ${this.round}` : name;
    this.slider.setAttribute('aria-valuetext', this.label.textContent);
    for (const row of this.body.querySelectorAll('.chosen')) row.classList.remove('chosen');
    const rows = isEnd ? [] : (this.rowsOf.get(this.position) || []).map((row) => this.visibleRow(row));
    const chosen = isEnd ? [this.endRow] : rows.map((row) => this.rowElements.get(row)).filter(Boolean);
    for (const row of chosen) row.classList.add('chosen');
    if (chosen.length > 0) this.scrollTo(chosen[0]);
    this.describe(isEnd ? [] : this.rowsOf.get(this.position) || [], step);
    this.showState(step);
    if (this.onstep) this.onstep(isEnd ? last : step.step);
  }

  /** Scrolls only the table, not the page. */
  scrollTo(row) {
    const view = this.scroll;
    const head = view.querySelector('thead').offsetHeight;
    if (row.offsetTop - head < view.scrollTop) view.scrollTop = row.offsetTop - head;
    const bottom = row.offsetTop + row.offsetHeight;
    if (bottom > view.scrollTop + view.clientHeight) view.scrollTop = bottom - view.clientHeight;
  }

  describe(rows, step) {
    const { columns, rows: all } = this.violation.table;
    const follow = (file, line) => this.follow(file, line);
    const lines = [];
    for (const number of rows) {
      const row = all[number];
      for (const [c, text] of Object.entries(row.cells)) {
        const lanes = columns[c].lanes;
        const acting = step ? lanes.filter((lane) => step.lanes.includes(lane)) : [];
        const who = laneRange(acting.length > 0 ? acting : lanes, this.violation.lanes);
        const where = row.source ? ` at ${row.source}` : '';
        lines.push(element('p', {}, element('b', {}, who), ' ',
          withPlaces(`${text}${where}`, this.sources, follow)));
      }
    }
    if (lines.length === 0) {
      lines.push(element('p', {}, withPlaces(this.violation.ending || 'The run ends here.', this.sources, follow)));
    }
    this.does.replaceChildren(...lines);
  }

  showState(step) {
    const state = this.states[this.position];
    const after = this.states[Math.min(this.position + 1, this.end)];
    this.showPanels(state, state, after, new Set(step ? step.lanes : []));
  }
}

/** Shows one counterexample. Adds its stage to `stages`. */
function violationView(violation, sources, stages) {
  const stage = new Stage(violation, sources);
  stages.push(stage);
  const follow = (file, line) => stage.follow(file, line);
  const [first, ...others] = violation.why;
  const view = element('details', { class: 'violation', open: true },
    element('summary', {}, badge(violation.verdict), ' ', element('span', { class: 'first' }, first)),
    element('ul', { class: 'why' }, others.map((sentence) => element('li', {}, withPlaces(sentence, sources, follow)))));
  if (violation.history) {
    const bars = historyBars(violation.history, (step) => stage.goToStep(step));
    stage.onstep = bars.mark;
    bars.mark(0);
    view.append(bars.shown);
  }
  view.append(stage.shown);
  if (violation.remedy) view.append(element('p', { class: 'remedy' }, withPlaces(violation.remedy, sources, follow)));
  if (violation.replay) view.append(element('p', {}, 'Replay: ', element('code', {}, violation.replay)));
  stage.view = view;
  for (const event of ['pointerdown', 'focusin']) view.addEventListener(event, () => choose(stages, stage));
  return view;
}

/** Gives keys, and on a telephone the only visible controls, to the chosen stage. */
function choose(stages, stage) {
  stages.current = stage;
  for (const other of stages) other.view.classList.toggle('current', other === stage);
}

function runPage(report) {
  const stages = [];
  const page = element('section', {}, element('h1', {}, report.title));
  for (const run of report.runs) {
    page.append(element('section', { class: 'run' },
      element('p', { class: 'headline' }, element('span', { class: 'file' }, run.file), ' ',
        element('span', { class: 'faint' }, run.model || ''), ' ', badge(run.verdict, run.mark), ' ',
        element('span', { class: 'faint' }, run.size || '')),
      run.notes.map((note) => element('p', { class: 'note' }, note)),
      run.violations.map((violation) => violationView(violation, report.sources, stages)),
      run.other ? element('p', { class: 'note' }, run.other) : null));
  }
  if (report.summary) page.append(element('p', { class: 'summary' }, report.summary));
  if (stages.length > 0) choose(stages, stages[0]);
  document.addEventListener('keydown', (event) => {
    const stage = stages.current;
    if (!stage || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const action = {
      ArrowRight: () => stage.forward(), ArrowDown: () => stage.forward(),
      ArrowLeft: () => stage.back(), ArrowUp: () => stage.back(),
      Home: () => stage.show(0), End: () => stage.show(stage.end),
    }[event.key];
    const isInSource = event.target.closest && event.target.closest('.code');
    if (!action || (isInSource && event.key !== 'ArrowRight' && event.key !== 'ArrowLeft')) return;
    event.preventDefault();
    action();
  });
  return page;
}
