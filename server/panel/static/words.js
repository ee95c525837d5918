// The sentences of the other modules, in the language of the page. A sentence is named by
// its English; the page carries what is said otherwise.

const texts = JSON.parse(document.body.dataset.words || "{}");
const forms = new Intl.PluralRules(document.documentElement.lang);

function fill(text, args) {
  let next = 0;
  return text.replace(/%(?:\[(\d+)\])?[ds]/g, (_, place) => String(args[place ? place - 1 : next++] ?? ""));
}

export function say(text, ...args) {
  return fill(texts[text] ?? text, args);
}

// several says a sentence of a number: one is the English of exactly one, other of the rest.
export function several(n, one, other) {
  const known = texts[other];
  return fill(known ? known[forms.select(n)] ?? known.other : n === 1 ? one : other, [n]);
}

export function element(name, props, ...children) {
  const e = Object.assign(document.createElement(name), props);
  e.append(...children);
  return e;
}
