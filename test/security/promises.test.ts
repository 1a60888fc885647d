/** `docs/security.md` names tests that exist. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const repository = join(import.meta.dirname, "../..");
const page = await readFile(join(repository, "docs/security.md"), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("| ") && !/^\| (promise|---)/.test(line));

it("the page makes promises", () => {
  expect(rows.length).toBeGreaterThan(30);
});

it.each(rows)("a test holds: %s", async (row) => {
  const [, file, title] = /\| `(test\/[\w./-]+\.test\.ts)`: (.+) \|$/.exec(row) ?? [];
  expect(file, "names a file").toBeDefined();
  const text = await readFile(join(repository, file ?? ""), "utf8");
  expect(text).toContain(`"${title}"`);
});
