// Reading on: when the link to the next page comes into view, what is on that page is put
// before it. A fault leaves the link, which leads there as it does without this.
import { page } from "./page.js";
import { element, several } from "./words.js";

const told = {
  changes: (n) => several(n, "1 more change", "%d more changes"),
  notes: (n) => several(n, "1 more note", "%d more notes"),
  signals: (n) => several(n, "1 more signal", "%d more signals"),
  files: (n) => several(n, "1 more file", "%d more files"),
};

const linkAfter = (list) => {
  const next = list.nextElementSibling;
  return next?.matches(".pages") ? next.querySelector("a[rel=next]") : null;
};

const status = element("p", { className: "sr" });
status.setAttribute("role", "status");

const count = (list) => list.querySelectorAll("article, li").length;

// join puts the parts of one list behind those of another. A day that goes on keeps its heading.
function join(list, more) {
  for (const part of [...more.children]) {
    const fresh = document.importNode(part, true);
    const last = list.lastElementChild;
    const heading = fresh.querySelector(":scope > h2.day");
    if (heading && heading.textContent === last?.querySelector(":scope > h2.day")?.textContent) {
      heading.remove();
      last.append(...fresh.childNodes);
    } else {
      list.append(fresh);
    }
  }
}

async function readOn(list, link) {
  const doc = await page(link.href);
  const more = doc?.querySelector(`[data-more="${list.dataset.more}"]`);
  if (!more) return false;
  const before = count(list);
  const focused = document.activeElement === link;
  join(list, more);
  const next = linkAfter(more);
  if (next) {
    link.href = next.getAttribute("href");
    const [left, now] = [link, next].map((a) => a.parentElement.querySelector(".small"));
    if (left && now) left.textContent = now.textContent;
  } else {
    const pages = link.parentElement;
    if (focused) {
      list.tabIndex = -1;
      list.focus({ preventScroll: true });
    }
    pages.remove();
  }
  status.textContent = told[list.dataset.more](count(list) - before);
  return Boolean(next);
}

for (const list of document.querySelectorAll("[data-more]")) {
  const link = linkAfter(list);
  if (!link) continue;
  let busy = false;
  const watch = new IntersectionObserver(async (moves) => {
    if (busy || !moves.at(-1).isIntersecting) return; // several may be told at once: the last one holds
    busy = true;
    watch.unobserve(link);
    if (await readOn(list, link)) watch.observe(link);
    busy = false;
  }, { rootMargin: "300px" });
  watch.observe(link);
}
document.body.append(status);
