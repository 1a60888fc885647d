/** Forms of the console: each is the shared part, which refuses invalid fields. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";
import { root } from "../support/shared-checks.ts";

it("Only the shared part for forms writes a form element, so that no form submits an invalid field", () => {
  const files = globSync("runtime/console/**/*.tsx", { cwd: root });
  const writing = files.filter((file) => /<form\b/.test(readFileSync(join(root, file), "utf8")));
  expect(writing).toEqual(["runtime/console/parts/form.tsx"]);
});
