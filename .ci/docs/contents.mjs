// Reads the table of contents, `docs/README.md`: the only source of the order and the grouping of the pages.

/**
 * @typedef {object} ListedPage
 * @property {string} path relative to `docs/`, with slashes
 * @property {string} title text of its link
 * @property {string} description rest of its line
 */

/**
 * @typedef {object} Group
 * @property {string} title empty for pages directly below the heading of their kind
 * @property {ListedPage[]} pages
 */

/**
 * @typedef {object} Kind
 * @property {string} title
 * @property {string} about Markdown between its heading and its first page or group
 * @property {Group[]} groups without empty groups
 */

const listItem = /^- \[([^\]]+)\]\(([^)#]+\.md)\)(?:: (.*))?$/;

/**
 * Parses the table of contents: one line `- [title](path.md): description` for each page, below a `##` heading for its
 * kind and optionally a `###` heading for its group.
 * @param {string} text of `docs/README.md`
 * @returns {{ title: string, about: string, kinds: Kind[] }}
 * @throws if a list item has another form
 */
export function readContents(text) {
  const contents = { title: "", about: "", kinds: [] };
  let described = contents;
  for (const [index, line] of text.split("\n").entries()) {
    const [, marks, title] = /^(#{1,3}) (.*)$/.exec(line) ?? [];
    if (marks === "#") contents.title = title;
    else if (marks === "##") {
      described = { title, about: "", groups: [{ title: "", pages: [] }] };
      contents.kinds.push(described);
    } else if (marks === "###") contents.kinds.at(-1)?.groups.push({ title, pages: [] });
    else if (/^\s*[-*] /.test(line)) {
      const [, label, path, description = ""] = listItem.exec(line) ?? [];
      const group = contents.kinds.at(-1)?.groups.at(-1);
      if (path === undefined || group === undefined)
        throw new Error(`docs/README.md:${index + 1}: expected "- [title](path.md): description" below a heading`);
      group.pages.push({ path, title: label, description });
    } else if (line !== "" && !line.startsWith("<!--")) described.about += `${line}\n`;
  }
  for (const kind of contents.kinds) kind.groups = kind.groups.filter(({ pages }) => pages.length > 0);
  return contents;
}
