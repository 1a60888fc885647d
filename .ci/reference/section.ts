/** Replaces one section of a page that is otherwise written by hand. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ReferencePage } from "./page.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Returns the page with the section below `## heading` replaced, up to the next heading of level 2.
 * @throws Error if the page lacks the heading
 */
export function sectionPage(path: string, heading: string, section: () => string): ReferencePage {
  return {
    path,
    async render() {
      const text = await readFile(join(root, path), "utf8");
      const start = `\n## ${heading}\n`;
      const at = text.indexOf(start);
      if (at < 0) throw new Error(`${path} has no heading ${heading}`);
      const next = text.indexOf("\n## ", at + start.length);
      const end = next < 0 ? "" : text.slice(next);
      return `${text.slice(0, at)}${start}\n${section().trim()}\n${end}`;
    },
  };
}
