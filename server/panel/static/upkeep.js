// A page that waits for upkeep follows it, and shows what it came to at its end.

import { page } from "./page.js";
import { say } from "./words.js";

const every = 1000; // milliseconds between two looks

async function follow() {
  const box = document.querySelector("[data-state]");
  if (!box) return;
  const status = box.querySelector("[role=status]");
  const bar = box.querySelector("progress");
  const wait = box.querySelector(".wait");
  wait.textContent = say("A model may take a minute. This page follows it.");
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, every); });
    let state;
    try {
      const answer = await fetch(box.dataset.state, { headers: { Accept: "application/json" } });
      if (answer.status === 401) {
        wait.textContent = say("Your session ended. Sign in again to see what came of it.");
        return;
      }
      if (!answer.ok) continue;
      state = await answer.json();
    } catch {
      continue; // the server is away: it is looked again
    }
    if (state.over) break;
    if (status.textContent !== state.step) status.textContent = state.step;
    if (state.of > 1) Object.assign(bar, { max: state.of, value: state.done });
  }
  const now = (await page(location.pathname))?.getElementById("main");
  if (!now) return location.reload();
  const main = document.getElementById("main");
  main.replaceChildren(...document.importNode(now, true).childNodes);
  main.focus({ preventScroll: true });
  follow();
}

follow();
