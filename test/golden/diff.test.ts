/**
 * Reports of `engine diff`. A case is a folder with `before.yaml` and `after.yaml`, metadata for the database of the
 * sample library, and the resulting reports in `expected/`.
 */
import { join, relative } from "node:path";
import { describe, it, vi } from "vitest";
import { jsonReport } from "../../runtime/cli/commands/diff.ts";
import { compareSides, type Report } from "../../runtime/cli/diff/compare-sides.ts";
import { markdownReport } from "../../runtime/cli/diff/markdown.ts";
import { readSide } from "../../runtime/cli/diff/side.ts";
import { version } from "../../runtime/cli/version.ts";
import { compactJson } from "../support/compact-json.ts";
import { casesBelow, expectGolden } from "../support/golden.ts";

const repository = join(import.meta.dirname, "../..");
const root = join(import.meta.dirname, "diff");
const shape = join(repository, "fixtures/library/shape.json");

async function side(path: string) {
  const read = await readSide({ metadata: path, shape });
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return { ...read, name: relative(root, path) };
}

/** Maximum number of characters per change. */
const oneChangeALine = 300;

/** Prints a report with a placeholder, because no report depends on the version. */
const withoutVersion = (report: Report): string =>
  jsonReport(report).replaceAll(JSON.stringify(version), '"(version)"');

// Environment variables whose values must not occur in a report.
for (const name of ["ADDED_HOOK", "SIGNING"]) vi.stubEnv(name, `value of ${name}`);

describe("Diffs of API and access", async () => {
  it.each(await casesBelow(root, "before.yaml"))("The diff produces the golden files: %s", async (name) => {
    const folder = join(root, name);
    const report = await compareSides(await side(join(folder, "before.yaml")), await side(join(folder, "after.yaml")));
    const files = new Map([
      ["report.md", markdownReport(report)],
      ["report.json", compactJson(JSON.parse(withoutVersion(report)), oneChangeALine)],
    ]);
    await expectGolden(join(folder, "expected"), files);
  });
});
