// Converts a page of Markdown to HTML without inline styles and scripts, for a strict content security policy.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import graphql from "highlight.js/lib/languages/graphql";
import http from "highlight.js/lib/languages/http";
import ini from "highlight.js/lib/languages/ini";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import nginx from "highlight.js/lib/languages/nginx";
import sql from "highlight.js/lib/languages/pgsql";
import python from "highlight.js/lib/languages/python";
import shell from "highlight.js/lib/languages/shell";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import MarkdownIt from "markdown-it";

const languages = {
  bash,
  css,
  diff,
  dockerfile,
  graphql,
  http,
  ini,
  javascript,
  json,
  nginx,
  python,
  shell,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, grammar] of Object.entries(languages)) hljs.registerLanguage(name, grammar);
hljs.registerAliases(["env", "properties"], { languageName: "ini" });

/**
 * @typedef {object} Section
 * @property {string} id anchor of its heading; empty for the start of the page
 * @property {string} heading
 * @property {number} level
 * @property {string} text of its paragraphs, tables and code
 */

/**
 * @typedef {object} Rendered
 * @property {string} html without the title
 * @property {string} title text of the first heading
 * @property {string} titleHtml
 * @property {Section[]} sections by headings of the levels 1 to 3
 */

export const escapeHtml = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/**
 * Returns an anchor for each heading, in the form of GitHub, so that a link works there and on the site.
 * @returns {(heading: string) => string}
 */
function anchors() {
  const used = new Set();
  return (heading) => {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const base = text.replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    let anchor = base;
    for (let n = 1; used.has(anchor); n++) anchor = `${base}-${n}`;
    used.add(anchor);
    return anchor;
  };
}

const plainText = ({ children }) =>
  children
    .filter(({ type }) => ["text", "code_inline", "softbreak"].includes(type))
    .map(({ type, content }) => (type === "softbreak" ? " " : content))
    .join("");

/** Text between comments, which instruct tests. */
const withoutComments = (html) => html.replace(/<!--[\s\S]*?-->/g, "");

/** @param {string} code @param {string} language of the fence */
function highlighted(code, language) {
  return hljs.getLanguage(language) === undefined ? escapeHtml(code) : hljs.highlight(code, { language }).value;
}

function codeBlock(code, language) {
  return `<div class="code"><pre tabindex="0"><code>${highlighted(code, language)}</code></pre></div>\n`;
}

function heading(token, inline, id, md, env) {
  const text = md.renderer.render(inline.children, md.options, env);
  const label = escapeHtml(`Link to “${plainText(inline)}”`);
  const anchor = `<a class="anchor" href="#${id}" aria-label="${label}"><span aria-hidden="true">#</span></a>`;
  return `<${token.tag} id="${id}">${text}${anchor}</${token.tag}>\n`;
}

const markdown = new MarkdownIt({ html: true, linkify: false, typographer: false });
markdown.validateLink = () => true; // `resolve` decides.
const { rules } = markdown.renderer;
rules.html_block = (tokens, i) => escapeHtml(withoutComments(tokens[i].content).trim());
rules.html_inline = (tokens, i) => escapeHtml(withoutComments(tokens[i].content));
rules.code_inline = (tokens, i) => {
  const code = escapeHtml(tokens[i].content);
  return `<code>${tokens[i].meta?.isBreakable ? code.replace(/(?<=\w\w[_./])(?=\w\w)/g, "<wbr>") : code}</code>`;
};
rules.fence = (tokens, i) => codeBlock(tokens[i].content, tokens[i].info.trim().split(/\s/)[0]);
rules.code_block = (tokens, i) => codeBlock(tokens[i].content, "");
rules.table_open = () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n';
rules.table_close = () => "</table></div>\n";

/** Adapts tables: classes instead of `style="text-align:…"`, which the policy forbids, and names that may be broken. */
function adaptTables(tokens) {
  let inTable = false;
  for (const [i, token] of tokens.entries()) {
    if (token.type === "table_open" || token.type === "table_close") inTable = token.type === "table_open";
    if (!inTable) continue;
    // A cell without text is no header.
    if (token.type === "th_open" && tokens[i + 1].content === "") token.tag = tokens[i + 2].tag = "td";
    const style = token.attrGet("style");
    if (style !== null) {
      token.attrs = token.attrs.filter(([name]) => name !== "style");
      token.attrJoin("class", style.replace("text-align:", "align-"));
    }
    for (const child of token.children ?? []) if (child.type === "code_inline") child.meta = { isBreakable: true };
  }
}

/** Replaces the addresses of links and pictures. A link without an address becomes plain text. */
function resolveLinks(tokens, resolve) {
  for (const { children } of tokens) {
    if (!children) continue;
    const kept = [];
    for (const token of children) {
      if (token.type === "link_open") {
        const href = resolve(token.attrGet("href"));
        kept.push(href !== undefined);
        if (href !== undefined) token.attrSet("href", href);
        else Object.assign(token, { type: "text", tag: "", content: "", attrs: null });
      } else if (token.type === "link_close" && kept.pop() === false) {
        Object.assign(token, { type: "text", tag: "", content: "" });
      } else if (token.type === "image") token.attrSet("src", resolve(token.attrGet("src")) ?? "");
    }
  }
}

/**
 * @param {string} text of a page
 * @param {(href: string) => string | undefined} resolve returns the address on the site
 * @returns {Rendered}
 */
export function renderPage(text, resolve) {
  const env = {};
  const tokens = markdown.parse(text, env);
  adaptTables(tokens);
  resolveLinks(tokens, resolve);
  const anchorOf = anchors();
  const sections = [{ id: "", heading: "", level: 1, text: "" }];
  let titleHtml = "";
  let html = "";
  let rest = [];
  const flush = () => {
    html += markdown.renderer.render(rest, markdown.options, env);
    rest = [];
  };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    const section = sections.at(-1);
    if (token.type === "heading_open") {
      const inline = tokens[i + 1];
      const id = anchorOf(inline.content);
      const level = Number(token.tag.slice(1));
      const title = plainText(inline);
      if (level === 1 && section.heading === "" && html === "") {
        section.heading = title;
        titleHtml = markdown.renderer.render(inline.children, markdown.options, env);
      } else {
        flush();
        html += heading(token, inline, id, markdown, env);
        if (level <= 3) sections.push({ id, heading: title, level, text: "" });
        else section.text += ` ${title}`;
      }
      i += 2;
      continue;
    }
    if (token.type === "inline") section.text += ` ${plainText(token)}`;
    else if (token.type === "fence") section.text += ` ${token.content}`;
    rest.push(token);
  }
  flush();
  return { html, title: sections[0].heading, titleHtml, sections };
}

/** Renders text without headings and code blocks, such as a description. */
export const renderInline = (text) => markdown.renderInline(text);
