/** The examples of the explanations run in order and return the shown results. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runPage, serverOf } from "../support/page.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";
import { temporaryDirectory } from "../unit/metadata-directory/temporary-directory.ts";

const folder = "docs/explanation";

const executed = readdirSync(join(root, folder))
  .filter((file) => file.endsWith(".md"))
  .map((file) => ({ page: join(folder, file), text: readFileSync(join(root, folder, file), "utf8") }))
  .filter(({ text }) => serverOf(text) !== undefined);

beforeAll(ensureBuilt, 120_000);

describe("Explanations with examples", () => {
  it("Explanations of permissions, consistency and requests have examples", () => {
    const pages = executed.map(({ page }) => page);
    for (const page of ["permissions", "consistency", "requests"]) expect(pages).toContain(`${folder}/${page}.md`);
  });

  it.each(executed)("The examples of $page work", { timeout: 120_000 }, async ({ page, text }) => {
    await runPage(text, await temporaryDirectory(), (example, run) =>
      run().catch((error: unknown) => {
        throw new Error(`${page}:${example.line}: ${error instanceof Error ? error.message : error}`, { cause: error });
      }),
    );
  });
});
