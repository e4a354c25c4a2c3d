// Litmus tests: outcomes, races, and why.

function litmusPage(report) {
  return element('section', {}, element('h1', {}, report.title));
}
