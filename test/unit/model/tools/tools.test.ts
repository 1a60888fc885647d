import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { analyze } from "../../../../compiler/2-analyze/analyze.ts";
import { emptyCatalog } from "../../../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../../../compiler/catalog/upgrade.ts";
import { readShapeFile } from "../../../../runtime/cli/compile/shape-file.ts";
import { readMetadataDirectory } from "../../../../runtime/cli/metadata-directory/read.ts";
import type { RoleDefinition } from "../../../../runtime/model/definitions/roots.ts";
import type { RoleTool } from "../../../../runtime/model/definitions/tools/agent-tool.ts";
import { pg } from "../../../../runtime/model/dialects/postgres/scalars.ts";
import { roleSchema } from "../../../../runtime/model/schema/role-schema.ts";
import { columnValue, orNull } from "../../../../runtime/model/tools/scalar-schemas.ts";
import { analysisOptions } from "../../../support/analysis-options.ts";
import { must } from "../../../support/compiled.ts";
import { compileAndLoad, loaderOf } from "../../emit/load.ts";

const sample = join(import.meta.dirname, "../../../golden/compile/agent-tools");

/** Compiles the golden case with the tools of `change`. */
async function compiledSample(change: (metadata: SampleMetadata) => void = () => undefined) {
  const { metadata } = await readMetadataDirectory(join(sample, "metadata.yaml"));
  const copy = structuredClone(metadata) as unknown as SampleMetadata;
  change(copy);
  const saved = await readShapeFile(join(sample, "shape.json"));
  if (saved.kind !== "one") throw new Error("the case has one source");
  const introspections = new Map([["default", { shape: saved.shape }]]);
  const catalog = must(readMetadataDocument(copy, emptyCatalog));
  return compileAndLoad(must(analyze({ catalog, introspections, options: analysisOptions })));
}

interface SampleMetadata {
  query_collections: { definition: { queries: { name: string; query: string }[] } }[];
  agent_tools: object[];
}

/** Returns the tool of a role for an operation. */
async function toolFor(query: string, role: string, more: object = {}): Promise<RoleTool | undefined> {
  const { planned } = await compiledSample((metadata) => {
    metadata.query_collections[0]?.definition.queries.push({ name: "given", query });
    const definition = { query: { collection_name: "app", query_name: "given" } };
    metadata.agent_tools = [{ name: "given", definition, ...more }];
  });
  return planned.toolsOf(role, "frontend")[0]?.tool;
}

describe("Tools of roles", () => {
  it("Generated modules define the same tools as the schema of a live server", async () => {
    const { program, planned } = await compiledSample();
    const loader = loaderOf(planned);
    for (const role of program.roles()) {
      for (const variant of ["frontend", "backend"] as const) {
        const { role: definition } = loader.require(program.roleModule(role)) as { readonly role: RoleDefinition };
        const live = planned.deriveTools(role, roleSchema(definition, variant));
        const used = program.hasBackendSchema(role) ? variant : "frontend";
        const emitted = planned.toolsOf(role, used).map(({ path }) => {
          return (loader.require(path) as { readonly tool: RoleTool }).tool;
        });
        expect(emitted).toEqual(live);
      }
    }
  });

  it("A tool exists for the roles whose permissions allow its operation, and for the named ones of them", async () => {
    const { planned } = await compiledSample();
    const names = (role: string, variant: "frontend" | "backend" = "frontend") =>
      planned.toolsOf(role, variant).map(({ tool }) => tool.tool.name);
    expect(names("admin")).toEqual(["Secrets", "everything"]);
    expect(names("reader")).toEqual(["counted", "everything", "filtered.books", "search"]);
    expect(names("editor")).toEqual(["Secrets", "add", "fatten", "put", "rename"]);
    expect(names("editor", "backend")).toContain("remove");
  });

  it.each([
    ["an argument", "query Q { book(where: {secret: {_is_null: true}}) { title } }"],
    ["an ordering", "query Q { book(order_by: [{secret: asc}]) { title } }"],
    ["an enum value", "query Q { book(distinct_on: [secret]) { title } }"],
    ["a selection", "query Q { book { title secret } }"],
    ["an unknown argument", "query Q { book(hidden: {}) { title } }"],
  ])("A role has no tool whose operation uses a hidden or unknown name in %s", async (_, query) => {
    expect(await toolFor(query, "reader")).toBe(undefined);
  });

  it.each([
    ['query Q { search_books(args: {word: "a"}) { title } }', "reader", "read"],
    ['query Q { count_books(args: {word: "a"}) { title } }', "reader", "unknown"],
    ["mutation M($o: book_insert_input!) { insert_book_one(object: $o) { id } }", "editor", "upsert"],
    ['mutation M { insert_book_one(object: {title: "a"}) { id } }', "editor", "insert"],
    ['mutation M { insert_book_one(object: {author: {data: {name: "a"}}}) { id } }', "editor", "insert"],
    [
      'mutation M { insert_book_one(object: {author: {data: {name: "a"}, on_conflict: {constraint: author_pkey}}}) { id } }',
      "editor",
      "upsert",
    ],
    [
      'mutation M { insert_book_one(object: {title: "a"}, on_conflict: {constraint: book_pkey, return_existing: true}) { id } }',
      "editor",
      "insert",
    ],
    [
      'mutation M { insert_book_one(object: {author: {data: {name: "a"}, on_conflict: {constraint: author_pkey, return_existing: true}}}) { id } }',
      "admin",
      "insert",
    ],
    [
      "mutation M($f: Boolean) { insert_book_one(object: {}, on_conflict: {constraint: book_pkey, return_existing: $f}) { id } }",
      "editor",
      "upsert",
    ],
    [
      'mutation M { insert_book_one(object: {title: "a"}, on_conflict: {constraint: book_pkey, return_existing: false}) { id } }',
      "editor",
      "upsert",
    ],
    ['mutation M { update_book(where: {}, _set: {title: "a"}) { affected_rows } }', "editor", "set"],
    ["mutation M { update_book(where: {}, _inc: {weight: 1}) { affected_rows } }", "editor", "upsert"],
    ['mutation M { update_book_many(updates: [{where: {}, _set: {title: "a"}}]) { affected_rows } }', "editor", "set"],
    [
      "mutation M { update_book_many(updates: [{where: {}, _inc: {weight: 1}}]) { affected_rows } }",
      "editor",
      "upsert",
    ],
    ["mutation M($u: [book_updates!]!) { update_book_many(updates: $u) { affected_rows } }", "editor", "upsert"],
    [
      'mutation M { a: update_book(where: {}, _set: {title: "a"}) { affected_rows } b: update_book(where: {}, _set: {weight: 1}) { affected_rows } }',
      "editor",
      "upsert",
    ],
    ["mutation M { delete_book(where: {}) { affected_rows } }", "admin", "set"],
    [
      'mutation M { update_book(where: {}, _set: {title: "a"}, _related: {author: {update: {_set: {name: "b"}}}}) { changes { new { id } } } }',
      "admin",
      "upsert",
    ],
    ["query Q { book_group(by: {column: title}) { key { title } aggregate { count } } }", "admin", "read"],
  ] as const)("Hints follow from the operation: %s", async (query, role, effect) => {
    const { hints } = (await toolFor(query, role)) ?? {};
    const expected = {
      read: { readOnly: true, destructive: false, idempotent: true },
      insert: { readOnly: false, destructive: false, idempotent: false },
      set: { readOnly: false, destructive: true, idempotent: true },
      upsert: { readOnly: false, destructive: true, idempotent: false },
      unknown: { readOnly: false, destructive: true, idempotent: false },
    };
    expect(hints).toEqual({ ...expected[effect], openWorld: false });
  });

  it.each([
    ["query Q($v: String) { book(where: {title: {_like: $v}}) { title } }", ["v"], "string"],
    ['query Q($v: String = "%") { book(where: {title: {_like: $v}}) { title } }', undefined, "string"],
    ["query Q($v: Int) { book(limit: $v) { title } }", undefined, ["integer", "null"]],
  ])("A variable of a condition is required, because conditions refuse null: %s", async (query, required, type) => {
    const { input } = (await toolFor(query, "reader")) ?? {};
    expect(input).toMatchObject({ properties: { v: { type } } });
    expect(input?.required).toEqual(required);
  });

  it("The description is that of the metadata, else the comment of the operation, else those of the root fields", async () => {
    const query = "query Q { book { title } first: book(limit: 1) { id } }";
    const describe = async (text: string, more: object = {}) => (await toolFor(text, "reader", more))?.tool.description;
    expect(await describe(`# Lists books.\n# All of them.\n${query}`, { description: "Books." })).toBe("Books.");
    expect(await describe(`# Lists books.\n# All of them.\n${query}`)).toBe("Lists books. All of them.");
    expect(await describe(query)).toBe('Fetch data from the table: "book".');
    expect(await describe("query Q { __typename }")).toBe("Runs the query given.");
  });

  it("The schema of a filter on many tables has a bounded number of types", async () => {
    const tool = await toolFor("query Q($w: book_bool_exp) { book(where: $w) { title } }", "admin");
    const { $defs = {} } = (tool?.input ?? {}) as { readonly $defs?: object };
    expect(Object.keys($defs).length).toBeGreaterThan(5);
    expect(Object.keys($defs).length).toBeLessThanOrEqual(64);
  });
});

describe("Schemas of scalars", () => {
  it("Wide numbers are texts if numbers are stringified", () => {
    for (const name of ["int8", "numeric", "float8"]) {
      expect(columnValue(pg(name), { stringifyNumbers: true })).toEqual({ type: "string" });
      expect(columnValue(pg(name), { stringifyNumbers: false })).not.toEqual({ type: "string" });
    }
    expect(columnValue(pg("int4"), { stringifyNumbers: true })).toEqual({ type: "integer" });
  });

  it("A nullable schema also accepts null", () => {
    expect(orNull({ type: "string", enum: ["a"] })).toEqual({ type: ["string", "null"], enum: ["a", null] });
    expect(orNull({ $ref: "#/$defs/a" })).toEqual({ anyOf: [{ $ref: "#/$defs/a" }, { type: "null" }] });
    expect(orNull({})).toEqual({});
  });
});
