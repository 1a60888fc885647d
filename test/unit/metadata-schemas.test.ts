/** The JSON Schemas of metadata files accept the metadata of this repository and refuse misspelt keys. */
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { metadataFiles } from "../../.ci/reference/metadata-parts.ts";
import { schemaFolder } from "../../.ci/reference/pages/schemas.ts";
import { root } from "../support/shared-checks.ts";

const ajv = new Ajv2020({ allErrors: true, strictTypes: false, allowUnionTypes: true });
const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: string): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const validate = ajv.compile(JSON.parse(readFileSync(join(root, schemaFolder, `${schema}.json`), "utf8")));
  validators.set(schema, validate);
  return validate;
}

function problemsOf(schema: string, value: unknown): readonly string[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

const include = { tag: "!include", resolve: (path: string) => `!include ${path}` };
const read = (text: string): unknown => parse(text, { customTags: [include] });

/** Returns the name of the schema of a file in a metadata directory; `undefined` for other files. */
function schemaOf(path: string): string | undefined {
  const matching = metadataFiles.find((file) => {
    const pattern = file.path.replaceAll(".", "\\.").replaceAll("*", "[^/]+");
    return new RegExp(`^${pattern}$`).test(path);
  });
  return matching?.schema;
}

const folders = [
  "fixtures/library/metadata",
  ...["shared", "empty", "multi-tenant", "todo"].map((name) => `fixtures/templates/${name}/metadata`),
];

describe("JSON Schemas of metadata files", () => {
  it.each(folders)("The files of %s match their schemas", async (folder) => {
    const problems: string[] = [];
    let count = 0;
    const paths = await readdir(join(root, folder), { recursive: true });
    for (const path of paths.filter((each) => each.endsWith(".yaml"))) {
      const schema = schemaOf(path);
      expect(schema, `${folder}/${path} has a schema`).toBeDefined();
      const value = read(await readFile(join(root, folder, path), "utf8"));
      problems.push(...problemsOf(schema ?? "", value).map((problem) => `${path}${problem}`));
      count++;
    }
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(0);
  });

  it("The examples of the reference match their schemas", () => {
    const problems = metadataFiles.flatMap(({ schema, example }) =>
      problemsOf(schema, read(example)).map((problem) => `${schema}${problem}`),
    );
    expect(problems).toEqual([]);
  });

  it.each([
    "before.json",
    "before.automation.json",
    "before.procedures.json",
    "before.remote.json",
    "before.small.json",
  ])("The metadata of the golden cases matches the schema of a document: %s", (file) => {
    const document = JSON.parse(readFileSync(join(root, "test/golden/metadata", file), "utf8"));
    expect(problemsOf("metadata", document)).toEqual([]);
  });

  it("A misspelt key is refused in each file with keys", () => {
    for (const { schema, example } of metadataFiles.filter((file) => file.schema !== "backend_configs")) {
      const value = read(example);
      const target = Array.isArray(value) ? value.find((each) => typeof each === "object") : value;
      if (target === undefined) continue;
      target.misspelt_key = true;
      expect([schema, ...problemsOf(schema, value)].join("\n")).toContain("misspelt_key");
    }
  });

  it("A misspelt key of a permission is refused, with its place", () => {
    const value = {
      table: "article",
      select_permissions: [{ role: "user", permission: { columns: "*", filter: {}, allow_aggregation: true } }],
    };
    expect(problemsOf("table", value).join()).toContain("/select_permissions/0/permission must NOT have additional");
  });
});
