// The HTML around a page. Addresses are relative, so that the site works in any folder and from the file system.
import { escapeHtml, renderInline } from "./markdown.mjs";

const icons = {
  menu: "M4 6h16M4 12h16M4 18h16",
  search: "M11 4a7 7 0 110 14 7 7 0 010-14zM16 16l5 5",
  light: "M12 8a4 4 0 110 8 4 4 0 010-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  dark: "M20 14.5A8.5 8.5 0 019.5 4 8.5 8.5 0 1020 14.5z",
};

const icon = (name) =>
  `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${icons[name]}"/></svg>`;

/** Name in the bar and in the titles of windows: short enough for a phone. */
export const siteName = "Engine docs";

/**
 * @typedef {object} Site
 * @property {import("./contents.mjs").Kind[]} kinds
 * @property {Record<"theme" | "site" | "search" | "style" | "icon", string>} assets names of files in `assets/`
 */

/** @param {string} title of a kind */
export const kindId = (title) => title.toLowerCase().replace(/[^a-z]+/g, "-");

export const htmlPath = (path) => path.replace(/\.md$/, ".html");

function kindLinks({ kinds }, toRoot, current) {
  const items = kinds.map((kind) => {
    const state = kind === current ? ' aria-current="true"' : "";
    return `<li><a href="${toRoot}index.html#${kindId(kind.title)}"${state}>${escapeHtml(kind.title)}</a></li>`;
  });
  return `<ul class="kinds">${items.join("")}</ul>`;
}

function pageLinks({ groups }, toRoot, current) {
  return groups
    .map(({ title, pages }) => {
      const items = pages.map((page) => {
        const state = page === current ? ' aria-current="page"' : "";
        return `<li><a href="${toRoot}${htmlPath(page.path)}"${state}>${escapeHtml(page.title)}</a></li>`;
      });
      const list = `<ul>${items.join("\n")}</ul>`;
      if (title === "") return list;
      const open = pages.includes(current) || groups.length < 3 ? " open" : "";
      return `<details${open}><summary>${escapeHtml(title)}</summary>${list}</details>`;
    })
    .join("\n");
}

function themeSwitch() {
  const buttons = ["light", "system", "dark"].map((name) => {
    const label = name === "system" ? "Theme of the system" : `${name === "light" ? "Light" : "Dark"} theme`;
    return `<button type="button" data-choice="${name}" aria-label="${label}" title="${label}">${icon(name)}</button>`;
  });
  return `<div class="themes" role="group" aria-label="Theme" hidden>${buttons.join("")}</div>`;
}

/**
 * Returns the HTML of a page.
 * @param {Site} site
 * @param {object} page
 * @param {string} page.title
 * @param {string} page.description
 * @param {string} page.markdown address of the page as Markdown
 * @param {string} page.toRoot `../` for each folder above the page
 * @param {string} page.main
 * @param {string} [page.side] navigation of the page's kind
 * @param {import("./contents.mjs").Kind} [page.kind]
 */
export function documentOf(site, { title, description, markdown, toRoot, main, side = "", kind }) {
  const { assets } = site;
  const home = `<a class="home" href="${toRoot}index.html"><img src="${toRoot}assets/${assets.icon}" alt="" width="22" height="22">${siteName}</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title === siteName ? title : `${title} · ${siteName}`)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(description)}">
<meta name="color-scheme" content="light dark">
<link rel="alternate" type="text/markdown" href="${markdown}">
<link rel="icon" href="${toRoot}assets/${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${toRoot}assets/${assets.style}">
<script src="${toRoot}assets/${assets.theme}"></script>
<script defer src="${toRoot}assets/${assets.site}"></script>
</head>
<body data-root="${toRoot}">
<a class="skip-link" href="#content">Skip to content</a>
<header class="bar">
<button type="button" class="menu-button" popovertarget="menu" aria-label="Menu">${icon("menu")}</button>
${home}
<nav class="bar-kinds" aria-label="Kinds of pages">${kindLinks(site, toRoot, kind)}</nav>
<button type="button" class="search-button" aria-label="Search" aria-keyshortcuts="/" hidden>${icon("search")}<span>Search</span><kbd>/</kbd></button>
${themeSwitch()}
</header>
<div class="frame${side === "" ? " frame-wide" : ""}">
<nav class="side" id="menu" popover aria-label="Pages">
${kindLinks(site, toRoot, kind)}
${side}
</nav>
${main}
</div>
<dialog class="search" aria-label="Search">
<form method="dialog">
<label class="visually-hidden" for="query">Search the documentation</label>
<input id="query" type="search" placeholder="Search the documentation" autocomplete="off" spellcheck="false">
<button type="submit" class="close">Close</button>
</form>
<p class="search-state" role="status"></p>
<ol class="results"></ol>
</dialog>
<template id="search-script"><script src="${toRoot}assets/${assets.search}"></script></template>
</body>
</html>
`;
}

/** Returns the main part of the index page. */
export function indexMain({ title, about, kinds }, render) {
  const sections = kinds.map((kind) => {
    const groups = kind.groups.map((group) => {
      const items = group.pages.map(
        ({ path, title, description }) =>
          `<li><a href="${htmlPath(path)}">${escapeHtml(title)}</a>${description === "" ? "" : `<p>${renderInline(description)}</p>`}</li>`,
      );
      const name = group.title === "" ? "" : `<h3>${escapeHtml(group.title)}</h3>`;
      return `<div class="group">${name}<ul>${items.join("\n")}</ul></div>`;
    });
    const id = kindId(kind.title);
    return `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(kind.title)}</h2>${render(kind.about)}
<div class="groups${groups.length === 1 ? " groups-flat" : ""}">${groups.join("\n")}</div></section>`;
  });
  return `<main id="content" class="index" tabindex="-1"><h1>${escapeHtml(title)}</h1>${render(about)}
${sections.join("\n")}</main>`;
}

/**
 * Returns the main part of a page.
 * @param {object} page
 * @param {import("./markdown.mjs").Rendered} page.rendered
 * @param {string} page.crumbs names of its kind and group
 * @param {import("./contents.mjs").ListedPage} [page.previous]
 * @param {import("./contents.mjs").ListedPage} [page.next]
 * @param {string} page.toRoot
 * @param {string} [page.edit] address of its source in the repository
 */
export function pageMain({ rendered, crumbs, previous, next, toRoot, edit }) {
  const sections = rendered.sections.filter(({ level, id }) => id !== "" && level < 4);
  const items = sections.map(
    ({ id, heading, level }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(heading)}</a></li>`,
  );
  const toc =
    items.length < 2
      ? ""
      : `<nav class="toc" aria-label="On this page"><details><summary>On this page</summary><ul>${items.join("\n")}</ul></details></nav>`;
  const link = (page, name, label) =>
    page === undefined
      ? ""
      : `<a class="${name}" rel="${name === "next" ? "next" : "prev"}" href="${toRoot}${htmlPath(page.path)}"><span>${label}</span>${escapeHtml(page.title)}</a>`;
  const editLink = edit === undefined ? "" : `<p class="edit"><a href="${escapeHtml(edit)}">Edit this page</a></p>`;
  return `<main id="content" tabindex="-1">
<div class="head"><p class="crumbs">${escapeHtml(crumbs)}</p>
<h1>${rendered.titleHtml}</h1></div>
${toc}
<article>
${rendered.html}</article>
${editLink}
<nav class="turn" aria-label="Previous and next page">${link(previous, "previous", "Previous")}${link(next, "next", "Next")}</nav>
</main>`;
}

/** Returns the navigation of a kind. */
export const sideOf = (kind, page, toRoot) => `<div class="pages">${pageLinks(kind, toRoot, page)}</div>`;
