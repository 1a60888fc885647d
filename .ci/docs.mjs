/**
 * `npm run docs`: writes the documentation as a static site to `.build/docs`. For assistants, it also writes each page as
 * Markdown beside it (`page.html.md`), the list of these pages (`llms.txt`), and all of them in one file
 * (`llms-full.txt`), as https://llmstxt.org proposes. Options: `--out FOLDER` and `--repository URL`, by default the one of `package.json`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import MiniSearch from "minisearch";
import { readContents } from "./docs/contents.mjs";
import { documentOf, htmlPath, indexMain, pageMain, sideOf, siteName } from "./docs/layout.mjs";
import { renderPage } from "./docs/markdown.mjs";
import { plainMarkdown, plainPath } from "./docs/plain.mjs";
import { searchOptions } from "./docs/search-options.mjs";

/** The folders of `docs/` that belong to the site, one for each kind of page. */
const folders = ["tutorial", "how-to", "reference", "explanation"];

/**
 * Writes the site. Pages that the table of contents does not list are written too, so that links to them work.
 * @param {string} root folder of the package
 * @param {string} outdir replaced
 * @param {string | undefined} repository address of the repository for links to its files, without a slash at the end
 */
export async function writeDocs(root, outdir, repository = repositoryOf(root)) {
  const docs = join(root, "docs");
  const contents = readContents(readFileSync(join(docs, "README.md"), "utf8"));
  const listed = contents.kinds.flatMap((kind) =>
    kind.groups.flatMap((group) => group.pages.map((page) => ({ kind, group, page }))),
  );
  const paths = folders.flatMap((folder) =>
    readdirSync(join(docs, folder), { recursive: true })
      .filter((name) => /\.(?:md|svg)$/.test(name))
      .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
      .sort(),
  );
  const known = new Set(paths);
  const texts = new Map(
    paths.filter((path) => path.endsWith(".md")).map((path) => [path, readFileSync(join(docs, path), "utf8")]),
  );
  const rendered = new Map(
    [...texts].map(([path, text]) => [path, renderPage(text, (href) => addressOf(href, path, known, repository))]),
  );
  const order = listed.filter(({ page }) => rendered.has(page.path));

  rmSync(outdir, { recursive: true, force: true });
  for (const folder of ["assets", ...folders]) mkdirSync(join(outdir, folder), { recursive: true });
  const write = (path, text) => {
    mkdirSync(dirname(join(outdir, path)), { recursive: true });
    writeFileSync(join(outdir, path), text);
  };
  const assets = await writeAssets(root, join(outdir, "assets"), searchIndex(order, rendered));
  const site = { assets, kinds: contents.kinds };

  const renderAbout = (text) => renderPage(text, (href) => addressOf(href, "README.md", known, repository)).html;
  const about = contents.about.trim();
  write(
    "index.html",
    documentOf(site, {
      title: siteName,
      description: about,
      markdown: plainPath("index.md"),
      toRoot: "",
      main: indexMain(contents, renderAbout),
    }),
  );
  for (const [path, page] of rendered) {
    const position = order.findIndex((each) => each.page.path === path);
    const { kind, group, page: entry } = order[position] ?? {};
    const toRoot = "../".repeat(path.split("/").length - 1);
    const main = pageMain({
      rendered: page,
      crumbs: [kind?.title, group?.title].filter(Boolean).join(" › "),
      previous: order[position - 1]?.page,
      next: position < 0 ? undefined : order[position + 1]?.page,
      toRoot,
      edit: repository === undefined ? undefined : `${repository}/edit/main/docs/${path}`,
    });
    const side = kind === undefined ? undefined : sideOf(kind, entry, toRoot);
    const description = entry?.description || page.title;
    const markdown = posix.basename(plainPath(path));
    write(htmlPath(path), documentOf(site, { title: page.title, description, markdown, toRoot, main, side, kind }));
  }
  for (const path of paths) if (path.endsWith(".svg")) write(path, readFileSync(join(docs, path)));
  const plain = new Map(
    [["README.md", readFileSync(join(docs, "README.md"), "utf8")], ...texts].map(([path, text]) => [
      path,
      plainMarkdown(text, (href) => addressOf(href, path, known, repository, plainPath)),
    ]),
  );
  for (const [path, text] of plain) write(plainPath(path === "README.md" ? "index.md" : path), text);
  const plainAbout = plainMarkdown(about, (href) => addressOf(href, "README.md", known, repository, plainPath));
  write("llms.txt", llmsText(contents, plainAbout));
  write(
    "llms-full.txt",
    order.map(({ page }) => `<!-- ${plainPath(page.path)} -->\n${plain.get(page.path)}`).join("\n"),
  );
  compress(outdir);
}

/** Adds a compressed copy of each file. The package contains only these. */
function compress(outdir) {
  for (const entry of readdirSync(outdir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
}

/** Returns the address of the repository in `package.json`, if any, for a browser. */
function repositoryOf(root) {
  const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const url = typeof repository === "string" ? repository : repository?.url;
  return url
    ?.replace(/^git\+/, "")
    .replace(/^git@([^:]+):/, "https://$1/")
    .replace(/^github:|^(?=[\w-]+\/[\w.-]+$)/, "https://github.com/")
    .replace(/\.git$/, "");
}

/**
 * Returns the address of a link on the site; undefined for a file outside the site if the repository is unknown.
 * @param {string} href in the page
 * @param {string} from path of the page, relative to `docs/`
 * @param {ReadonlySet<string>} known paths of pages and pictures
 * @param {(path: string) => string} pathOf returns the path of a page on the site
 */
function addressOf(href, from, known, repository, pathOf = htmlPath) {
  if (/^(?:https?|mailto):/.test(href) || href.startsWith("#")) return href;
  if (/^[a-z]+:/i.test(href)) return undefined;
  const [path, anchor] = href.split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const target = posix.normalize(posix.join(posix.dirname(from), path));
  const relative = (to) => posix.relative(posix.dirname(from), to);
  if (known.has(target)) return `${relative(target.endsWith(".md") ? pathOf(target) : target)}${hash}`;
  if (target === "README.md") return `${relative(pathOf("index.md"))}${hash}`;
  return repository === undefined ? undefined : `${repository}/blob/main/${posix.join("docs", target)}${hash}`;
}

/** Returns the serialized index of all sections, with the addresses of the sections and the start of their texts. */
function searchIndex(order, rendered) {
  const index = new MiniSearch(searchOptions);
  const sections = [];
  for (const { kind, page } of order) {
    const { title, sections: ofPage } = rendered.get(page.path);
    for (const { id, heading, text } of ofPage) {
      const words = text.replace(/\s+/g, " ").trim();
      if (id !== "" && words === "") continue;
      const path = `${htmlPath(page.path)}${id === "" ? "" : `#${id}`}`;
      index.add({ id: sections.length, heading, page: `${title} ${page.title}`, text: words });
      sections.push([path, title, id === "" ? "" : heading, kind.title, excerptOf(words)]);
    }
  }
  return JSON.stringify({ index, sections });
}

const maxExcerpt = 150;

const excerptOf = (text) =>
  text.length <= maxExcerpt ? text : `${text.slice(0, maxExcerpt).replace(/\s+\S*$/, "")} …`;

/**
 * Bundles the scripts and the style sheet, named by a hash of their content.
 * @returns {Promise<Record<string, string>>} their names
 */
async function writeAssets(root, outdir, index) {
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      ["theme.js", "site.js", "search.js", "style.css"].map((name) => [name.split(".")[0], `.ci/docs/${name}`]),
    ),
    outdir,
    entryNames: "[name]-[hash]",
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "none",
    tsconfigRaw: {},
    // A text is parsed faster than an object literal.
    define: { searchIndexText: JSON.stringify(index) },
    logLevel: "warning",
  });
  writeFileSync(join(outdir, "icon.svg"), readFileSync(join(root, "runtime/console/icon.svg")));
  const names = Object.keys(metafile.outputs).map((path) => posix.basename(path));
  return {
    icon: "icon.svg",
    ...Object.fromEntries(names.map((name) => [name.slice(0, name.lastIndexOf("-")), name])),
  };
}

/** Returns the list of pages in the form of https://llmstxt.org. */
function llmsText({ title, kinds }, about) {
  const lines = [`# ${title}`, "", `> ${about.replaceAll("\n", " ")}`, ""];
  lines.push(
    "Links lead to pages as Markdown. The address of a page in HTML has no `.md` at its end. All pages in one file:",
    "[llms-full.txt](llms-full.txt)",
    "",
  );
  for (const kind of kinds) {
    lines.push(`## ${kind.title}`, "");
    for (const { pages } of kind.groups) {
      for (const { path, title, description } of pages) {
        lines.push(`- [${title}](${plainPath(path)})${description === "" ? "" : `: ${description}`}`);
      }
    }
    lines.push("");
  }
  return lines.join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const { out, repository } = parseArgs({
    options: { out: { type: "string" }, repository: { type: "string" } },
  }).values;
  const outdir = out ?? `${root}.build/docs`;
  await writeDocs(root, outdir, repository);
  console.log(`${join(outdir, "index.html")}`);
}
