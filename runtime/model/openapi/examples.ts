/** Example values of variables, valid for their types in every database. */
import type { InputTypeDef } from "../schema/types.ts";

const examples: Readonly<Record<string, unknown>> = {
  Int: 1,
  smallint: 1,
  bigint: 1,
  Float: 1.5,
  float8: 1.5,
  numeric: 1.5,
  String: "text",
  citext: "text",
  bpchar: "t",
  ID: "1",
  Boolean: true,
  uuid: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  date: "2024-02-29",
  timestamp: "2024-02-29T12:00:00",
  timestamptz: "2024-02-29T12:00:00+00:00",
  time: "12:00:00",
  timetz: "12:00:00+00:00",
  json: {},
  jsonb: {},
};

/**
 * Returns an example value for a variable; `undefined` if its type has none.
 * @param type the declared type
 * @param known the input type at the position where it is used
 */
export function exampleOf(type: string, known: InputTypeDef | undefined): unknown {
  const bare = type.replace(/!$/, "");
  if (bare.startsWith("[")) {
    const item = exampleOf(bare.slice(1, -1), known);
    return item === undefined ? undefined : [item];
  }
  switch (known?.kind) {
    case "enum":
      return [...known.values.keys()][0];
    case "input":
      return exampleObject(known.fields());
    default:
      if (known?.enumeration) return [...known.enumeration.values.keys()][0];
      return Object.hasOwn(examples, bare) ? examples[bare] : undefined;
  }
}

/** Returns an object with the required members. */
function exampleObject(
  fields: ReadonlyMap<
    string,
    { readonly type: () => InputTypeDef; readonly list: boolean; readonly required: boolean }
  >,
): unknown {
  const members: (readonly [string, unknown])[] = [];
  for (const [name, { type, list, required }] of fields) {
    if (!required) continue;
    const of = type();
    const value = exampleOf(list ? `[${of.name}]` : of.name, of);
    if (value === undefined) return undefined;
    members.push([name, value]);
  }
  return Object.fromEntries(members);
}
