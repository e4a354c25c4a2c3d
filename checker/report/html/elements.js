// Makes elements of a page from text: no string of a report is ever read as markup.

/** Makes an element with properties (`class`, `on…` listeners, attributes) and children. */
function element(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null));
  return made;
}

/** Makes text in which each place, "tas.hpp:10", is a link that calls `follow(file, line)`. */
function withPlaces(text, sources, follow) {
  const numbers = new Map(sources.map((source, number) => [source.name, number]));
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(/([\w.+-]+\.\w+):(\d+)/g)) {
    if (!numbers.has(found[1])) continue;
    parts.push(text.slice(end, found.index));
    parts.push(element('a', {
      href: '#',
      class: 'place',
      onclick: (event) => {
        event.preventDefault();
        follow(numbers.get(found[1]), Number(found[2]));
      },
    }, found[0]));
    end = found.index + found[0].length;
  }
  parts.push(text.slice(end));
  return parts.filter((part) => part !== '');
}

/** Makes "ok ✓" with its colour. */
function badge(verdict, mark) {
  const kind = mark === '✓' ? 'good' : mark === '?' ? 'open' : 'bad';
  return element('span', { class: `badge ${kind}` }, mark ? `${verdict} ${mark}` : verdict);
}
