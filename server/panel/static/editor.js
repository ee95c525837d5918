// The editor: what is typed is kept, what changes meanwhile is told, and nothing is lost.
import { Drafts } from "./drafts.js";
import { Watch } from "./live.js";
import { element, say } from "./words.js";

const look = 4000; // milliseconds between two looks at the file

function moment(at) {
  const lang = document.documentElement.lang;
  return new Date(at).toLocaleString(lang === "en" ? "en-GB" : lang, { dateStyle: "medium", timeStyle: "short" }); // as the pages write days
}

class Editor {
  constructor(form) {
    this.form = form;
    this.box = form.elements.text;
    this.base = this.box.defaultValue;
    this.asked = form.dataset.follow; // a page that shows a conflict follows nothing
    this.drafts = new Drafts(form.dataset.draft, () => this.dirty);
    this.status = element("p", { className: "live small" });
    this.status.setAttribute("role", "status");
    form.append(this.status);
    form.addEventListener("input", () => this.keep());
    form.addEventListener("submit", (event) => this.submit(event));
    addEventListener("visibilitychange", () => { if (document.hidden) this.keep(); });
    addEventListener("keydown", (event) => this.press(event));
    if (this.asked) {
      this.restore();
      this.watch = new Watch(look, () => this.ask(), { news: (file) => this.follow(file), ended: () => this.ended(), back: () => this.back() });
    }
    if (this.dirty) this.keep();
  }

  // The text of a page that was sent and answered, with a preview or a conflict, is not the file's.
  get dirty() { return this.box.value !== this.base || !this.asked || "typed" in this.form.dataset; }
  get hash() { return this.form.elements.hash.value; }

  tell(text) {
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  keep() {
    if (!this.dirty) {
      this.drafts.drop();
      if (this.kept) this.tell("");
      this.kept = false;
      return;
    }
    // At a conflict the hash is of a text that this one was not begun on.
    const kept = this.drafts.keep(this.box.value, this.asked ? this.hash : "");
    if (kept === this.kept || this.watch?.out) return;
    this.kept = kept;
    this.tell(kept ? say("Kept in this browser.") : say("This browser keeps no draft: save before you leave this page."));
  }

  submit() {
    this.keep();
    this.drafts.send();
  }

  press(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    this.form.requestSubmit(this.form.querySelector("button.main"));
  }

  // restore puts back what was typed here before and not saved: into the box when it goes on
  // from this very text, else under the editor.
  async restore() {
    const seen = new Set([this.base]);
    for (const draft of await this.drafts.left()) {
      if (seen.has(draft.text)) this.drafts.drop(draft.key);
      else if (draft.hash === this.hash && !this.dirty) this.putBack(draft);
      else this.putUnder(draft);
      seen.add(draft.text);
    }
    if (this.drafts.elsewhere) this.tell(say("This file is open in another tab too, with text that is not saved there. Each tab keeps its own."));
  }

  putBack(draft) {
    this.box.value = draft.text;
    this.box.dispatchEvent(new Event("input", { bubbles: true }));
    if (this.kept) this.drafts.drop(draft.key);
    this.notice(say("Your draft of %s is back. It is not saved.", moment(draft.at)), () => {
      this.box.value = this.base;
      this.drafts.drop(draft.key);
      this.box.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }

  putUnder(draft) {
    const given = document.getElementById("draft");
    if (given?.value === draft.text) given.closest("section").remove();
    const box = element("textarea", { name: "kept", readOnly: true, rows: 12, value: draft.text, dir: "auto", ariaLabel: say("Your draft") });
    const under = element("section", { className: "draft" }, element("h2", { textContent: say("Your draft") }), box);
    this.form.after(under);
    const when = moment(draft.at);
    const text = draft.hash === this.hash ? say("Another draft of %s stands under the editor and is not saved.", when)
      : say("Your draft of %s was begun on an older version. It stands under the editor and is not saved.", when);
    this.notice(text, () => {
      this.drafts.drop(draft.key);
      under.remove();
    });
  }

  notice(text, discard) {
    const button = element("button", { type: "button", className: "plain", textContent: say("Discard") });
    const notice = element("p", { className: "notice" }, `${text} `, button);
    notice.setAttribute("role", "status");
    this.form.before(notice);
    button.addEventListener("click", () => {
      discard();
      notice.remove();
      this.box.focus();
    });
  }

  ask() {
    const told = this.told ? `&told=${this.told}` : "";
    return { url: `${this.asked}&hash=${this.hash}${told}`, headers: { "X-Quipu-Form": this.form.elements.csrf.value } };
  }

  ended() {
    this.keep();
    this.tell(say("Your session ended. What you type is kept in this browser; sign in in another tab, then save here."));
  }

  back() { this.tell(say("You are signed in again. Save works.")); }

  // follow learns what the file is by now. A text that nobody touched becomes the new one;
  // one that somebody typed in stays, and the person is told.
  follow(file) {
    document.querySelectorAll("input[name=csrf]").forEach((input) => { input.value = file.form; });
    if (file.hash === this.hash || file.hash === this.told) return;
    if (this.dirty) {
      this.told = file.hash;
      this.tell(say("%s changed this file while you were editing. Save shows both versions; nothing is lost.", file.who));
    } else if (file.fit) {
      this.take(file);
      this.tell(say("%s changed this file. You see the new text.", file.who));
    }
  }

  take(file) {
    const { scrollTop, selectionStart, selectionEnd } = this.box;
    this.box.value = file.text;
    this.base = this.box.value;
    this.box.setSelectionRange(selectionStart, selectionEnd);
    this.box.scrollTop = scrollTop;
    this.form.elements.hash.value = file.hash;
    this.box.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

document.querySelectorAll("form[data-draft]").forEach((form) => new Editor(form));
