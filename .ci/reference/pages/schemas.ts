/** JSON Schemas of the files of a metadata directory, which editors use for completion and errors. */
import { jsonSchema } from "../json-schema.ts";
import { documentValue, metadataFiles } from "../metadata-parts.ts";
import type { ReferencePage } from "../page.ts";

export const schemaFolder = "fixtures/schemas";

const schemaFile = (name: string, schema: unknown): ReferencePage => ({
  path: `${schemaFolder}/${name}.json`,
  render: async () => `${JSON.stringify(schema)}\n`,
});

export const schemaPages: readonly ReferencePage[] = [
  schemaFile("metadata", jsonSchema("The metadata as one document", documentValue)),
  ...metadataFiles.map(({ schema, path, value, mayInclude, definedElsewhere = new Set<string>() }) =>
    schemaFile(schema, jsonSchema(path, value, { mayInclude, definedElsewhere })),
  ),
];
