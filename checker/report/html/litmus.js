// Shows litmus tests: outcomes, races, and why an outcome is or is not possible.

function litmusOutcomes(test) {
  if (test.outcomes.length === 0) return element('p', {}, 'no execution is complete');
  const names = Object.keys(test.outcomes[0].values);
  return element('div', { class: 'scroll' }, element('table', { class: 'outcomes' },
    element('thead', {}, element('tr', {},
      ['', ...names, 'executions'].map((name) => element('th', { scope: 'col' }, name)))),
    element('tbody', {}, test.outcomes.map((outcome) => element('tr', { class: outcome.satisfies ? 'chosen' : '' },
      element('td', {}, outcome.satisfies ? '*' : ''),
      names.map((name) => element('td', {}, outcome.values[name])),
      element('td', {}, outcome.executions))))));
}

/** Shows a test, folded if there are many and it is as expected. */
function litmusTest(test, isOpen) {
  const verdict = test.holds === null ? 'inconclusive' : test.holds ? 'holds' : 'does not hold';
  const mark = test.as_expected === null ? '?' : test.as_expected ? '✓' : '✗';
  const access = ({ thread, line, instruction }) => `P${thread}: ${instruction} (line ${line})`;
  const reasons = test.witness || test.forbidden || [];
  return element('details', { class: 'litmus', open: isOpen || test.as_expected !== true },
    element('summary', {}, element('span', { class: 'file' }, test.file), ' ',
      element('span', { class: 'faint' }, `[${test.model}]`), ' ', badge(verdict, mark)),
    element('p', { class: 'first' }, test.condition),
    element('pre', { class: 'panel' }, test.source.trim()),
    litmusOutcomes(test),
    test.races.map((race) => element('p', {},
      `race on ${race.location}: ${race.accesses.map(access).join(' and ')}. Remedy: ${race.remedy}.`)),
    test.endless ? [element('h3', {}, 'not every execution ends'),
      element('pre', { class: 'panel' }, test.endless.join('\n'))] : null,
    reasons.length > 0 ? [
      element('h3', {}, test.witness ? 'an execution that decides' : 'why there is none'),
      element('pre', { class: 'panel reasons' }, reasons.join('\n'))] : null,
    element('details', {}, element('summary', { class: 'faint' }, 'as the terminal shows it'),
      element('pre', { class: 'panel' }, test.text)));
}

function litmusPage(report) {
  return element('section', {}, element('h1', {}, report.title), 
    report.tests.map((test) => litmusTest(test, report.tests.length <= 3)),
    report.summary ? element('p', { class: 'summary' }, report.summary) : null);
}
