/** The generated pages of the reference are up to date. `npm run reference` writes them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { documentValue } from "../../.ci/reference/metadata-parts.ts";
import { permissionsPage } from "../../.ci/reference/pages/permissions.ts";
import { pages } from "../../.ci/reference/run.ts";
import { SchemaReader, type Value } from "../../.ci/reference/schema.ts";
import {
  deletePermission,
  insertPermission,
  selectPermission,
  updatePermission,
} from "../../compiler/catalog/schema/permissions.ts";
import { aboutArguments } from "../../compiler/metadata/arguments.ts";
import { operations } from "../../compiler/metadata/registry.ts";
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

/** Returns the paths of keys without a description. */
function undescribed(value: Value, path: string, seen: Set<Value>): readonly string[] {
  if (seen.has(value)) return [];
  seen.add(value);
  switch (value.kind) {
    case "object":
      return value.keys.flatMap((key) => {
        const at = `${path}.${key.name}`;
        return [...(key.about === "" ? [at] : []), ...undescribed(key.value, at, seen)];
      });
    case "list":
    case "map":
      return undescribed(value.element, path, seen);
    case "choice":
      return value.choices.flatMap((each) => undescribed(each, path, seen));
    default:
      return [];
  }
}

it("Every argument of an operation has a description", () => {
  const reader = new SchemaReader(aboutArguments);
  const seen = new Set<Value>();
  const missing = operations.flatMap(({ name, inputs }) =>
    Object.values(inputs).flatMap((input) => undescribed(reader.read(input), name, seen)),
  );
  expect(missing).toEqual([]);
});

it("Every key of the metadata has a description", () => {
  expect(undescribed(documentValue, "metadata", new Set())).toEqual([]);
});

it("The pages name every operation and every key of permissions", async () => {
  const texts = await Promise.all(pages.map(({ render }) => render()));
  const all = texts.join("\n");
  for (const { name } of operations) expect(all).toContain(`\n## ${name}\n`);
  const permissions = await permissionsPage.render();
  const forms = [insertPermission, selectPermission, updatePermission, deletePermission];
  const keys = forms.flatMap((form) => {
    const value = new SchemaReader().read(form);
    return value.kind === "object" ? value.keys.map(({ name }) => name) : [];
  });
  expect(keys).toContain("backend_only");
  for (const key of keys) expect(permissions).toContain(`| \`${key}\` |`);
});
