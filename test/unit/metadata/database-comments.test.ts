/** Comments of databases that are copied into the metadata. */
import { describe, expect, it } from "vitest";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { withDatabaseComments } from "../../../compiler/metadata/database-comments.ts";
import type { ColumnShape, FunctionShape, Shape, TableShape } from "../../../compiler/shape/shape.ts";

type Commented = readonly [name: string, comment: string | null];

function shapeOf(tables: readonly [Commented, readonly Commented[]][], functions: readonly Commented[]): Shape {
  return {
    format: 1,
    kind: "postgres",
    serverVersion: "",
    tables: tables.map(
      ([[name, comment], columns]) =>
        ({
          schema: "public",
          name,
          comment,
          columns: columns.map(([column, text]) => ({ name: column, comment: text }) as ColumnShape),
        }) as unknown as TableShape,
    ),
    functions: functions.map(([name, comment]) => ({ schema: "public", name, comment }) as FunctionShape),
    types: [],
  };
}

/** Returns the exported source `default` with the comments of a shape. */
function copied(source: object, shape: Shape): unknown {
  const configuration = { connection_info: { database_url: "postgres://h/d" } };
  const tables: readonly object[] = [];
  const document = { version: 3, sources: [{ name: "default", kind: "postgres", tables, configuration, ...source }] };
  const read = readMetadataDocument(document as never, emptyCatalog);
  if (!read.ok) throw new Error(read.error.message);
  const { sources } = exportMetadata(withDatabaseComments(read.value, new Map([["default", shape]]))) as {
    readonly sources: readonly object[];
  };
  return sources[0];
}

const table = (configuration: object = {}) => ({ table: { schema: "public", name: "note" }, configuration });
const definition = (name: string) => ({ function: { schema: "public", name } });

describe("Comments of databases in the metadata", () => {
  it("Comments of tables and columns become those of the configuration, beside its other settings", () => {
    const shape = shapeOf(
      [
        [
          ["note", "A note"],
          [
            ["id", null],
            ["text", "Its text"],
            ["title", "Its title"],
          ],
        ],
      ],
      [],
    );
    const own = { custom_name: "Note", column_config: { title: { custom_name: "name" } } };
    expect(copied({ tables: [table(own)] }, shape)).toMatchObject({
      tables: [
        {
          configuration: {
            comment: "A note",
            custom_name: "Note",
            column_config: { text: { comment: "Its text" }, title: { comment: "Its title", custom_name: "name" } },
          },
        },
      ],
    });
  });

  it("Comments of the metadata take precedence, also empty ones", () => {
    const shape = shapeOf(
      [
        [
          ["note", "A note"],
          [
            ["id", "Key"],
            ["text", "Its text"],
          ],
        ],
      ],
      [
        ["shout", "Loud"],
        ["all", "All"],
      ],
    );
    const tables = [
      {
        ...table({ comment: "", column_config: { id: { comment: "Own" }, text: { comment: "" } } }),
        computed_fields: [{ name: "loud", definition: definition("shout"), comment: "Own" }],
      },
    ];
    const functions = [{ ...definition("all"), comment: "" }];
    expect(copied({ tables, functions }, shape)).toMatchObject({ tables, functions });
  });

  it("Comments of functions become those of computed fields and tracked functions, unless they are overloaded", () => {
    const names: readonly Commented[] = [
      ["shout", "Loud"],
      ["all", "All"],
      ["twice", "One"],
      ["twice", "Two"],
    ];
    const fields = ["shout", "twice"].map((name) => ({ name, definition: definition(name) }));
    const functions = ["all", "twice"].map(definition);
    const tables = [{ ...table(), computed_fields: fields }];
    expect(copied({ tables, functions }, shapeOf([], names))).toMatchObject({
      tables: [{ computed_fields: [{ ...fields[0], comment: "Loud" }, fields[1]] }],
      functions: [{ ...definition("all"), comment: "All" }, definition("twice")],
    });
    expect(JSON.stringify(copied({ tables, functions }, shapeOf([], names)))).not.toMatch(/One|Two/);
  });

  it("A table without comments keeps a metadata without configuration", () => {
    const shape = shapeOf([[["note", null], [["id", null]]]], []);
    expect(copied({ tables: [{ table: { schema: "public", name: "note" } }] }, shape)).toMatchObject({
      tables: [{ table: { schema: "public", name: "note" } }],
    });
    expect(JSON.stringify(copied({ tables: [table()] }, shape))).not.toContain('configuration":{}');
  });

  it("Columns may have the names of members of every object", () => {
    const shape = shapeOf(
      [
        [
          ["note", null],
          [
            ["__proto__", "First"],
            ["constructor", "Second"],
          ],
        ],
      ],
      [],
    );
    const text = JSON.stringify(copied({ tables: [table()] }, shape));
    expect(text).toContain('"column_config":{"__proto__":{"comment":"First"},"constructor":{"comment":"Second"}}');
  });
});
