// Shows beside the editor what the text would look like, as the server lays it out.
import { element, say } from "./words.js";

const pause = 300; // milliseconds after the last key
const chosen = "quipu preview";

class Preview {
  constructor(form) {
    this.form = form;
    this.button = form.querySelector("button[value=preview]");
    this.panes = form.querySelector(".panes");
    this.shown = element("div", { className: "shown" });
    this.shown.tabIndex = 0;
    this.shown.setAttribute("role", "region");
    this.shown.setAttribute("aria-label", say("Preview"));
    this.pane = element("div", { className: "preview" }, element("h2", { textContent: say("Preview") }), this.shown);
    this.button.addEventListener("click", (event) => {
      event.preventDefault();
      this.open(!this.opened);
      this.remember();
    });
    form.addEventListener("input", () => this.soon());
    const given = document.querySelector("section.preview");
    this.open(Boolean(given) || this.wanted());
    given?.remove();
  }

  wanted() {
    try { return localStorage.getItem(chosen) === "open"; } catch { return false; }
  }

  remember() {
    try { localStorage.setItem(chosen, this.opened ? "open" : "shut"); } catch { /* then it is asked for each time */ }
  }

  open(opened) {
    this.opened = opened;
    this.button.setAttribute("aria-pressed", String(opened));
    this.panes.classList.toggle("split", opened);
    if (!opened) {
      this.pane.remove();
      return;
    }
    this.panes.append(this.pane);
    this.refresh();
  }

  soon() {
    clearTimeout(this.timer);
    if (this.opened) this.timer = setTimeout(() => this.refresh(), pause);
  }

  refresh() {
    this.request?.abort();
    const request = new XMLHttpRequest();
    this.request = request;
    request.open("POST", this.form.getAttribute("action"));
    request.responseType = "document";
    request.addEventListener("load", () => {
      const page = request.status === 200 && request.response?.querySelector("section.preview .shown");
      if (page && this.opened) this.shown.replaceChildren(...document.importNode(page, true).childNodes);
    });
    const fields = new URLSearchParams(new FormData(this.form));
    fields.set("do", "preview");
    fields.delete("draft");
    request.send(fields);
  }
}

document.querySelectorAll("form.editor").forEach((form) => {
  if (form.querySelector("button[value=preview]")) new Preview(form);
});
