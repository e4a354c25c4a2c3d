// Lets a reader play the scheduler: the page carries the graph of all states, and the reader chooses
// who goes next.

class Game extends StateView {
  constructor(report) {
    super(report.lanes, report.locations, report.sources);
    this.nodes = report.nodes.map((node) => ({
      ...node,
      state: { lanes: {}, memory: {}, readable: [], barriers: [], stack: [], ...node.state },
    }));
    this.choices = this.nodes.reduce((sum, node) => sum + node.edges.length, 0);
    this.name = report.name;
    this.counterexample = report.counterexample;
    this.made = [];  // {at: node, edge: number}
    this.seen = new Set([0]);
    this.tried = new Set();
    this.hinted = false;
    this.shown = this.build();
    this.look();
  }

  build() {
    const button = (label, sign, action) => element('button',
      { type: 'button', title: label, onclick: action }, sign);
    this.backButton = button('Take the last choice back (b, ←)', '◀ Back', () => this.back());
    this.hintButton = button('What can come of each choice (h)', 'Hint', () => this.hint());
    this.label = element('span', { class: 'label' });
    this.outcome = element('div', { class: 'outcome', 'aria-live': 'polite' });
    this.next = element('tbody', {});
    this.soFar = element('tbody', {});
    this.progress = element('p', { class: 'faint progress' });
    const table = (kind, title, body) => element('section', { class: kind }, element('h3', {}, title),
      element('div', { class: 'scroll' }, element('table', { class: 'steps' }, body)));
    return element('div', { class: 'stage' },
      element('div', { class: 'controls' }, this.backButton, this.hintButton,
        button('From the beginning (Home)', '|◀ Start again', () => this.backTo(0)), this.label),
      this.outcome,
      element('div', { class: 'split' },
        element('div', {}, table('next', 'Who goes next?', this.next), table('so-far', 'The run so far', this.soFar),
          this.progress),
        this.panels),
      this.code.shown);
  }

  // Where the run is.

  get last() {
    return this.made.length === 0 ? null : this.edgeOf(this.made.at(-1));
  }

  edgeOf({ at, edge }) {
    return this.nodes[at].edges[edge];
  }

  /** The number of the state that is shown: where the run ends in a step, the state before it. */
  get here() {
    if (this.made.length === 0) return 0;
    return this.last.to === undefined ? this.made.at(-1).at : this.last.to;
  }

  get isOver() {
    return this.last !== null && this.last.to === undefined;
  }

  /** Two steps that follow one another race where both lanes were about to access one location. */
  get race() {
    if (this.made.length < 2) return null;
    const [first, second] = this.made.slice(-2);
    const pairs = this.nodes[first.at].races || [];
    const isPair = ([a, b]) => (a === first.edge && this.isMoveOf(second, first.at, b))
      || (b === first.edge && this.isMoveOf(second, first.at, a));
    return pairs.some(isPair) ? { verdict: 'race', why: ['These two steps race: nothing orders them.'] } : null;
  }

  /** Whether `move` is that of the lane which takes edge `number` of node `at`. */
  isMoveOf(move, at, number) {
    return this.edgeOf(move).lanes[0] === this.nodes[at].edges[number].lanes[0];
  }

  // Choosing.

  choose(edge) {
    if (this.isOver || edge >= this.nodes[this.here].edges.length) return;
    this.tried.add(`${this.here} ${edge}`);
    this.made.push({ at: this.here, edge });
    this.seen.add(this.here);
    this.hinted = false;
    this.look();
  }

  back() {
    this.backTo(this.made.length - 1);
  }

  backTo(length) {
    if (length < 0) return;
    this.made.length = Math.min(length, this.made.length);
    this.hinted = false;
    this.look();
  }

  hint() {
    this.hinted = true;
    this.look();
  }

  // What is shown.

  look() {
    const node = this.nodes[this.here];
    const steps = this.made.length;
    this.label.textContent = steps === 1 ? '1 choice made' : `${steps} choices made`;
    this.backButton.disabled = steps === 0;
    this.hintButton.disabled = this.isOver || node.edges.length === 0;
    this.showOutcome(node);
    const choices = this.isOver ? [] : node.edges;
    this.next.replaceChildren(...choices.map((edge, number) => this.choiceRow(edge, number)));
    if (choices.length === 0) {
      this.next.append(element('tr', {}, element('td', { class: 'faint' }, 'Nobody: this run is over. Back takes a choice back.')));
    }
    this.soFar.replaceChildren(...this.made.map((move, number) => this.row(this.edgeOf(move), number + 1,
      `Back to before choice ${number + 1}`, () => this.backTo(number))));
    if (steps === 0) {
      this.soFar.append(element('tr', {}, element('td', { class: 'faint' }, 'This is the beginning.')));
    }
    this.progress.textContent = `You have been in ${this.seen.size} of ${this.nodes.length} states, and have tried `
      + `${this.tried.size} of ${this.choices} choices.`;
    const acting = new Set(this.last ? this.last.lanes : []);
    const before = steps === 0 || this.isOver ? node.state : this.nodes[this.made.at(-1).at].state;
    this.showPanels(node.state, before, node.state, acting);
  }

  showOutcome(node) {
    const follow = (file, line) => this.follow(file, line);
    const found = this.isOver ? this.last : this.race || (node.verdict ? node : null);
    const lines = [];
    if (found && found.verdict) {
      const isDead = !this.isOver && node.edges.length > 0 && found === node;
      lines.push(element('p', {}, badge(found.verdict), ' ', element('b', {}, isDead || found.verdict.endsWith('deadlock')
        ? 'From here no schedule finishes.' : 'You have made it fail.')));
      const why = found.why || [];
      lines.push(this.saveLink(found));
      lines.push(element('ul', { class: 'why' }, why.map((sentence) => element('li', {}, withPlaces(sentence, this.sources, follow)))));
    } else if (node.finished) {
      lines.push(element('p', {}, badge('finished', '✓'), ' All lanes have finished, and all is well.'));
    }
    if (this.hinted && !this.isOver) lines.push(element('p', { class: 'hint' }, this.hintText(node)));
    this.outcome.replaceChildren(...lines);
  }

  /** A link that keeps the run as a file, for `warpcheck replay`. */
  saveLink(found) {
    const file = `${this.name}${found.verdict}.json`;
    const text = JSON.stringify({
      ...this.counterexample,
      verdict: found.verdict,
      detail: found.detail || '',
      choices: [...this.made.map((move) => this.edgeOf(move).choice), ...(found.more || [])],
      cycle: found.cycle || [],
    }, null, 1);
    return element('p', {}, element('a', {
      class: 'save', download: file, href: `data:application/json,${encodeURIComponent(text)}`,
    }, 'Keep this run'), ', and then: ', element('code', {}, `warpcheck replay ${file} --step`));
  }

  hintText(node) {
    const dangerous = node.edges.filter((edge) => edge.can || edge.verdict).length;
    if (dangerous === 0) {
      return `No choice leads to a deadlock, a failed assertion or a bad access from here (the graph has ${this.nodes.length} states).`;
    }
    return dangerous === 1 ? 'One of these choices can lead to a violation.'
      : `${dangerous} of these choices can lead to a violation.`;
  }

  choiceRow(edge, number) {
    const made = this.row(edge, number + 1, `Choose ${number + 1}`, () => this.choose(number));
    if (this.tried.has(`${this.here} ${number}`)) made.classList.add('tried');
    if (this.hinted) {
      const found = edge.verdict ? [edge.verdict] : edge.can || [];
      const never = edge.never ? ': from there, no schedule finishes' : '';
      made.append(element('td', { class: found.length > 0 ? 'warning' : 'faint' },
        found.length > 0 ? `can lead to ${found.join(', ')}${never}` : 'leads to no violation'));
    }
    return made;
  }

  row(edge, number, title, action) {
    const follow = (file, line) => this.follow(file, line);
    const cell = (kind, text) => element('td', { class: kind }, text ? withPlaces(text, this.sources, follow) : []);
    const choose = (event) => event.target.closest('a') || action();  // a link only leads to its line
    return element('tr', { onclick: choose },
      element('td', { class: 'step' }, element('button', { type: 'button', title }, String(number))),
      element('td', { class: 'who' }, element('b', {}, edge.who)), cell('does', edge.does),
      cell('memory', edge.memory), cell('source', edge.source));
  }

  follow(file, line) {
    this.code.follow(file, line);
  }
}

function playPage(report) {
  const game = new Game(report);
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
    const action = digit > 0 ? () => game.choose(digit - 1) : {
      b: () => game.back(), ArrowLeft: () => game.back(), h: () => game.hint(), Home: () => game.backTo(0),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  return element('section', {}, element('h1', {}, report.title),
    element('p', {}, 'You are the scheduler: choose who goes next. Can you make it fail, or show that you cannot? ',
      'Keys: 1 to 9 choose, b or ← goes back, h gives a hint, Home starts again.'),
    report.notes.map((note) => element('p', { class: 'note' }, note)),
    game.shown);
}
