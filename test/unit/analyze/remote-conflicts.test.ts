import { buildSchema, introspectionFromSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { readRemoteShape } from "../../../compiler/1-introspect/read-remote-shape.ts";
import { remoteAccess } from "../../../compiler/3-lower/remote-relationship-inputs.ts";
import type { RemoteIntrospection } from "../../../compiler/shape/remote-shape.ts";
import { analysisOf, library, parsed, reasonsOf, sourceOf } from "./sample.ts";

function introspected(sdl: string): RemoteIntrospection {
  const { __schema } = JSON.parse(JSON.stringify(introspectionFromSchema(buildSchema(sdl))));
  return readRemoteShape(__schema);
}

interface Server {
  readonly sdl: string;
  readonly customization?: object;
  /** Documents by role. */
  readonly permissions?: Readonly<Record<string, string>>;
}

/** Analyzes remote schemas beside the tables author and article. */
function analyzed(servers: Readonly<Record<string, Server>>, more: object = {}) {
  const catalog = parsed({
    version: 3,
    sources: [sourceOf("default", [{ table: "author" }, { table: "article" }])],
    remote_schemas: Object.entries(servers).map(([name, { customization, permissions = {} }]) => ({
      name,
      definition: { url: `http://${name}`, ...(customization && { customization }) },
      permissions: Object.entries(permissions).map(([role, schema]) => ({ role, definition: { schema } })),
    })),
    ...more,
  });
  return analysisOf(catalog, {
    introspections: new Map([["default", { shape: library }]]),
    remoteIntrospections: new Map(Object.entries(servers).map(([name, { sdl }]) => [name, introspected(sdl)])),
    options: { remoteSchemaPermissions: true },
  });
}

const conflict = (type: string) => `Conflicting types: Found conflicting definitions for GraphQL type '${type}'.`;

describe("Types of remote schemas", () => {
  it.each([
    ["of a table", "type Query { a: author } type author { pages: Int }", "author"],
    [
      "of a table's arguments",
      "type Query { a(b: author_bool_exp): Int } input author_bool_exp { c: Int }",
      "author_bool_exp",
    ],
    ["that all tables use, with other values", "type Query { a(b: order_by): Int } enum order_by { up }", "order_by"],
    ["of the schema", "type Query { a: query_root } type query_root { b: Int }", "query_root"],
    ["of a scalar that stands for a table", "type Query { a: author } scalar author", "author"],
    [
      "of an object where a column has the scalar",
      "type Query { a: timestamptz } type timestamptz { b: Int }",
      "timestamptz",
    ],
    ["of an enum where a column has the scalar", "type Query { a: jsonb } enum jsonb { b }", "jsonb"],
  ])("A type of a remote schema may not have the name of a type %s", (_, sdl, type) => {
    const analysis = analyzed({ r: { sdl } });
    expect(reasonsOf(analysis)).toEqual([conflict(type)]);
    expect(analysis.remoteSchemas.size).toBe(0);
  });

  it("A type of a remote schema may have such a name if the types are equal, customized or not merged", () => {
    const orders = "asc asc_nulls_first asc_nulls_last desc desc_nulls_first desc_nulls_last";
    const same = `type Query { a(b: order_by): timestamptz } enum order_by { ${orders} } scalar timestamptz`;
    const renamed = { type_names: { prefix: "r_" } };
    const roots = "schema { query: query_root } type query_root { c: Int }";
    const servers = {
      same: { sdl: same },
      renamed: { sdl: "type Query { d: author } type author { pages: Int }", customization: renamed },
      roots: { sdl: roots },
    };
    expect(reasonsOf(analyzed(servers))).toEqual([]);
  });

  it("A type of a remote schema may have the name of a scalar that no source uses", () => {
    const sdl = "type Query { a: point b: money } type point { x: Float } enum money { coin }";
    expect(reasonsOf(analyzed({ r: { sdl } }))).toEqual([]);
  });

  it("Types of remote schemas are compared with the scalars of actions and custom types", () => {
    const definition = { handler: "http://h", output_type: "uuid" };
    const actions = [{ name: "act", definition }];
    const sdl = "type Query { a: uuid } type uuid { b: Int }";
    expect(reasonsOf(analyzed({ r: { sdl } }))).toEqual([]);
    expect(reasonsOf(analyzed({ r: { sdl } }, { actions }))).toEqual([conflict("uuid")]);
    const custom_types = { objects: [{ name: "Pet", fields: [{ name: "id", type: "uuid" }] }] };
    expect(reasonsOf(analyzed({ r: { sdl } }, { custom_types }))).toEqual([conflict("uuid")]);
  });

  it("Types of remote schemas are compared again when a table gains a relationship", () => {
    const same = `type Query { a: author } scalar timestamptz
      type author { age: Int code: Int! id: Int! joined: timestamptz initials: String name: String }`;
    const before = analyzed({ r: { sdl: same } });
    expect(reasonsOf(before)).toEqual([]);
    const using = { foreign_key_constraint_on: { table: "article", column: "author_id" } };
    const [source] = before.catalog.sources;
    const tables = source?.tables.map((table) =>
      table.table.name === "author" ? { ...table, array_relationships: [{ name: "articles", using }] } : table,
    );
    const catalog = parsed({ ...before.catalog, sources: [{ ...source, tables }] });
    const after = { ...before.catalog, sources: catalog.sources };
    const setting = {
      introspections: new Map([["default", { shape: library }]]),
      remoteIntrospections: before.remoteIntrospections,
    };
    const fresh = analysisOf(after, setting);
    expect(reasonsOf(fresh)).toEqual([conflict("author")]);
    expect(reasonsOf(analysisOf(after, { ...setting, previous: before, options: before.options }))).toEqual([
      conflict("author"),
    ]);
  });

  it("Types of remote schemas are compared with the columns of tables", () => {
    const same = `type Query { a: author } scalar timestamptz
      type author { age: Int code: Int! id: Int! joined: timestamptz initials: String name: String }`;
    expect(reasonsOf(analyzed({ r: { sdl: same } }))).toEqual([]);
    expect(reasonsOf(analyzed({ r: { sdl: same.replace("age: Int", "age: Int!") } }))).toEqual([conflict("author")]);
  });

  it("Types of remote schemas are compared with custom types", () => {
    const custom_types = {
      enums: [{ name: "Size", values: [{ value: "BIG" }, { value: "SMALL" }] }],
      input_objects: [{ name: "Where", fields: [{ name: "sizes", type: "[Size!]" }] }],
      objects: [
        {
          name: "Pet",
          fields: [
            { name: "size", type: "Size" },
            { name: "born", type: "Day" },
          ],
        },
      ],
      scalars: [{ name: "Day" }],
    };
    const rest = "enum Size { SMALL BIG } input Where { sizes: [Size!] } scalar Day";
    const same = `type Query { pets(where: Where): [Pet] } type Pet { born: Day size: Size } ${rest}`;
    expect(reasonsOf(analyzed({ r: { sdl: same } }, { custom_types }))).toEqual([]);
    for (const [from, to, type] of [
      ["born: Day", "born: Day!", "Pet"],
      ["size: Size", "size(of: Int): Size", "Pet"],
      ["[Size!]", "[Size]", "Where"],
      ["SMALL BIG", "SMALL", "Size"],
    ] as const) {
      const analysis = analyzed({ r: { sdl: same.replace(from, to) } }, { custom_types });
      expect(reasonsOf(analysis)).toEqual([conflict(type)]);
    }
  });

  it("Types of remote schemas are compared per role, and a conflicting later schema is omitted for that role", () => {
    const sdl = (field: string) => `type Query { ${field}: Pet } type Pet { name: String age: Int }`;
    const part = (field: string, pet: string) => `type Query { ${field}: Pet } type Pet { ${pet} }`;
    const analysis = analyzed({
      one: { sdl: sdl("a"), permissions: { both: part("a", "name: String"), same: part("a", "age: Int") } },
      two: { sdl: sdl("b"), permissions: { both: part("b", "age: Int"), same: part("b", "age: Int") } },
    });
    expect(reasonsOf(analysis)).toEqual([`in the schema of role "both": ${conflict("Pet")}`]);
    expect([...(analysis.remoteSchemas.get("one")?.permissions.keys() ?? [])]).toEqual(["both", "same"]);
    expect([...(analysis.remoteSchemas.get("two")?.permissions.keys() ?? [])]).toEqual(["same"]);
  });

  it("Types of remote schemas are compared for inherited roles, and a conflicting later schema is omitted", () => {
    const sdl = (field: string) => `type Query { ${field}: Pet } type Pet { name: String age: Int }`;
    const part = (field: string, pet: string) => `type Query { ${field}: Pet } type Pet { ${pet} }`;
    const servers = (age: string) => ({
      two: { sdl: sdl("b"), permissions: { keeper: part("b", age) } },
      one: { sdl: sdl("a"), permissions: { visitor: part("a", "name: String") } },
    });
    const inherited_roles = [{ role_name: "staff", role_set: ["keeper", "visitor"] }];
    const analysis = analyzed(servers("age: Int"), { inherited_roles });
    const entity = "Could not inherit permission for the role 'staff' for the entity: 'remote schema: 'one''";
    expect(analysis.inconsistencies.map(({ reason }) => reason)).toEqual([`${entity}: ${conflict("Pet")}`]);
    const accessOf = (name: string, role: string) => {
      const remote = analysis.remoteSchemas.get(name);
      return remote && remoteAccess(remote, role, analysis) !== undefined;
    };
    expect([accessOf("two", "staff"), accessOf("one", "staff"), accessOf("one", "visitor")]).toEqual([
      true,
      false,
      true,
    ]);
    expect(analyzed(servers("name: String"), { inherited_roles }).inconsistencies).toEqual([]);
  });
});

describe("Permission documents of remote schemas", () => {
  const sdl = `type Query { pets(where: PetFilter, limit: Int): [Pet] find: Found }
    interface Named { name: String } type Pet implements Named { name: String colour: Colour }
    enum Colour { BLACK WHITE } union Found = Pet | Query input PetFilter { name: String colour: Colour }`;

  it.each([
    ["type Query { pest: [Pet] } type Pet { name: String }", 'did you mean "pets"?'],
    ["type Query { pets(limt: Int): [Pet] } type Pet { name: String }", 'did you mean "limit"?'],
    ["type Query { pets: [Pet] } type Pets { name: String }", 'did you mean "Pet"?'],
    ["type Query { pets: [Pet] } type Pet { name: String } enum Color { BLACK }", 'did you mean "Colour"?'],
    ["type Query { pets: [Pet] } type Pet { name: String } enum Colour { BLAKC }", 'did you mean "BLACK"?'],
    ["type Query { pets: [Pet] } type Pet { name: String } input PetFilter { nmae: String }", 'did you mean "name"?'],
    [
      "type Query { pets(where: PetFilter @preset(value: {nmae: 1})): [Pet] } type Pet { name: String }",
      'did you mean "name"?',
    ],
    [
      "type Query { pets(where: PetFilter @preset(value: {colour: WHIET})): [Pet] } type Pet { name: String }",
      'did you mean "WHITE"?',
    ],
    ["type Query { nothing: Int }", undefined],
  ])("An unknown name in a permission document is refused with the nearest name: %s", (document, hint) => {
    const analysis = analyzed({ r: { sdl, permissions: { keeper: document } } });
    expect(analysis.inconsistencies.map((entry) => entry.hint)).toEqual([hint]);
  });
});
