import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readMetadataDirectory } from "../../../runtime/cli/metadata-directory/read.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const yaml = `
actions:
  - name: signUp
    definition:
      kind: synchronous
      handler: http://h
    permissions:
      - role: reader
  - name: search
    definition:
      kind: ""
      handler: http://h
    comment: from YAML
custom_types:
  enums: []
  objects:
    - name: Member
      relationships:
        - name: loans
          type: array
          remote_table: loan
          field_mapping: { id: member_id }
  scalars:
    - name: Inline
`;
const sdl = `
type Mutation {
  """A new member"""
  signUp("e-mail address" mail: String!, tags: [Tag!]): Member!
}
extend type Query {
  "from SDL"
  search: [Member]
}
input Extra { a: Int }
type Member { id: uuid!, "full" name: String }
scalar Money
enum Tag { NEW "old" OLD @deprecated }
`;

async function failure(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await temporaryDirectory(files);
  return await readMetadataDirectory(directory).then(
    () => "it was read",
    (error: Error) => error.message.replaceAll(`${directory}/`, ""),
  );
}

describe("Actions in metadata directories", () => {
  it("actions.yaml and actions.graphql are merged", async () => {
    const directory = await temporaryDirectory({ "actions.yaml": yaml, "actions.graphql": sdl });
    const { metadata } = await readMetadataDirectory(directory);
    expect(metadata).toEqual({
      version: 3,
      actions: [
        {
          name: "signUp",
          definition: {
            kind: "synchronous",
            handler: "http://h",
            output_type: "Member!",
            arguments: [
              { name: "mail", type: "String!", description: "e-mail address" },
              { name: "tags", type: "[Tag!]" },
            ],
            type: "mutation",
          },
          permissions: [{ role: "reader" }],
          comment: "A new member",
        },
        {
          name: "search",
          definition: { handler: "http://h", output_type: "[Member]", type: "query" },
          comment: "from YAML",
        },
      ],
      custom_types: {
        input_objects: [{ name: "Extra", fields: [{ name: "a", type: "Int" }] }],
        objects: [
          {
            name: "Member",
            relationships: [{ name: "loans", type: "array", remote_table: "loan", field_mapping: { id: "member_id" } }],
            fields: [
              { name: "id", type: "uuid!" },
              { name: "name", type: "String", description: "full" },
            ],
          },
        ],
        scalars: [{ name: "Inline" }, { name: "Money" }],
        enums: [{ name: "Tag", values: [{ value: "NEW" }, { value: "OLD", description: "old", is_deprecated: true }] }],
      },
    });
  });

  it("Objects of actions.yaml and actions.graphql keep their locations", async () => {
    const directory = await temporaryDirectory({ "actions.yaml": yaml, "actions.graphql": sdl });
    const { locate } = await readMetadataDirectory(directory);
    const found = (path: string) => {
      const place = locate(path);
      return place && `${place.file.slice(directory.length + 1)}:${place.line}:${place.column}`;
    };
    expect(found("$.actions[0].definition.handler")).toBe("actions.yaml:6:16");
    expect(found("$.actions[0].definition.arguments[1].type")).toBe("actions.graphql:4:48");
    expect(found("$.actions[1].definition")).toBe("actions.yaml:11:7");
    expect(found("$.custom_types.objects[0].relationships[0].name")).toBe("actions.yaml:19:17");
    expect(found("$.custom_types.objects[0].fields[1].type")).toBe("actions.graphql:11:39");
    expect(found("$.custom_types.enums[0].values[1]")).toBe("actions.graphql:13:16");
  });

  it("actions.yaml and actions.graphql are each optional", async () => {
    const only = async (files: Readonly<Record<string, string>>) =>
      (await readMetadataDirectory(await temporaryDirectory(files))).metadata;
    expect(await only({ "actions.graphql": "# nothing\n\nscalar Money" })).toEqual({
      version: 3,
      custom_types: { scalars: [{ name: "Money" }] },
    });
    expect(await only({ "actions.graphql": "  # only a comment\n", "actions.yaml": "actions: []" })).toEqual({
      version: 3,
    });
    expect(
      await only({ "actions.yaml": "actions:\n- name: a\n  definition: { handler: h, output_type: Int }" }),
    ).toEqual({
      version: 3,
      actions: [{ name: "a", definition: { handler: "h", output_type: "Int" } }],
    });
    expect(await only({ "actions.yaml": "actions: none\ncustom_types: 5" })).toEqual({
      version: 3,
      actions: "none",
      custom_types: 5,
    });
  });

  it.each([
    ["wrong syntax", "type Query {\n  a: \n}", /^actions\.graphql:3:1: Syntax Error/],
    [
      "an action without handler",
      "type Query {\n  a: Int\n}",
      /^actions\.graphql:2:3: action "a" is missing in actions\.yaml, which must define its handler$/,
    ],
    [
      "an action twice",
      "type Query { a: Int }\ntype Mutation { a: Int }",
      /^actions\.graphql:2:17: action "a" is defined twice$/,
    ],
  ])("actions.graphql is refused for %s", async (_, text, message) => {
    expect(await failure({ "actions.graphql": text })).toMatch(message);
  });

  it.each([
    ["scalar S\ninterface I { a: Int }", 2, 'the interface "I" is left out'],
    ["extend type Member { a: Int }", 1, 'the object "Member" is left out'],
    ["union U = A | B", 1, 'the union "U" is left out'],
    ["directive @d on FIELD", 1, 'the directive "d" is left out'],
    ["schema { query: Query }", 1, "a definition of kind schema is left out"],
    ["{ a }", 1, "a definition of kind operation is left out"],
    ["input I {\na: Int = 1 }", 2, "the default value of a is left out: actions do not support them"],
    ["type A implements I { a: Int }", 1, "interfaces are left out: custom types cannot implement them"],
  ])("actions.graphql produces a warning for omitted definitions: %j", async (text, line, message) => {
    const folder = await temporaryDirectory({ "actions.graphql": `${text}\nscalar Kept` });
    const { metadata, warnings } = await readMetadataDirectory(folder);
    expect(warnings).toEqual([
      { file: join(folder, "actions.graphql"), line, column: 1, message: expect.stringContaining(message) },
    ]);
    expect(JSON.stringify(metadata)).toContain('{"name":"Kept"}');
  });
});
