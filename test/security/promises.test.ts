/** `docs/explanation/security.md`, `docs/reference/versions.md` and two pages of `docs/internals/` name tests that exist. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const repository = join(import.meta.dirname, "../..");
const rowsOf = async (page: string) =>
  (await readFile(join(repository, page), "utf8"))
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (promise|---)/.test(line));
const rows = await rowsOf("docs/explanation/security.md");
const testedRowsOf = async (page: string) => (await rowsOf(page)).filter((row) => row.includes("`: "));
const held = await testedRowsOf("docs/reference/versions.md");
const followed = await testedRowsOf("docs/internals/peer-changes.md");
const required = await testedRowsOf("docs/internals/graphql-over-http.md");

it("The security page lists promises", () => {
  expect(rows.length).toBeGreaterThan(30);
});

it("The page on versions names tests of its public interfaces", () => {
  expect(held.length).toBeGreaterThan(5);
});

it("The page on changes of the original engine names tests", () => {
  expect(followed.length).toBeGreaterThan(20);
});

it("The page on GraphQL over HTTP names tests", () => {
  expect(required.length).toBeGreaterThan(15);
});

it.each([...rows, ...held, ...followed, ...required])("A test holds the promise: %s", async (row) => {
  const [, file, title] = /\| `(test\/[\w./-]+\.test\.ts)`: (.+) \|$/.exec(row) ?? [];
  expect(file, "names a file").toBeDefined();
  const text = await readFile(join(repository, file ?? ""), "utf8");
  expect(text).toContain(`"${title}"`);
});
