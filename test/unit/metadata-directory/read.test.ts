import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseMetadata } from "../../../compiler/catalog/schema.ts";
import { readMetadataDirectory } from "../../../runtime/cli/metadata-directory/read.ts";
import { canonicalJson } from "../../../runtime/values/canonical-json.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** Returns the error message for these files, without the directory. */
async function failure(files: Readonly<Record<string, string>>, path = ""): Promise<string> {
  const directory = await temporaryDirectory(files);
  try {
    await readMetadataDirectory(join(directory, path));
  } catch (error) {
    return String(error instanceof Error ? error.message : error).replaceAll(`${directory}/`, "");
  }
  throw new Error("it was read");
}

const library = {
  "version.yaml": "version: 3\n",
  "databases/databases.yaml": `
- name: default
  kind: postgres
  configuration:
    connection_info:
      database_url: { from_env: DATABASE }
  tables: "!include default/tables/tables.yaml"
  functions: !include default/functions/functions.yaml
`,
  "databases/default/tables/tables.yaml": `
- "!include public_book.yaml"
- table: inline
`,
  "databases/default/tables/public_book.yaml": `
table:
  name: book
  schema: public
select_permissions:
  - role: reader
    permission:
      columns: [id, title]
      filter: {}
`,
  "databases/default/functions/functions.yaml": "[]",
  "remote_schemas.yaml": `
- name: rs
  definition: { url: "http://rs" }
  permissions:
    - role: reader
      definition: { schema: "!include rs/reader.graphql" }
`,
  "rs/reader.graphql": "schema { query: Query }\n",
  "allow_list.yaml": "[]",
  "network.yaml": "{}",
  "notes.yaml": "[ignored",
};

describe("Metadata directories", () => {
  it("A metadata directory is read as one document with resolved includes and without empty sections", async () => {
    const { metadata } = await readMetadataDirectory(await temporaryDirectory(library));
    expect(metadata).toEqual({
      version: 3,
      sources: [
        {
          name: "default",
          kind: "postgres",
          configuration: { connection_info: { database_url: { from_env: "DATABASE" } } },
          tables: [
            {
              table: { name: "book", schema: "public" },
              select_permissions: [{ role: "reader", permission: { columns: ["id", "title"], filter: {} } }],
            },
            { table: "inline" },
          ],
          functions: [],
        },
      ],
      remote_schemas: [
        {
          name: "rs",
          definition: { url: "http://rs" },
          permissions: [{ role: "reader", definition: { schema: "schema { query: Query }\n" } }],
        },
      ],
    });
  });

  it("Every value of a metadata directory has a location", async () => {
    const directory = await temporaryDirectory(library);
    const { locate } = await readMetadataDirectory(directory);
    const found = (path: string) => {
      const place = locate(path);
      return place && `${place.file.slice(directory.length + 1)}:${place.line}:${place.column}`;
    };
    const book = "databases/default/tables/public_book.yaml";
    expect(found("$.sources[0].name")).toBe("databases/databases.yaml:2:9");
    expect(found("$.sources[0].tables")).toBe("databases/default/tables/tables.yaml:2:1");
    expect(found("$.sources[0].tables[0]")).toBe(`${book}:2:1`);
    expect(found("$.sources[0].tables[0].select_permissions[0].permission.columns[1]")).toBe(`${book}:8:21`);
    expect(found("$.sources[0].tables[1].table")).toBe("databases/default/tables/tables.yaml:3:10");
    expect(found("$.sources[0].tables[0].missing.deep")).toBe(`${book}:2:1`);
    expect(found("$.remote_schemas[0].permissions[0].definition.schema")).toBe("rs/reader.graphql:1:1");
    expect(found("$.nothing")).toBeUndefined();
    expect(found("no path")).toBeUndefined();
  });

  it("A parse error in a metadata directory has a location", async () => {
    const directory = await temporaryDirectory({
      ...library,
      "databases/default/tables/public_book.yaml": "tabel: x\n",
    });
    const { metadata, locate } = await readMetadataDirectory(directory);
    const parsed = parseMetadata(metadata);
    expect(parsed).toMatchObject({ error: { message: 'unexpected keys when parsing TableMetadata: ["tabel"]' } });
    expect(locate(parsed.ok ? "" : parsed.error.path)).toEqual({
      file: join(directory, "databases/default/tables/public_book.yaml"),
      line: 1,
      column: 1,
    });
  });

  it("Anchors and tagged strings are supported in a metadata directory", async () => {
    const { metadata } = await readMetadataDirectory(
      await temporaryDirectory({
        "query_collections.yaml": `
- &one { name: a, definition: { queries: [] } }
- *one
- name: !!str "!include nothing.yaml"
- 5: |
    !include nothing.yaml
`,
      }),
    );
    const one = { name: "a", definition: { queries: [] } };
    expect(metadata).toEqual({
      version: 3,
      query_collections: [one, one, { name: "!include nothing.yaml" }, { "5": "!include nothing.yaml\n" }],
    });
  });

  it("Numbers of a metadata directory keep their digits", async () => {
    const { metadata } = await readMetadataDirectory(
      await temporaryDirectory({
        "backend_configs.yaml":
          "a: [9007199254740993, 0.1, -12.50, 1e3, 1.00000000000000000001, 1e400, -0, +7, 007, .50, 5., 0xFFFFFFFFFFFFFFFF, 0o10]",
      }),
    );
    expect(canonicalJson(metadata)).toBe(
      '{"backend_configs":{"a":[9007199254740993,0.1,-12.50,1e3,1.00000000000000000001,1e400,-0,7,7,0.50,5,18446744073709551615,8]},"version":3}',
    );
  });

  it.each([
    ["wrong syntax", { "network.yaml": "a: 1\nb: [1, 2\nc: 3\n" }, /^network\.yaml:\d:\d: /],
    ["duplicate keys", { "network.yaml": "a: 1\na: 2\n" }, /^network\.yaml:2:1: Map keys must be unique/],
    ["a meaningless tag", { "network.yaml": "a: !secret x\n" }, /^network\.yaml:1:4: Unresolved tag/],
    ["an unknown anchor", { "network.yaml": "a: *x\n" }, /^network\.yaml:1:4: /],
    [
      "an anchor around its own alias",
      { "network.yaml": "a: &x [1, *x]\n" },
      /^network\.yaml:1:7: an anchor contains an alias of itself/,
    ],
    ["a list as key", { "network.yaml": "? [1]\n: 2\n" }, /^network\.yaml:1:3: expected a string as the key/],
    ["infinity", { "network.yaml": "a: .inf\n" }, /^network\.yaml:1:4: \.inf is not a JSON value/],
    [
      "a missing include",
      { "network.yaml": 'a:\n  b: "!include x.yaml"\n' },
      /^network\.yaml:2:6: the included file "x\.yaml" does not exist$/,
    ],
    [
      "a circular include",
      { "network.yaml": "a: !include b/x.yaml", "b/x.yaml": "[!include y.yaml]", "b/y.yaml": "- 1\n- !include x.yaml" },
      /^b\/y\.yaml:2:12: the included file "x\.yaml" includes this one, directly or indirectly$/,
    ],
    [
      "a file that includes itself",
      { "network.yaml": "!include network.yaml" },
      /^network\.yaml:1:10: the included file "network\.yaml" includes this one/,
    ],
    [
      "an include that is not below the directory",
      { "network.yaml": "a: !include ../x.yaml" },
      /^network\.yaml:1:13: the included file "\.\.\/x\.yaml" is not below the metadata directory$/,
    ],
    [
      "no known file",
      { "other.txt": "" },
      /contains no metadata: expected version\.yaml, databases\/databases\.yaml or another file/,
    ],
  ])("A metadata directory is refused for %s", async (_, files, message) => {
    expect(await failure(files)).toMatch(message);
  });

  it("A symbolic link to a target outside the metadata directory is refused", async () => {
    const external = await temporaryDirectory({ "secret.yaml": "key: value" });
    const directory = await temporaryDirectory({ "network.yaml": "!include link.yaml" });
    await symlink(join(external, "secret.yaml"), join(directory, "link.yaml"));
    await expect(readMetadataDirectory(directory)).rejects.toThrow("is not below the metadata directory");
  });

  it("A missing path is refused", async () => {
    const missing = join(await temporaryDirectory(), "nothing");
    await expect(readMetadataDirectory(missing)).rejects.toMatchObject({
      code: "not-found",
      message: `no such file or directory: ${missing}, expected metadata`,
    });
  });
});

describe("Single metadata files", () => {
  it("A metadata file may be YAML with includes", async () => {
    const directory = await temporaryDirectory({
      "all.yaml": "version: 3\nsources: !include s.json\n",
      "s.json": '[{"name": "a"}]',
    });
    const { metadata, locate } = await readMetadataDirectory(join(directory, "all.yaml"));
    expect(metadata).toEqual({ version: 3, sources: [{ name: "a" }] });
    expect(locate("$.sources[0].name")).toEqual({ file: join(directory, "s.json"), line: 1, column: 11 });
    expect(locate("$")).toEqual({ file: join(directory, "all.yaml"), line: 1, column: 1 });
  });

  it("A metadata file may be JSON, with locations and without loss", async () => {
    const text = `{
  "version": 3, "__proto__": [],
  "a b": [true, null, "\\u00e9\\n", -1.5e2, {}, 12345678901234567890]
}`;
    const directory = await temporaryDirectory({ "all.json": text });
    const { metadata, locate } = await readMetadataDirectory(join(directory, "all.json"));
    expect(canonicalJson(metadata)).toBe(
      '{"__proto__":[],"a b":[true,null,"é\\n",-1.5e2,{},12345678901234567890],"version":3}',
    );
    expect(locate('$["a b"][2]')).toMatchObject({ line: 3, column: 23 });
    expect(locate("$.version")).toMatchObject({ line: 2, column: 14 });
  });

  it.each([
    ['{"a": 1,}', "1:9: expected a key in double quotes"],
    ['{"a" 1}', '1:6: expected ":"'],
    ['{\n  "a": [1 2]}', '2:11: expected "," or "]"'],
    ['{"a": 01}', '1:8: expected "," or "}"'],
    ["", "1:1: expected a value"],
    ["{} x", "1:4: expected the end of the document"],
    ['["abc', "1:2: unterminated string"],
    ['["\\x"]', "1:2: invalid escape sequence or control character in a string"],
    ['["a\nb"]', "1:2: invalid escape sequence or control character in a string"],
    ["[".repeat(2000), "1:1001: nested deeper than 1000 levels"],
  ])("A syntax error in JSON has a location: %j", async (text, message) => {
    expect(await failure({ "all.json": text }, "all.json")).toBe(`all.json:${message}`);
  });

  it("An unreadable file is reported", async () => {
    const directory = await temporaryDirectory({ "a.yaml": "!include d.yaml", "d.yaml/x": "" });
    await writeFile(join(directory, "version.yaml"), "");
    await expect(readMetadataDirectory(join(directory, "a.yaml"))).rejects.toThrow(/^cannot read .*d\.yaml: EISDIR$/);
  });
});
