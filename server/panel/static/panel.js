// What makes the pages live. Each works without it; nothing here makes markup of text.
import { forget, saved } from "./drafts.js";
import { Watch } from "./live.js";
import { element, say, several } from "./words.js";

const did = new URLSearchParams(location.search).get("did");
if (did === "saved" || did === "same") saved();

// What was forgotten goes from the drafts of this browser, too.
const forgotten = document.querySelector("[data-forgotten]")?.dataset.forgotten;
if (forgotten) forget(JSON.parse(forgotten));

// A page that is reloaded does not tell again what was done.
if (did !== null) {
  const url = new URL(location.href);
  url.searchParams.delete("did");
  url.searchParams.delete("change");
  history.replaceState(null, "", url);
}

// An open page says that something happened since. It never changes under somebody who reads.
const pulse = 5000; // milliseconds
document.querySelectorAll("[data-pulse]").forEach((place) => {
  let told = "";
  const notice = element("p", { className: "fresh notice", hidden: true });
  const status = element("span");
  status.setAttribute("role", "status");
  const url = new URL(location.href);
  url.hash = "";
  notice.append(status, " ", element("a", { href: url.pathname + url.search, textContent: say("Show them") }));
  place.append(notice);
  new Watch(pulse, () => ({ url: `${place.dataset.pulse}&told=${told}` }), {
    news(now) {
      told = now.newest;
      notice.hidden = false;
      status.textContent = now.count ? several(now.count, "1 new change.", "%d new changes.") : say("There are new changes.");
    },
  });
});

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
