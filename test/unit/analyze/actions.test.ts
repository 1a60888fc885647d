import { describe, expect, it } from "vitest";
import { inconsistencyEntry } from "../../../compiler/2-analyze/inconsistency.ts";
import { analysisOf, parsed, reasonsOf, type Setting, sourceOf } from "./sample.ts";

const environment = { HANDLER: "http://handler" };

function analyzed(custom_types: object, actions: readonly object[] = [], setting: Setting = {}) {
  const sources = [sourceOf("default", [{ table: "author" }]), sourceOf("other", [{ table: "article" }])];
  return analysisOf(parsed({ version: 3, sources, custom_types, actions }), { options: { environment }, ...setting });
}

const typed = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([name, type]) => ({ name, type }));

const user = { name: "User", fields: typed({ id: "Int!", name: "String", tags: "[String!]!" }) };
const address = { name: "Address", fields: typed({ street: "String!" }) };
const types = {
  scalars: [{ name: "Mail" }],
  enums: [{ name: "Color", values: [{ value: "RED" }] }],
  input_objects: [{ name: "UserInput", fields: typed({ mail: "Mail!", color: "Color", nested: "[UserInput!]" }) }],
  objects: [user, address],
};

describe("Custom types", () => {
  it("Custom types may use built-in scalars, each other, and scalars of the databases", () => {
    const objects = [
      { name: "Event", fields: typed({ at: "timestamptz", tags: "jsonb", where: "[Address!]", color: "Color" }) },
    ];
    const analysis = analyzed({ ...types, objects: [...types.objects, ...objects] });
    expect(reasonsOf(analysis)).toEqual([]);
    expect(analysis.customTypes.objects).toHaveLength(3);
  });

  const withUser = (changes: object) => ({ ...types, objects: [{ ...user, ...changes }, address] });
  const toAuthor = { name: "author", type: "object", remote_table: "author", field_mapping: { id: "id" } };
  const related = (changes: object) => withUser({ relationships: [{ ...toAuthor, ...changes }] });
  it.each<[object, string]>([
    [{ ...types, scalars: [...types.scalars, { name: "User" }] }, 'duplicate type names: "User"'],
    [
      { ...types, enums: [...types.enums, { name: "E", values: [{ value: "A" }, { value: "A" }] }] },
      'the enum type "E" has duplicate values: "A"',
    ],
    [
      { ...types, input_objects: [...types.input_objects, { name: "I", fields: typed({ f: "User!" }) }] },
      'the type "User" for field "f" in  input object type "I" does not exist',
    ],
    [
      {
        ...types,
        input_objects: [
          ...types.input_objects,
          { name: "I", fields: [...typed({ f: "Int" }), ...typed({ f: "Int" })] },
        ],
      },
      'the input object "I" has duplicate fields: "f"',
    ],
    [
      withUser({ fields: typed({ id: "None" }) }),
      'the type "None" for field "id" in  object type "User" does not exist',
    ],
    [withUser({ fields: [...user.fields, ...typed({ id: "Int" })] }), 'the object "User" has duplicate fields: "id"'],
    [withUser({ fields: [{ name: "id", type: "Int", arguments: [] }] }), `the object "User" can't have arguments`],
    [
      related({ remote_table: { schema: "shop", name: "none" } }),
      'the remote table "shop.none" for relationship "author" of object type "User" does not exist',
    ],
    [
      related({ field_mapping: { none: "id" } }),
      'the field "none" for relationship "author" in object type "User" does not exist',
    ],
    [
      related({ field_mapping: { tags: "id" } }),
      'the type of the field "tags" for relationship "author" in object type "User" is a list type',
    ],
    [
      related({ field_mapping: { id: "none" } }),
      'the column "none" of remote table "author" for relationship "author" of object type "User" does not exist',
    ],
    [
      withUser({
        relationships: [toAuthor, { ...toAuthor, name: "article", source: "other", remote_table: "article" }],
      }),
      'the object "User" has relationships refers to tables in multiple sources',
    ],
    [
      { ...types, enums: [...types.enums, { name: "E", values: [{ value: "A" }, { value: "null" }] }] },
      'the enum type "E" has values that are literals: "null"',
    ],
    ...["author", "author_bool_exp", "author_insert_input"].map((name): [object, string] => [
      { ...types, input_objects: [...types.input_objects, { name, fields: typed({ f: "Int" }) }] },
      `the type "${name}" has the name of a type of table "author" in source "default"`,
    ]),
    [
      { ...types, objects: [...types.objects, { name: "article", fields: typed({ f: "Int" }) }] },
      'the type "article" has the name of a type of table "article" in source "other"',
    ],
    ...[
      ["query_root", "the schema"],
      ["Boolean", "GraphQL"],
      ["__Type", "introspection"],
    ].map(([name, owner]): [object, string] => [
      { ...types, objects: [...types.objects, { name, fields: typed({ f: "Int" }) }] },
      `the type "${name}" has the name of a type of ${owner}`,
    ]),
    [
      { ...types, input_objects: [...types.input_objects, { name: "__Mine", fields: typed({ f: "Int" }) }] },
      'the type "__Mine" has a name that GraphQL reserves for introspection',
    ],
    [
      { ...types, scalars: [...types.scalars, { name: "__mine" }] },
      'the type "__mine" has a name that GraphQL reserves for introspection',
    ],
    [
      withUser({ fields: typed({ __typename: "Int" }) }),
      'the object "User" has fields with names of introspection: "__typename"',
    ],
    [related({ name: "a b" }), 'the relationship "a b" of object type "User" has a name that is not valid in GraphQL'],
    [related({ name: "name" }), 'the relationship "name" of object type "User" has the name of another field: "name"'],
    [
      withUser({
        fields: [...user.fields, ...typed({ author_aggregate: "Int" })],
        relationships: [{ ...toAuthor, type: "array" }],
      }),
      'the relationship "author" of object type "User" has the name of another field: "author_aggregate"',
    ],
    [
      withUser({
        remote_relationships: [
          {
            name: "r",
            definition: {
              to_source: { relationship_type: "object", source: "none", table: "t", field_mapping: {} },
            },
          },
        ],
      }),
      'in remote relationship "r" of object type "User": source not found: "none"',
    ],
  ])("Custom types %j are refused", (custom, problem) => {
    const analysis = analyzed(custom);
    expect(reasonsOf(analysis)).toEqual([`validation for the given custom types failed because ${problem}`]);
    expect(analysis.customTypes.objects).toEqual([]);
  });

  it.each(["author_local", "Author", "author_order", "query", "uuid_exp"])("A custom type may be named %s", (name) => {
    const objects = [...types.objects, { name, fields: typed({ f: "Int" }) }];
    expect(reasonsOf(analyzed({ ...types, objects }))).toEqual([]);
  });

  it.each<[object, string | undefined]>([
    [{ objects: [{ name: "User", fields: typed({ name: "Strin" }) }] }, 'did you mean "String"?'],
    [
      { input_objects: [{ name: "UserInput", fields: typed({ nested: "[UserInputs!]" }) }] },
      'did you mean "UserInput"?',
    ],
    [related({ remote_table: "authors" }), 'did you mean "author"?'],
    [related({ source: "defalt" }), 'did you mean "default"?'],
    [related({ field_mapping: { idd: "id" } }), 'did you mean "id"?'],
    [related({ field_mapping: { id: "initals" } }), 'did you mean "initials"?'],
    [
      { objects: [{ name: "User", fields: typed({ a: "Strin", b: "Strin", c: "Flaot" }) }] },
      'did you mean "String"? did you mean "Float"?',
    ],
    [{ objects: [{ name: "User", fields: typed({ a: "Nothing" }) }] }, undefined],
  ])("An unknown name in custom types is refused with the nearest known name: %j", (custom, hint) => {
    expect(analyzed(custom).inconsistencies.map((entry) => entry.hint)).toEqual([hint]);
  });

  it("Invalid custom types are refused with all their errors, together with every action", () => {
    const objects = [{ name: "A", fields: typed({ f: "X", g: "Y" }) }];
    const action = { name: "a", definition: { handler: "http://x", output_type: "Int" } };
    const { inconsistencies, actions } = analyzed({ objects }, [action]);
    expect(inconsistencies.map(inconsistencyEntry)).toMatchObject([
      {
        type: "custom_types",
        name: "custom_types custom_types",
        reason:
          "Inconsistent object: validation for the given custom types failed for the following reasons:\n" +
          '  • the type "X" for field "f" in  object type "A" does not exist\n' +
          '  • the type "Y" for field "g" in  object type "A" does not exist\n',
      },
      { type: "action", name: "action a", reason: "Inconsistent object: custom types are inconsistent" },
    ]);
    expect(actions.size).toBe(0);
  });
});

describe("Actions", () => {
  const action = (definition: object) => ({
    name: "a",
    definition: { handler: "{{HANDLER}}/a", output_type: "User!", ...definition },
  });

  it.each([
    action({ arguments: typed({ mail: "Mail!", user: "UserInput", color: "Color", at: "[date!]" }) }),
    action({ output_type: "[Address!]!" }),
    action({ output_type: "uuid" }),
    action({ output_type: "Color" }),
    action({ type: "query" }),
    action({ handler: "http://{{HANDLER}}:8080/a" }),
    action({ handler: "https://handler/a" }),
  ])("The action %j is consistent", (given) => {
    const analysis = analyzed(types, [given]);
    expect(reasonsOf(analysis)).toEqual([]);
    expect([...analysis.actions.keys()]).toEqual(["a"]);
  });

  it.each<[object, string]>([
    [
      action({ arguments: typed({ u: "User" }) }),
      'the type: "User" is not defined in custom types or it is not a scalar/enum/input_object',
    ],
    [
      action({ output_type: "[UserInput]" }),
      'the type: "UserInput" is not an object or scalar type defined in custom types',
    ],
    [action({ arguments: typed({ a: "Int" }).concat(typed({ a: "String" })) }), 'duplicate arguments: "a"'],
    ...["ftp://handler/a", "ftp://{{HANDLER}}", "handler:3000/a", "/a"].map((handler): [object, string] => [
      action({ handler }),
      "the handler must be a URL that begins with http:// or https://",
    ]),
    [action({ handler: "{{NONE}}/{{HANDLER}}" }), "Value for environment variables not found: NONE"],
  ])("The action %j is inconsistent", (given, reason) => {
    const analysis = analyzed(types, [given]);
    expect(reasonsOf(analysis)).toEqual([`in action "a"; ${reason}`]);
    expect(analysis.actions.size).toBe(0);
  });

  it.each([
    ["author_order_by", 'the type: "author_order_by" belongs to table "author" in source "default"'],
    ["mutation_root", 'the type: "mutation_root" belongs to the schema'],
    ["User", 'the type: "User" is defined in custom types'],
  ])("An asynchronous action may not be named %s like an existing type", (name, reason) => {
    const given = { ...action({ kind: "asynchronous" }), name };
    expect(reasonsOf(analyzed(types, [given]))).toEqual([
      `in action "${name}"; ${reason}, and the result type of the asynchronous action has the same name`,
    ]);
  });

  it.each([
    ["PageInfo", { output_type: "[PageInfo!]" }],
    ["Node", { arguments: typed({ n: "Wrap" }), output_type: "Outer" }],
    ["authorConnection", { output_type: "Outer" }],
    ["authorEdge", { output_type: "authorEdge", type: "mutation" }],
  ])("A mutation action may not use a type named %s, because the Relay schema has one", (name, definition) => {
    const custom = {
      input_objects:
        name === "Node"
          ? [
              { name, fields: typed({ f: "Int" }) },
              { name: "Wrap", fields: typed({ n: "Node" }) },
            ]
          : [],
      objects: [
        { name: "Outer", fields: typed(name === "Node" ? { f: "Int" } : { inner: name }) },
        ...(name === "Node" ? [] : [{ name, fields: typed({ f: "Int" }) }]),
      ],
    };
    const reason = `the Relay schema contains the action, and has types of its own with these names: "${name}"`;
    expect(reasonsOf(analyzed(custom, [action(definition)]))).toEqual([`in action "a"; ${reason}`]);
    expect(reasonsOf(analyzed(custom, [action({ ...definition, type: "query" })]))).toEqual([]);
    const sources = [sourceOf("default", [])];
    const withoutTables = parsed({ version: 3, sources, custom_types: custom, actions: [action(definition)] });
    expect(reasonsOf(analysisOf(withoutTables, { options: { environment } }))).toEqual([]);
  });

  it("An action with an unknown type is refused with the nearest known name", () => {
    const hintOf = (definition: object) => analyzed(types, [action(definition)]).inconsistencies[0]?.hint;
    expect(hintOf({ output_type: "Usr" })).toBe('did you mean "User"?');
    expect(hintOf({ arguments: typed({ u: "UserInptu" }) })).toBe('did you mean "UserInput"?');
  });

  it("An action may not have the name of an introspection field", () => {
    const given = { ...action({}), name: "__schema" };
    expect(reasonsOf(analyzed(types, [given]))).toEqual([
      'in action "__schema"; the name "__schema" is reserved for introspection',
    ]);
  });

  const nesting = {
    name: "Place",
    fields: typed({ id: "Int!", address: "Address" }),
    relationships: [
      { name: "owner", type: "object", remote_table: "author", field_mapping: { id: "id" } },
      { name: "street", type: "object", remote_table: "author", field_mapping: { address: "name" } },
    ],
  };

  it.each([
    ["synchronous", 'Relationships cannot be defined with nested object fields: "street"'],
    ["asynchronous", 'Async action relations cannot be used with object fields: "address"'],
  ])("A %s action may not join nested objects", (kind, reason) => {
    const custom = { ...types, objects: [...types.objects, nesting] };
    expect(reasonsOf(analyzed(custom, [action({ output_type: "Place", kind })]))).toEqual([`in action "a"; ${reason}`]);
  });

  it("The roles of an action are known only if the action is consistent", () => {
    const permissions = [{ role: "clerk" }];
    expect(analyzed(types, [{ ...action({}), permissions }]).roles).toEqual(["clerk"]);
    expect(analyzed(types, [{ ...action({ output_type: "None" }), permissions }]).roles).toEqual([]);
  });
});
