/** The examples of the tutorials and how-to pages run in order and return the shown results. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runPage, serverOf } from "../support/page.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";
import { temporaryDirectory } from "../unit/metadata-directory/temporary-directory.ts";

const pages = ["docs/tutorial", "docs/how-to"].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(folder, file)),
);

const texts = new Map(pages.map((page) => [page, readFileSync(join(root, page), "utf8")]));

const executed = pages.filter((page) => serverOf(texts.get(page) ?? "") !== undefined);

beforeAll(ensureBuilt, 120_000);

describe("How-to pages", () => {
  it.each(executed)("The examples of %s work", { timeout: 300_000 }, async (page) => {
    await runPage(texts.get(page) ?? "", await temporaryDirectory(), (example, run) =>
      run().catch((error: unknown) => {
        throw new Error(`${page}:${example.line}: ${error instanceof Error ? error.message : error}`, { cause: error });
      }),
    );
  });

  it("Every tutorial and how-to page has executed examples or a test of its own", () => {
    const tests = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
      .map((file) => readFileSync(join(root, "test", file), "utf8"));
    const untested = pages.filter((page) => !executed.includes(page) && !tests.some((text) => text.includes(page)));
    expect(untested).toEqual([]);
  });
});
