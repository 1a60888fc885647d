/** `docs/reference/generated-files.md`: the files of `engine compile`, with excerpts of the sample library. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generatedFiles } from "../generated-files.ts";
import type { ReferencePage } from "../page.ts";
import { block, code, page, table } from "../texts.ts";

const generated = fileURLToPath(new URL("../../../generated", import.meta.url));

const intro = `
Here you look up each file that \`engine compile\` writes, and what it contains.
`;

const command = `npx --no engine compile --metadata metadata --shape shape.json --out generated`;

const rules = `
The server makes the same modules from its metadata and runs them; you need the files only to read and review them, or to
keep them in version control. Change the metadata, never the files: the next run replaces them.

- Names of lower-case letters, digits, \`_\` and \`-\` are kept in paths. Other names are converted, with a suffix behind
  \`+\` that makes them unique: \`Find books\` becomes \`find-books+1\`.
- The first lines of a module name its origin in the metadata. \`Slice\` is a hash of its content, which changes only with
  this part of the metadata.
- \`engine verify\` and the start of an artifact compare files with \`manifest.json\`.
`;

/** Number of lines of an excerpt. */
const maxLines = 40;

async function excerptOf(file: string): Promise<string> {
  const lines = (await readFile(join(generated, file), "utf8")).trimEnd().split("\n");
  return lines.length > maxLines ? [...lines.slice(0, maxLines), "// …"].join("\n") : lines.join("\n");
}

export const generatedFilesPage: ReferencePage = {
  path: "docs/reference/generated-files.md",
  async render() {
    const rows = generatedFiles
      .map(({ path, doc }) => [code(path), doc])
      .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
    const excerpts = await Promise.all(
      generatedFiles.flatMap(({ sample, doc }) =>
        sample === undefined
          ? []
          : [
              excerptOf(sample).then(
                (text) => `### ${code(sample)}\n\nThe file describes ${doc}.\n\n${block("ts", text)}`,
              ),
            ],
      ),
    );
    return page(
      "# Generated files",
      intro,
      `<!-- not run -->\n${block("sh", command)}`,
      rules,
      "## Files",
      table(["file", "content"], rows),
      "## Excerpts",
      "The excerpts are those of the sample library of `engine start --demo`.",
      ...excerpts,
    );
  },
};
