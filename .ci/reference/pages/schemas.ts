/** JSON Schemas of the files of a metadata directory, which editors use for completion and errors. */
import packageJson from "../../../package.json" with { type: "json" };
import { testFileJsonSchema } from "../../../runtime/cli/permission-tests/test-file-schema.ts";
import { jsonSchema } from "../json-schema.ts";
import { documentValue, metadataFiles } from "../metadata-parts.ts";
import type { ReferencePage } from "../page.ts";

export const schemaFolder = "fixtures/schemas";

/** The schemas in a project that depends on the package. */
export const installedSchemas = `node_modules/${packageJson.name}/${schemaFolder}`;

/** Schema of the files of `engine test`. */
const testsSchema = "tests";

/** Settings of an editor that associate the files with their schemas. */
export const editorSettings = JSON.stringify(
  {
    "yaml.schemas": Object.fromEntries([
      ...metadataFiles.map(({ schema, path }) => {
        const pattern = path.replace(/(\w+)\/\*\.yaml$/, "$1/!($1).yaml");
        return [`./${installedSchemas}/${schema}.json`, `metadata/${pattern}`];
      }),
      [`./${installedSchemas}/${testsSchema}.json`, "tests/*.yaml"],
    ]),
  },
  null,
  2,
);

const schemaFile = (name: string, schema: unknown): ReferencePage => ({
  path: `${schemaFolder}/${name}.json`,
  render: async () => `${JSON.stringify(schema)}\n`,
});

export const schemaPages: readonly ReferencePage[] = [
  { path: "fixtures/templates/shared/.vscode/settings.json", render: async () => `${editorSettings}\n` },
  schemaFile(testsSchema, { title: "tests/*.yaml", ...testFileJsonSchema() }),
  schemaFile("metadata", jsonSchema("The metadata as one document", documentValue)),
  ...metadataFiles.map(({ schema, path, value, mayInclude, definedElsewhere = new Set<string>() }) =>
    schemaFile(schema, jsonSchema(path, value, { mayInclude, definedElsewhere })),
  ),
];
