/** The table of contents of the documentation, and the files of the static site. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/shared-checks.ts";

const run = promisify(execFile);

const folders = ["tutorial", "how-to", "reference", "explanation"];

const filesIn = (folder: string, extension: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(extension));

const pages = folders.flatMap((folder) =>
  filesIn(join(root, "docs", folder), ".md").map((name) => `${folder}/${name}`),
);

/** Returns the addresses of links outside of code. */
function linksOf(markdown: string): readonly string[] {
  const prose = markdown
    .replace(/^(`{3,}|~{3,}).*\n[\s\S]*?^\1.*$/gm, "")
    .replace(/(`+)(?!`)(?:(?!\n\n)[\s\S])*?(?<!`)\1(?!`)/g, "");
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, address = ""]) => address);
}

describe("The table of contents", () => {
  const contents = readFileSync(join(root, "docs/README.md"), "utf8");
  const listed = [...contents.matchAll(/^- \[[^\]]+\]\(([^)#]+)\)/gm)].map(([, path = ""]) => path);

  it.each(pages)("docs/README.md lists the page %s once", (page) => {
    expect(listed.filter((path) => path === page)).toEqual([page]);
  });

  it("docs/README.md lists no other file", () => {
    expect(listed.filter((path) => !pages.includes(path))).toEqual([]);
    expect(listed.length).toBeGreaterThan(20);
  });
});

describe("The static site", { timeout: 60_000 }, () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docs-site-"));
    const known = ["--out", join(folder, "known"), "--repository", "https://code.example/engine"];
    for (const options of [["--out", join(folder, "unknown")], known]) {
      await run(process.execPath, [join(root, ".ci/docs.mjs"), ...options], { cwd: root });
    }
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true }));

  const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");
  const htmlFiles = (site: string): readonly string[] =>
    filesIn(join(folder, site), ".html").map((name) => `${site}/${name}`);

  it("The site has an index and each page of the four kinds, and none for maintainers", () => {
    const expected = ["index.html", ...pages.map((page) => page.replace(/\.md$/, ".html"))];
    expect(filesIn(join(folder, "unknown"), ".html").toSorted()).toEqual(expected.toSorted());
  });

  it("Each file has a compressed copy, and all copies together have at most 2 MB", () => {
    const site = join(folder, "unknown");
    const files = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
    const copies = files.filter((name) => name.endsWith(".gz"));
    const originals = files.filter((name) => !name.endsWith(".gz"));
    expect(copies.toSorted()).toEqual(originals.map((name) => `${name}.gz`).toSorted());
    const size = copies.reduce((sum, name) => sum + statSync(join(site, name)).size, 0);
    expect(size).toBeGreaterThan(100_000);
    expect(size).toBeLessThan(2_000_000);
  });

  it("Pages contain no inline script, style or handler, no comment and no address of another host's file", () => {
    for (const name of htmlFiles("unknown")) {
      const html = textOf(name).replace(/<pre[\s\S]*?<\/pre>/g, "");
      const found = [
        ...html.matchAll(/<script(?![^>]* src="[\w./-]+")[^>]*>|<style|<!--|\s(?:style|on\w+)="[^"]*"|javascript:/g),
        ...html.matchAll(/<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g),
      ];
      expect([name, found.map(([text]) => text)]).toEqual([name, []]);
    }
  });

  it("Links of the site lead to its files and to headings that exist", () => {
    const ids = new Map<string, ReadonlySet<string>>();
    const idsOf = (path: string): ReadonlySet<string> => {
      const known = ids.get(path) ?? new Set([...textOf(path).matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));
      ids.set(path, known);
      return known;
    };
    let count = 0;
    for (const name of htmlFiles("unknown")) {
      for (const [, address = ""] of textOf(name).matchAll(/<[^>]*\s(?:href|src)="([^"]+)"/g)) {
        if (/^(?:https?|mailto):/.test(address)) continue;
        count++;
        const [path = "", anchor] = decodeURIComponent(address).split("#");
        const target = path === "" ? name : join(dirname(name), path);
        expect([name, address, existsSync(join(folder, target))]).toEqual([name, address, true]);
        if (anchor !== undefined) expect([name, address, idsOf(target).has(anchor)]).toEqual([name, address, true]);
      }
    }
    expect(count).toBeGreaterThan(1000);
  });

  it("Next and previous pages follow the order of the table of contents", () => {
    const contents = readFileSync(join(root, "docs/README.md"), "utf8");
    const order = [...contents.matchAll(/^- \[[^\]]+\]\(([^)#]+)\.md\)/gm)].map(([, path]) => `${path}.html`);
    for (const [position, name] of order.entries()) {
      const turn = (relation: string): string | undefined =>
        new RegExp(` rel="${relation}" href="../([^"]+)"`).exec(textOf(`unknown/${name}`))?.[1];
      expect([name, turn("prev"), turn("next")]).toEqual([name, order[position - 1], order[position + 1]]);
    }
  });

  it("Links to the repository and to the source of a page exist only if the repository is known", () => {
    const withEdit =
      /<a href="https:\/\/code\.example\/engine\/edit\/main\/docs\/tutorial\/start\.md">Edit this page<\/a>/;
    expect(textOf("known/tutorial/start.html")).toMatch(withEdit);
    expect(textOf("known/reference/versions.html")).toContain(
      'href="https://code.example/engine/blob/main/CHANGELOG.md"',
    );
    for (const name of htmlFiles("unknown")) {
      expect([
        name,
        /Edit this page|code\.example|href="(?!https?:)[^"]*(?<!\.html)\.md[#"]/.exec(textOf(name)),
      ]).toEqual([name, null]);
    }
  });

  it("Highlighted code has the text of the page", () => {
    const html = textOf("unknown/how-to/clients.html");
    expect(html).toMatch(/<span class="hljs-keyword">query<\/span>/);
    const blocks = [...html.matchAll(/<pre tabindex="0"><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, code = ""]) =>
      code
        .replace(/<[^>]+>/g, "")
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">")
        .replace(/&quot;/g, '"')
        .replace(/&#x27;/g, "'")
        .replace(/&amp;/g, "&"),
    );
    const source = readFileSync(join(root, "docs/how-to/clients.md"), "utf8");
    expect(blocks).toEqual([...source.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, code]) => code));
  });

  it("The list for assistants has the form of llmstxt.org, and names each page once and no other file", () => {
    const list = textOf("unknown/llms.txt");
    const [head = "", ...sections] = list.split(/^## /m);
    expect(head).toMatch(/^# \S.*\n\n> \S.*\n\n/);
    const links = sections.flatMap((section) => {
      const [title = "", empty, ...lines] = section.trimEnd().split("\n");
      expect([title === "", empty]).toEqual([false, ""]);
      return lines.map((line) => {
        const [, path = ""] = /^- \[[^\]]+\]\(([^)]+)\)(?:: \S.*)?$/.exec(line) ?? [];
        expect([line, path === ""]).toEqual([line, false]);
        return path;
      });
    });
    expect(links.toSorted()).toEqual(pages.map((page) => page.replace(/\.md$/, ".html.md")).toSorted());
  });

  it("Links of the files for assistants lead to files and to headings that exist", () => {
    const markdown = filesIn(join(folder, "unknown"), ".md").map((name) => `unknown/${name}`);
    expect(markdown.length).toBe(pages.length + 1);
    let count = 0;
    for (const name of ["unknown/llms.txt", ...markdown]) {
      for (const address of linksOf(textOf(name))) {
        if (/^(?:https?|mailto):/.test(address)) continue;
        count++;
        const [path = "", anchor] = decodeURIComponent(address).split("#");
        const target = path === "" ? name : join(dirname(name), path);
        expect([name, address, existsSync(join(folder, target))]).toEqual([name, address, true]);
        if (anchor === undefined) continue;
        const html = textOf(target.replace(/\.md$/, ""));
        expect([name, address, html.includes(` id="${anchor}"`)]).toEqual([name, address, true]);
      }
    }
    expect(count).toBeGreaterThan(500);
  });

  it("Each page names its Markdown, and the Markdown of all pages is one file, without instructions for tests", () => {
    const all = textOf("unknown/llms-full.txt");
    for (const page of pages) {
      const path = page.replace(/\.md$/, ".html");
      const [, address = ""] =
        /<link rel="alternate" type="text\/markdown" href="([^"]+)">/.exec(textOf(`unknown/${path}`)) ?? [];
      expect(join(dirname(path), address)).toBe(`${path}.md`);
      const text = textOf(`unknown/${path}.md`);
      expect(text.split("\n", 1)[0]).toBe(readFileSync(join(root, "docs", page), "utf8").split("\n", 1)[0]);
      expect(all).toContain(`<!-- ${path}.md -->\n${text}`);
    }
    expect(all).not.toMatch(/^<!-- (?:server|headers|not run|variables|file|append)\b/m);
  });

  it("Code in the files for assistants has the text of the pages", () => {
    const blocks = (text: string) => [...text.matchAll(/^```.*\n[\s\S]*?^```$/gm)].map(([block]) => block);
    for (const page of pages) {
      const source = readFileSync(join(root, "docs", page), "utf8");
      expect(blocks(textOf(`unknown/${page.replace(/\.md$/, ".html.md")}`))).toEqual(blocks(source));
    }
  });
});
