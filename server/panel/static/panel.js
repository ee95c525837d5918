// What makes the pages live. Each works without it; nothing here makes markup of text.
import { element, say } from "./words.js";

const look = 4000; // milliseconds between two looks at a file that is open in the editor

// stored reads and writes what this browser keeps, and does without where it may not.
const stored = {
  get(key) {
    try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
  },
  set(key, value) {
    try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* full, or not allowed: the page itself still has it */ }
  },
  drop(key) {
    try { localStorage.removeItem(key); } catch { /* likewise */ }
  },
};

const prefix = "quipu draft ";

// A draft goes when the server says that what was sent is saved.
if (["saved", "same"].includes(new URLSearchParams(location.search).get("did"))) {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefix) && stored.get(key)?.sent) stored.drop(key);
  }
}

// A page that is reloaded does not tell again what was done.
if (new URLSearchParams(location.search).has("did")) {
  const url = new URL(location.href);
  url.searchParams.delete("did");
  url.searchParams.delete("change");
  history.replaceState(null, "", url);
}

class Editor {
  constructor(form) {
    this.form = form;
    this.box = form.elements.text;
    this.key = prefix + form.dataset.draft;
    this.base = this.box.value;
    this.sent = false;
    this.status = element("p", { className: "live small" });
    this.status.setAttribute("role", "status");
    form.append(this.status);
    if (form.dataset.follow) this.restore(); // a page that shows a conflict has its text already
    form.addEventListener("input", () => { this.sent = false; this.keep(); });
    form.addEventListener("submit", () => { this.sent = true; this.keep(); });
    addEventListener("visibilitychange", () => { if (document.hidden) this.keep(); });
    if (form.dataset.follow) setInterval(() => this.follow(), look);
  }

  get dirty() { return this.box.value !== this.base; }
  get hash() { return this.form.elements.hash.value; }

  keep() {
    if (this.dirty || !this.form.dataset.follow) {
      stored.set(this.key, { text: this.box.value, hash: this.hash, at: Date.now(), sent: this.sent });
    } else if (!this.sent) {
      stored.drop(this.key);
    }
  }

  restore() {
    const draft = stored.get(this.key);
    if (!draft || typeof draft.text !== "string" || draft.text === this.base) return;
    const discard = element("button", { type: "button", textContent: say("Discard") });
    const when = new Date(draft.at).toLocaleString();
    const notice = element("p", { className: "notice" });
    notice.setAttribute("role", "status");
    const old = draft.hash !== this.hash;
    if (old) {
      notice.append(`${say("Your draft of %s was begun on an older version. It stands under the editor and is not saved.", when)} `, discard);
      const box = element("textarea", { readOnly: true, rows: 12, value: draft.text, dir: "auto", ariaLabel: say("Your draft") });
      this.under = element("section", { className: "draft" }, element("h2", { textContent: say("Your draft") }), box);
      this.form.after(this.under);
    } else {
      notice.append(`${say("Your draft of %s is back. It is not saved.", when)} `, discard);
      this.box.value = draft.text;
    }
    this.form.before(notice);
    discard.addEventListener("click", () => {
      stored.drop(this.key);
      if (old) this.under.remove(); else this.box.value = this.base;
      notice.remove();
      this.box.focus();
    });
  }

  // follow looks whether the file is another by now. A text that nobody touched becomes the
  // new one; one that somebody typed in stays, and the person is told.
  async follow() {
    if (document.hidden || this.ended) return;
    let file;
    try {
      const answer = await fetch(`${this.form.dataset.follow}&hash=${this.hash}`, { headers: { Accept: "application/json" } });
      if (answer.status === 401) {
        this.ended = true;
        this.status.textContent = say("Your session ended. What you type is kept in this browser; sign in again to save it.");
      }
      if (answer.status !== 200) return;
      file = await answer.json();
    } catch {
      return; // the server is away: it is looked again
    }
    if (file.hash === this.hash || file.hash === this.told) return;
    this.told = file.hash;
    if (this.dirty) {
      this.status.textContent = say("%s changed this file while you were editing. Save shows both versions; nothing is lost.", file.who);
    } else if (file.fit) {
      this.box.value = this.base = file.text;
      this.base = this.box.value;
      this.form.elements.hash.value = file.hash;
      this.status.textContent = say("%s changed this file. You see the new text.", file.who);
    }
  }
}

document.querySelectorAll("form[data-draft]").forEach((form) => new Editor(form));

// Times of the last week, as long ago.
const ago = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
document.querySelectorAll(".last time").forEach((time) => {
  const minutes = Math.round((Date.parse(time.dateTime) - Date.now()) / 60000);
  if (minutes > 1 || minutes < -7 * 24 * 60) return;
  time.title = time.textContent;
  if (minutes > -60) time.textContent = ago.format(minutes, "minute");
  else if (minutes > -24 * 60) time.textContent = ago.format(Math.round(minutes / 60), "hour");
  else time.textContent = ago.format(Math.round(minutes / 1440), "day");
});
