// Asks the server again and again, while the page is seen, whether something is new.

export class Watch {
  // ask gives the address, and the headers, of the next look; on has what to call:
  // news(answer) for something new, ended() when the session ended, back() when there is one again.
  constructor(every, ask, on) {
    this.ask = ask;
    this.on = on;
    setInterval(() => this.look(), every);
    addEventListener("visibilitychange", () => this.look());
  }

  async look() {
    if (document.hidden || this.busy) return;
    this.busy = true;
    try {
      const { url, headers } = this.ask();
      const answer = await fetch(url, { headers: { Accept: "application/json", ...headers } });
      this.session(answer.status !== 401);
      if (answer.status === 200) this.on.news(await answer.json());
    } catch {
      // the server is away: it is looked again
    } finally {
      this.busy = false;
    }
  }

  session(alive) {
    if (!alive && !this.out) this.on.ended?.();
    if (alive && this.out) this.on.back?.();
    this.out = !alive;
  }
}
