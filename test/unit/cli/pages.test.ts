/** What pages tell people to type. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../support/shared-checks.ts";

/** The package of that name on the registry is somebody else's: `--no` keeps npm from fetching it. */
const fetchesStranger =
  /\bnp(?:x|m exec)(?: (?!--no\b|--package=)-\S+)* engine\b|\bnpm (?:i|install|add)(?: -\S+)* engine(?!@(?:file|npm):|[\w-])/;

it("lets npm fetch nothing by the name engine", async () => {
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
