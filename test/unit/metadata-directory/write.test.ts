import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { Json } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { readMetadataDirectory } from "../../../runtime/cli/metadata-directory/read.ts";
import { writeMetadataDirectory } from "../../../runtime/cli/metadata-directory/write.ts";
import { canonicalJson } from "../../../runtime/values/canonical-json.ts";
import { JsonNumber } from "../../../runtime/values/json-number.ts";
import { arbitraryCatalog } from "../catalog/arbitrary-catalog.ts";
import { filesBelow, temporaryDirectory } from "./temporary-directory.ts";

const configuration = { connection_info: { database_url: "x" } };
const withTables = (...names: readonly (readonly [schema: string, name: string])[]): Json => ({
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      tables: names.map(([schema, name]) => ({ table: { name, schema } })),
      configuration,
    },
  ],
});

async function text(directory: string, file: string): Promise<string> {
  return await readFile(join(directory, file), "utf8");
}

describe("Writing of metadata directories", () => {
  it("Reading a written metadata directory returns the same metadata", { timeout: 240_000 }, async () => {
    const directory = await temporaryDirectory();
    await fc.assert(
      fc.asyncProperty(arbitraryCatalog, async (catalog) => {
        const metadata = exportMetadata(catalog);
        await writeMetadataDirectory(directory, metadata);
        // The order of the files, in which earlier objects come first, does not matter.
        const read = readMetadataDocument((await readMetadataDirectory(directory)).metadata, emptyCatalog);
        expect(canonicalJson(read.ok ? exportMetadata(read.value) : read.error)).toBe(canonicalJson(metadata));
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });

  it("Writing completes before a signal ends the process", async () => {
    const directory = await temporaryDirectory();
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    const writing = writeMetadataDirectory(directory, withTables(["public", "a"]));
    process.emit("SIGINT", "SIGINT");
    expect(kill).not.toHaveBeenCalled();
    await writing;
    expect(kill.mock.calls).toEqual([[process.pid, "SIGINT"]]);
    kill.mockRestore();
    expect((await filesBelow(directory)).filter((file) => file.includes(".writing-"))).toEqual([]);
    expect(await text(directory, "databases/default/tables/public_a.yaml")).toContain("name: a");
  });

  it("Writing creates every section, even empty ones", async () => {
    const directory = join(await temporaryDirectory(), "new", "metadata");
    await writeMetadataDirectory(directory, { version: 3, sources: [] });
    expect(await filesBelow(directory)).toEqual([
      "actions.graphql",
      "actions.yaml",
      "allow_list.yaml",
      "api_limits.yaml",
      "backend_configs.yaml",
      "cron_triggers.yaml",
      "databases/databases.yaml",
      "graphql_schema_introspection.yaml",
      "inherited_roles.yaml",
      "metrics_config.yaml",
      "network.yaml",
      "opentelemetry.yaml",
      "query_collections.yaml",
      "remote_schemas.yaml",
      "rest_endpoints.yaml",
      "version.yaml",
    ]);
    expect(await text(directory, "allow_list.yaml")).toBe("[]\n");
    expect(await text(directory, "network.yaml")).toBe("{}\n");
    expect(await text(directory, "version.yaml")).toBe("version: 3\n");
  });

  it("Writing creates one file for each table and function", async () => {
    const directory = await temporaryDirectory();
    const functions = [{ function: { name: "search", schema: "public" } }];
    const table = { table: { name: "book", schema: "library" }, is_enum: true };
    await writeMetadataDirectory(directory, {
      version: 3,
      sources: [{ name: "shelf", kind: "postgres", tables: [table], functions, configuration, customization: {} }],
    });
    expect(await text(directory, "databases/databases.yaml")).toBe(
      `- name: shelf
  kind: postgres
  configuration:
    connection_info:
      database_url: x
  customization: {}
  tables: "!include shelf/tables/tables.yaml"
  functions: "!include shelf/functions/functions.yaml"
`,
    );
    expect(await text(directory, "databases/shelf/tables/tables.yaml")).toBe('- "!include library_book.yaml"\n');
    expect(await text(directory, "databases/shelf/tables/library_book.yaml")).toBe(
      "table:\n  name: book\n  schema: library\nis_enum: true\n",
    );
    expect(await text(directory, "databases/shelf/functions/public_search.yaml")).toBe(
      "function:\n  name: search\n  schema: public\n",
    );
  });

  it("Writing moves exactly the parts that SDL can express to actions.graphql", async () => {
    const directory = await temporaryDirectory();
    const metadata: Json = {
      version: 3,
      sources: [],
      actions: [
        {
          name: "a",
          definition: {
            handler: "h",
            output_type: "[M!]",
            arguments: [{ name: "x", type: "Int!", description: 'two\nlines "" \\' }],
            type: "mutation",
            kind: "synchronous",
          },
        },
        { name: "b", definition: { handler: "h", output_type: "[ M ]", type: "query" } },
      ],
      custom_types: {
        objects: [
          { name: "M", fields: [{ name: "id", type: "Int" }], relationships: [{ name: "r" }] },
          { name: "Query", fields: [{ name: "id", type: "Int" }] },
        ],
        scalars: [{ name: "S", description: "" }],
      },
    };
    await writeMetadataDirectory(directory, metadata);
    expect(await text(directory, "actions.graphql")).toBe(
      `type Mutation {
  a(
    "two\\nlines \\"\\" \\\\"
    x: Int!
  ): [M!]
}

type M {
  id: Int
}

""
scalar S
`,
    );
    expect(await text(directory, "actions.yaml")).toBe(
      `actions:
  - name: a
    definition:
      handler: h
      kind: synchronous
  - name: b
    definition:
      handler: h
      output_type: "[ M ]"
      type: query
custom_types:
  input_objects: []
  objects:
    - name: M
      relationships:
        - name: r
    - name: Query
      fields:
        - name: id
          type: Int
  scalars:
    - name: S
  enums: []
`,
    );
    expect((await readMetadataDirectory(directory)).metadata).toEqual(metadata);
  });

  it("Writing creates one file per table, for any names", async () => {
    const directory = await temporaryDirectory();
    const names = [
      ["public", "Book"],
      ["public", "book"],
      ["a_b", "c"],
      ["a", "b_c"],
      ["..", "../../../escape"],
      ["public", "with space/and slash"],
      ["public", "x".repeat(300)],
      ["public", `${"x".repeat(300)}y`],
      ["", "tables"],
      ["ü", "ü"],
    ] as const;
    const metadata = withTables(...names);
    await writeMetadataDirectory(directory, metadata);
    const files = await filesBelow(join(directory, "databases/default/tables"));
    expect(files).toHaveLength(names.length + 1);
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
    expect(files.every((file) => /^[\w.~-]{1,130}$/.test(file))).toBe(true);
    expect((await readMetadataDirectory(directory)).metadata).toEqual(metadata);
  });

  it("File names do not depend on the order of tables", async () => {
    const [first, second] = [await temporaryDirectory(), await temporaryDirectory()];
    await writeMetadataDirectory(first, withTables(["a_b", "c"], ["a", "b_c"], ["public", "x"]));
    await writeMetadataDirectory(second, withTables(["public", "x"], ["a", "b_c"], ["a_b", "c"]));
    expect(await filesBelow(first)).toEqual(await filesBelow(second));
  });

  it("Writing removes files of dropped tables and keeps foreign files", async () => {
    const directory = await temporaryDirectory({ "README.md": "mine", "databases/default/notes.md": "mine too" });
    await writeMetadataDirectory(directory, withTables(["public", "a"], ["public", "b"]));
    await writeMetadataDirectory(directory, withTables(["public", "b"]));
    const files = await filesBelow(directory);
    expect(files).not.toContain("databases/default/tables/public_a.yaml");
    expect(files).toContain("databases/default/tables/public_b.yaml");
    expect(await text(directory, "README.md")).toBe("mine");
    expect(await text(directory, "databases/default/notes.md")).toBe("mine too");
    expect(files.filter((file) => file.startsWith("."))).toEqual([]);
  });

  it("Removing the only member whose key has a tag removes the tag", async () => {
    const directory = await temporaryDirectory();
    const withConfigs = (backend_configs: Json): Json => ({ version: 3, sources: [], backend_configs });
    await writeMetadataDirectory(directory, withConfigs({}));
    await writeFile(join(directory, "backend_configs.yaml"), '!!str "!include x.yaml":\n  a: 1\n');
    await writeMetadataDirectory(directory, withConfigs({}));
    expect(await text(directory, "backend_configs.yaml")).toBe("{}\n");
  });

  it("Writing keeps numbers and strings that YAML would misread", async () => {
    const directory = await temporaryDirectory();
    const odd = [
      "yes",
      "1",
      "1e3",
      "0x1",
      "null",
      "~",
      "",
      " ",
      "a: b",
      "# c",
      "- d",
      "<<",
      "line\n",
      "\ttab\n\n x",
      "\u2028",
    ];
    const values: Json = {
      texts: odd,
      keys: Object.fromEntries(odd.map((key) => [key, key])),
      number: new JsonNumber("9007199254740993") as unknown as Json,
      decimal: new JsonNumber("0.10000000000000000001") as unknown as Json,
    };
    const metadata: Json = { version: 3, sources: [], backend_configs: values };
    await writeMetadataDirectory(directory, metadata);
    expect(canonicalJson((await readMetadataDirectory(directory)).metadata)).toBe(canonicalJson(metadata));
  });
});
