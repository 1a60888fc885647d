/** The generated pages of the reference are up to date. `npm run reference` writes them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pages } from "../../.ci/reference/run.ts";
import { root } from "../support/shared-checks.ts";

it("The generated pages in the repository equal the output of their modules", async () => {
  for (const { path, render } of pages) {
    const written = await readFile(join(root, path), "utf8").catch(() => undefined);
    expect(written === (await render()), `${path} is stale: run npm run reference`).toBe(true);
  }
});

it("No two modules write the same page", () => {
  const paths = pages.map(({ path }) => path);
  expect(paths).toEqual([...new Set(paths)]);
});
