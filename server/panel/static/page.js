// page fetches one of our own pages as a document; null when it is not to be had.
export function page(url) {
  return new Promise((resolve) => {
    const ask = new XMLHttpRequest();
    ask.responseType = "document";
    ask.addEventListener("loadend", () => resolve(ask.status === 200 ? ask.response : null));
    ask.open("GET", url);
    ask.send();
  });
}
