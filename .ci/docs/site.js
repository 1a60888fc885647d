// Behaviour of the pages: theme, copy buttons, table of contents, search. Without scripts, the pages remain readable.

const toRoot = document.body.dataset.root;

// Theme: light, dark, or the system's.

const key = "engine-docs-theme";
const themes = document.querySelector(".themes");

function chosenTheme() {
  return document.documentElement.dataset.theme ?? "system";
}

function showTheme() {
  for (const button of themes.children) {
    button.setAttribute("aria-pressed", String(button.dataset.choice === chosenTheme()));
  }
}

function chooseTheme(choice) {
  if (choice === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  try {
    if (choice === "system") localStorage.removeItem(key);
    else localStorage.setItem(key, choice);
  } catch {
    // Without storage, the choice ends with the page.
  }
  showTheme();
}

for (const button of themes.children) button.addEventListener("click", () => chooseTheme(button.dataset.choice));
themes.hidden = false;
showTheme();

// Copy buttons.

async function copy(text) {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Browsers have no `navigator.clipboard` on a page of another machine without TLS.
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

for (const block of document.querySelectorAll(".code")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await copy(block.querySelector("code").textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  });
  block.append(button);
}

// Table of contents: open beside the text, closed above it; marks the section being read.

const toc = document.querySelector(".toc details");
if (toc !== null) {
  const beside = matchMedia("(min-width: 1200px)");
  const place = () => {
    toc.open = beside.matches;
  };
  beside.addEventListener("change", place);
  place();
  const links = new Map(
    [...toc.querySelectorAll("a")].map((link) => [decodeURIComponent(link.getAttribute("href").slice(1)), link]),
  );
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    for (const link of links.values()) link.removeAttribute("aria-current");
    links.get(passed.at(-1)?.id)?.setAttribute("aria-current", "location");
  };
  let isScheduled = false;
  addEventListener(
    "scroll",
    () => {
      if (isScheduled) return;
      isScheduled = true;
      requestAnimationFrame(() => {
        isScheduled = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}

document.querySelector('.side [aria-current="page"]')?.scrollIntoView({ block: "nearest" });

// Search.

const dialog = document.querySelector("dialog.search");
const input = dialog.querySelector("input");
const state = dialog.querySelector(".search-state");
const list = dialog.querySelector(".results");
const openButton = document.querySelector(".search-button");

/** Appends text with its words that start with a term in `mark` elements. */
function appendMarked(parent, text, terms) {
  for (const part of text.split(/([\p{L}\p{N}]+)/u)) {
    const lower = part.toLowerCase();
    if (terms.some((term) => lower.startsWith(term))) {
      const mark = document.createElement("mark");
      mark.textContent = part;
      parent.append(mark);
    } else parent.append(part);
  }
}

function resultItem({ path, page, heading, kind, excerpt, terms }) {
  const link = document.createElement("a");
  link.href = `${toRoot}${path}`;
  const title = document.createElement("strong");
  appendMarked(title, heading === "" ? page : heading, terms);
  const where = document.createElement("span");
  where.className = "where";
  where.textContent = heading === "" ? kind : `${kind} › ${page}`;
  const text = document.createElement("span");
  text.className = "excerpt";
  appendMarked(text, excerpt, terms);
  link.append(title, where, text);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

function search() {
  const query = input.value.trim();
  if (globalThis.searchDocs === undefined || query === "") {
    state.textContent = query === "" ? "" : "Loading …";
    list.replaceChildren();
    return;
  }
  const { count, results } = globalThis.searchDocs(query);
  state.textContent = count === 0 ? "No results" : `${count} ${count === 1 ? "result" : "results"}`;
  list.replaceChildren(...results.map(resultItem));
  list.scrollTop = 0;
}

let isRequested = false;

function openSearch() {
  if (!isRequested) {
    isRequested = true;
    addEventListener("search-ready", search);
    // A copied element needs no assignment to `src`, which the policy of the server forbids.
    document.body.append(document.getElementById("search-script").content.cloneNode(true));
  }
  if (!dialog.open) dialog.showModal();
  input.select();
}

openButton.hidden = false;
openButton.addEventListener("click", openSearch);
input.addEventListener("input", search);
dialog.querySelector("form").addEventListener("submit", (event) => {
  if (event.submitter !== null && document.activeElement !== input) return;
  event.preventDefault();
  list.querySelector("a")?.click();
});
dialog.addEventListener("click", (event) => {
  // The dialog itself is the target only outside its content. A link to a section of this page closes it too.
  if (event.target === dialog || event.target.closest("a") !== null) dialog.close();
});
dialog.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops = [input, ...list.querySelectorAll("a")];
  const next = stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
  event.preventDefault();
  stops[next]?.focus();
});
addEventListener("keydown", (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
  const isShortcut = (event.key === "/" && !isTyping) || (event.key === "k" && (event.ctrlKey || event.metaKey));
  if (!isShortcut) return;
  event.preventDefault();
  openSearch();
});
