// What is typed and not saved, as this browser keeps it. Each page that edits a file keeps
// a draft of its own, so two tabs never write over each other's.

const prefix = "quipu draft ";
const sentKey = "quipu sent"; // of this tab: the drafts that were sent and not yet said to be saved
const page = crypto.getRandomValues(new Uint32Array(2)).join("");
const wait = 200; // milliseconds in which another page says that a draft is its own

function read(store, key) {
  try { return JSON.parse(store.getItem(key)); } catch { return null; }
}

function write(store, key, value) {
  try { store.setItem(key, JSON.stringify(value)); return true; } catch { return false; }
}

function remove(store, key) {
  try { store.removeItem(key); } catch { /* not allowed: then nothing was kept */ }
}

// saved lets the drafts go that this tab sent, when the server says that they are saved.
export function saved() {
  for (const key of read(sessionStorage, sentKey)?.keys ?? []) remove(localStorage, key);
  remove(sessionStorage, sentKey);
}

// forget lets the drafts go that mention all of some phrases.
export function forget(phrases) {
  const fold = (text) => text.normalize("NFC").toLowerCase();
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(prefix)) continue;
      const text = fold(String(read(localStorage, key)?.text ?? ""));
      if (phrases.every((phrase) => text.includes(fold(phrase)))) remove(localStorage, key);
    }
  } catch { /* not allowed: then nothing was kept */ }
}

// Drafts are those of one file. unsaved says whether this page holds text that is not saved.
export class Drafts {
  constructor(file, unsaved) {
    this.file = file;
    this.key = `${prefix}${file}\n${page}`;
    this.taken = new Set();
    try {
      this.channel = new BroadcastChannel("quipu drafts");
    } catch {
      return; // then a draft may be shown in two tabs; it is kept in both
    }
    this.channel.addEventListener("message", ({ data }) => {
      if (data.file !== file) return;
      if (data.ask) this.channel.postMessage({ file, key: this.key, unsaved: unsaved() });
      else {
        this.taken.add(data.key);
        this.elsewhere ||= data.unsaved;
      }
    });
  }

  keep(text, hash) { return write(localStorage, this.key, { text, hash, at: Date.now() }); }

  drop(key = this.key) { remove(localStorage, key); }

  // send notes that this draft is on its way to the server. Another file's, sent before and
  // never answered, stays.
  send() {
    const before = read(sessionStorage, sentKey);
    const keys = before?.file === this.file ? before.keys : [];
    write(sessionStorage, sentKey, { file: this.file, keys: [...keys, this.key] });
  }

  // left gives the drafts of this file that no open page holds, newest first.
  async left() {
    if (this.channel) {
      this.channel.postMessage({ file: this.file, ask: true });
      await new Promise((done) => setTimeout(done, wait));
    }
    const found = [];
    try {
      for (const key of Object.keys(localStorage)) {
        if (key !== prefix + this.file && !key.startsWith(`${prefix}${this.file}\n`)) continue;
        const draft = read(localStorage, key);
        if (key === this.key || this.taken.has(key) || typeof draft?.text !== "string") continue;
        found.push({ key, ...draft });
      }
    } catch { /* not allowed: there are none */ }
    return found.sort((a, b) => b.at - a.at);
  }
}
