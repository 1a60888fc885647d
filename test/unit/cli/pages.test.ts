/** The commands on the pages of the documentation. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../support/shared-checks.ts";

/** Matches commands that could make npm fetch the unrelated registry package `engine`; `--no` prevents that. */
const fetchesStranger =
  /\bnp(?:x|m exec)(?: (?!--no\b|--package=)-\S+)* engine\b|\bnpm (?:i|install|add)(?: -\S+)* engine(?!@(?:file|npm):|[\w-])/;

it("The pages never let npm fetch a package named engine", async () => {
  const docs = (await readdir(join(root, "docs"), { recursive: true })).filter((file) => file.endsWith(".md"));
  for (const page of ["README.md", ...docs.map((file) => join("docs", file))]) {
    const lines = (await readFile(join(root, page), "utf8")).split("\n");
    expect([page, lines.filter((line) => fetchesStranger.test(line))]).toEqual([page, []]);
  }
  expect(fetchesStranger.test("npx engine start")).toBe(true);
  expect(fetchesStranger.test("npm exec --yes engine")).toBe(true);
  expect(fetchesStranger.test("npm install --global engine")).toBe(true);
  expect(fetchesStranger.test("npm install engine@1")).toBe(true);
});
