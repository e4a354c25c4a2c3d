// Shows histories: operations as bars over time.

/** Maps numbers of events to places from 0 to 1, all at the same distance. */
function timeAxis(operations) {
  const times = [];
  for (const one of operations) {
    times.push(one.called);
    if (one.returns !== null) times.push(one.returns);
  }
  times.sort((a, b) => a - b);
  const places = new Map(times.map((time, index) => [time, (index + 0.5) / times.length]));
  return (time) => places.get(time);
}

/**
 * Makes a row for each operation. `goTo(step)` is called when a step is chosen; without it, numbers
 * of lines are only text. Returns the element and a function that marks a step.
 */
function historyBars(history, goTo) {
  const at = timeAxis(history.operations);
  const cursors = [];
  const events = [];
  const rows = history.operations.map((one) => {
    const begin = at(one.called);
    const end = one.returns === null ? 1 : at(one.returns);
    events.push([one.call, begin]);
    if (one.returns !== null) events.push([one.return, end]);
    const kind = one.stuck ? 'stuck' : one.unexplained ? 'unexplained' : 'explained';
    const bar = element('span', {
      class: `bar ${kind}${one.returns === null ? ' pending' : ''}`,
      style: `left:${100 * begin}%;width:${100 * (end - begin)}%`,
    });
    const cursor = element('span', { class: 'cursor', hidden: true });
    cursors.push(cursor);
    const number = (value) => goTo && value > 0
      ? element('a', { href: '#', onclick: (event) => { event.preventDefault(); goTo(value); } }, value)
      : element('span', {}, value);
    const numbers = one.return === null ? [number(one.call)] : [number(one.call), ', ', number(one.return)];
    return element('tr', { class: kind },
      element('td', {}, one.client),
      element('td', { class: 'operation' }, one.text),
      element('td', { class: 'numbers' }, numbers),
      element('td', { class: 'track' }, element('div', {}, bar, cursor)));
  });
  const isUnexplained = history.operations.some((one) => one.unexplained);
  const table = element('div', { class: 'scroll' },
    element('table', { class: 'history' },
      element('thead', {}, element('tr', {},
        ['client', 'operation', history.where, 'time →'].map((head) => element('th', {}, head)))),
      element('tbody', {}, rows)));
  const legend = isUnexplained && element('p', { class: 'legend' },
    element('span', { class: 'sample unexplained' }), ' no order explains these together ',
    history.operations.some((one) => one.stuck)
      ? [element('span', { class: 'sample stuck' }), ' the operation that no order gets past']
      : []);
  const mark = (step) => {
    const passed = events.filter(([number]) => number <= step).map(([, place]) => place);
    for (const cursor of cursors) {
      cursor.hidden = passed.length === 0;
      cursor.style.left = `${100 * Math.max(0, ...passed)}%`;
    }
  };
  return { shown: element('div', {}, table, legend || null), mark };
}

function historyPage(report) {
  const page = element('section', {},
    element('h1', {}, report.title),
    element('p', { class: 'headline' }, badge(report.verdict, report.mark), ' ',
      element('span', { class: 'faint' }, report.size)),
    report.why.map((sentence, index) => element('p', { class: index === 0 ? 'why first' : 'why' }, sentence)),
    report.notes.map((note) => element('p', { class: 'faint' }, note)),
    historyBars(report.history, null).shown);
  if (report.order.length > 0) {
    page.append(element('h2', {}, 'This order explains it:'),
      element('pre', { class: 'order' }, report.order.join('\n')));
  }
  return page;
}
