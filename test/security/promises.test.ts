/** `docs/explanation/security.md` and `docs/reference/versions.md` name tests that exist. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const repository = join(import.meta.dirname, "../..");
const rowsOf = async (page: string) =>
  (await readFile(join(repository, page), "utf8"))
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (promise|---)/.test(line));
const rows = await rowsOf("docs/explanation/security.md");
const held = (await rowsOf("docs/reference/versions.md")).filter((row) => row.includes("`: "));

it("The security page lists promises", () => {
  expect(rows.length).toBeGreaterThan(30);
});

it("The page on versions names tests of its public interfaces", () => {
  expect(held.length).toBeGreaterThan(5);
});

it.each([...rows, ...held])("A test holds the promise: %s", async (row) => {
  const [, file, title] = /\| `(test\/[\w./-]+\.test\.ts)`: (.+) \|$/.exec(row) ?? [];
  expect(file, "names a file").toBeDefined();
  const text = await readFile(join(repository, file ?? ""), "utf8");
  expect(text).toContain(`"${title}"`);
});
