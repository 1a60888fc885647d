/**
 * Reports of `engine diff`. A case is a folder with the metadata of both sides, `before.yaml` and `after.yaml`, for the
 * database of the sample library, and the reports that come out below `expected/`.
 */
import { join, relative } from "node:path";
import { describe, it, vi } from "vitest";
import { compareSides, type Report } from "../../runtime/cli/diff/compare-sides.ts";
import { jsonReport } from "../../runtime/cli/diff/json.ts";
import { markdownReport } from "../../runtime/cli/diff/markdown.ts";
import { readSide } from "../../runtime/cli/diff/side.ts";
import { version } from "../../runtime/cli/version.ts";
import { casesBelow, expectGolden } from "../support/golden.ts";

const repository = join(import.meta.dirname, "../..");
const root = join(import.meta.dirname, "diff");
const shape = join(repository, "fixtures/library/shape.json");

async function side(path: string) {
  const read = await readSide({ metadata: path, shape });
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return { ...read, name: relative(root, path) };
}

/** Another version changes no report. */
const withoutVersion = (report: Report): string =>
  jsonReport(report).replaceAll(JSON.stringify(version), '"(version)"');

// No report may show their values.
for (const name of ["ADDED_HOOK", "SIGNING"]) vi.stubEnv(name, `value of ${name}`);

describe("diff", async () => {
  it.each(await casesBelow(root, "before.yaml"))("%s", async (name) => {
    const folder = join(root, name);
    const report = await compareSides(await side(join(folder, "before.yaml")), await side(join(folder, "after.yaml")));
    const files = new Map([
      ["report.md", markdownReport(report)],
      ["report.json", withoutVersion(report)],
    ]);
    await expectGolden(join(folder, "expected"), files);
  });
});
