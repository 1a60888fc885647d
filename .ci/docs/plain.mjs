// Pages as plain Markdown, for assistants and other programs: without instructions for tests, and with the links of the site.

/** Returns the path of the plain page: that of the page with `.md` appended, as https://llmstxt.org proposes. */
export const plainPath = (path) => `${path.replace(/\.md$/, ".html")}.md`;

/**
 * Returns a page without the instructions for tests, which precede code blocks and follow the title.
 * @param {string} text of the page
 * @param {(href: string) => string | undefined} addressOf returns the address of a link; undefined removes the link
 */
export function plainMarkdown(text, addressOf) {
  const blocks = [{ isCode: false, lines: [] }];
  let fence = "";
  for (const line of text.split("\n")) {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === "" && mark !== undefined) {
      fence = mark;
      blocks.push({ isCode: true, lines: [line] });
    } else if (fence !== "" && mark?.startsWith(fence)) {
      fence = "";
      blocks.at(-1)?.lines.push(line);
      blocks.push({ isCode: false, lines: [] });
    } else if (fence !== "" || !/^\s*<!--.*-->\s*$/.test(line)) blocks.at(-1)?.lines.push(line);
  }
  return blocks
    .filter(({ lines }) => lines.length > 0)
    .map(({ isCode, lines }) => (isCode ? lines.join("\n") : withLinks(lines.join("\n"), addressOf)))
    .join("\n");
}

const codeOrLink =
  /(?<code>(`+)(?!`)(?:(?!\n\n)[\s\S])*?(?<!`)\2(?!`))|(?<label>!?\[(?:[^[\]]|\[[^\]]*\])*\])\((?<href>[^()\s]+)\)/g;

function withLinks(prose, addressOf) {
  return prose.replace(codeOrLink, (all, code, _ticks, label, href) => {
    if (code !== undefined) return all;
    const address = addressOf(href);
    return address === undefined ? label.replace(/^!?\[|\]$/g, "") : `${label}(${address})`;
  });
}
