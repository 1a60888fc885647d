/** Markdown of the changelog, as the console shows it. */
import { expect, it } from "vitest";
import { readMarkdown } from "../../../runtime/console/app/markdown.ts";

it("Headings, paragraphs and nested lists keep their order, and lines that continue an item belong to it", () => {
  const text =
    "## [0.1.0] - 2030-01-01\n\nThe first\nrelease.\n\n### Added\n\n- One, with\n  a `flag`:\n  - *Inner*: more\n    text\n- **Two** of [a page](docs/a.md)\n";
  const plain = (value: string) => ({ kind: "text", text: value });
  expect(readMarkdown(text)).toEqual([
    { kind: "heading", level: 2, inline: [plain("0.1.0"), plain(" - 2030-01-01")] },
    { kind: "paragraph", inline: [plain("The first release.")] },
    { kind: "heading", level: 3, inline: [plain("Added")] },
    {
      kind: "list",
      items: [
        {
          inline: [plain("One, with a "), { kind: "code", text: "flag" }, plain(":")],
          items: [{ inline: [{ kind: "emphasis", text: "Inner" }, plain(": more text")], items: [] }],
        },
        { inline: [{ kind: "strong", text: "Two" }, plain(" of "), plain("a page")], items: [] },
      ],
    },
  ]);
});
