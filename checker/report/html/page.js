// Shows the document that the page carries.
const report = JSON.parse(document.getElementById('data').textContent);
document.title = `${report.title} · warpcheck`;
const pages = { run: runPage, history: historyPage, litmus: litmusPage, play: playPage };
document.getElementById('page').append(pages[report.kind](report));
