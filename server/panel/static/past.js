// The slider of a file's history shows what it stands at while it is moved.
import { page } from "./page.js";

const pause = 120; // milliseconds after the last move

for (const form of document.querySelectorAll("form[data-slide]")) {
  const slider = form.elements.n;
  let timer, shown = slider.value;
  const show = async () => {
    const wanted = slider.value;
    if (wanted === shown) return;
    const url = `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;
    const doc = await page(url);
    const now = document.querySelector(form.dataset.slide), then = doc?.querySelector(form.dataset.slide);
    if (!then || wanted !== slider.value) return; // the button still leads there, or a later move does
    now.replaceChildren(...[...then.childNodes].map((n) => document.importNode(n, true)));
    slider.setAttribute("aria-valuetext", doc.querySelector("#n").getAttribute("aria-valuetext"));
    shown = wanted;
    history.replaceState(null, "", url);
  };
  slider.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, pause);
  });
}
