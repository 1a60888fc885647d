/** Describes relationships in words: the number of rows, their table, and the joined columns. */
import type { TableInfo } from "../../../http/data-api.ts";
import type { Json, JsonObject, QualifiedName, Table } from "../../../http/metadata-types.ts";

export interface Meaning {
  readonly amount: "one" | "many";
  /** Related table; `null` if the description of the table does not name it. */
  readonly table: QualifiedName | null;
  /** Name of the other source or remote schema; `null` within one source. */
  readonly elsewhere: string | null;
  /** Path of fields in a remote schema; `null` for tables. */
  readonly field: string | null;
  /** Condition, such as `by author_id`. */
  readonly by: string;
}

export interface ShownRelationship {
  readonly name: string;
  readonly type: "object" | "array" | "remote";
  /** Definition as in the metadata: `using` or `definition`. */
  readonly definition: JsonObject;
  readonly comment?: string;
}

export const relationshipsOf = (table: Table): readonly ShownRelationship[] => [
  ...(table.object_relationships ?? []).map(({ using, ...rest }) => ({
    ...rest,
    type: "object" as const,
    definition: using,
  })),
  ...(table.array_relationships ?? []).map(({ using, ...rest }) => ({
    ...rest,
    type: "array" as const,
    definition: using,
  })),
  ...(table.remote_relationships ?? []).map(({ name, definition }) => ({
    name: String(name),
    type: "remote" as const,
    definition: objectOf(definition),
  })),
];

const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

const namesOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === "string" ? [value] : [];

function tableOf(value: Json | undefined): QualifiedName | null {
  if (typeof value === "string") return { schema: "", name: value };
  const { schema, name } = objectOf(value);
  return typeof name === "string" ? { schema: typeof schema === "string" ? schema : "", name } : null;
}

const equal = (mapping: Json | undefined): string =>
  Object.entries(objectOf(mapping))
    .map(([own, other]) => `${own} = ${String(other)}`)
    .join(" and ");

/** @param info description of the table, which names the targets of its foreign keys */
export function meaningOf({ type, definition }: ShownRelationship, info: TableInfo | null): Meaning {
  if (type === "remote") return remoteMeaning(definition);
  const amount = type === "object" ? "one" : "many";
  const local = { amount, elsewhere: null, field: null } as const;
  const manual = objectOf(definition.manual_configuration);
  if (definition.manual_configuration !== undefined) {
    return { ...local, table: tableOf(manual.remote_table), by: `where ${equal(manual.column_mapping)}` };
  }
  const key = definition.foreign_key_constraint_on;
  const { table, column, columns } = objectOf(key);
  if (table !== undefined) {
    return { ...local, table: tableOf(table), by: `by its ${namesOf(column ?? columns).join(", ")}` };
  }
  const own = namesOf(key);
  return { ...local, table: targetOf(own, info), by: `by ${own.join(", ")}` };
}

/** Returns the table that a foreign key of these columns references; `null` if it is not known. */
function targetOf(columns: readonly string[], info: TableInfo | null): QualifiedName | null {
  const keys = Object.values(info?.foreign_keys ?? {});
  const found = keys.find(({ column_mapping: mapping }) => {
    const names = Object.keys(mapping);
    return names.length === columns.length && names.every((name) => columns.includes(name));
  });
  return found?.foreign_table ?? null;
}

function remoteMeaning(definition: JsonObject): Meaning {
  const source = objectOf(definition.to_source);
  if (definition.to_source !== undefined) {
    return {
      amount: source.relationship_type === "array" ? "many" : "one",
      table: tableOf(source.table),
      elsewhere: String(source.source),
      field: null,
      by: `where ${equal(source.field_mapping)}`,
    };
  }
  // The older form has its members at the top level.
  const schema = definition.to_remote_schema === undefined ? definition : objectOf(definition.to_remote_schema);
  const by = namesOf(schema.lhs_fields ?? schema.engine_fields).join(", ");
  return {
    amount: "one",
    table: null,
    elsewhere: String(schema.remote_schema),
    field: pathOf(schema.remote_field),
    by: by === "" ? "" : `by ${by}`,
  };
}

function pathOf(field: Json | undefined): string {
  const [first] = Object.entries(objectOf(field));
  if (!first) return "";
  const nested = pathOf(objectOf(first[1]).field);
  return nested === "" ? first[0] : `${first[0]}.${nested}`;
}

/**
 * Returns the table at the other side of a junction table: one whose primary key consists of two foreign keys. `null` for
 * other tables.
 */
export function acrossJunction(junction: TableInfo, from: QualifiedName): QualifiedName | null {
  const primary = junction.primary_key ?? [];
  const keys = Object.values(junction.foreign_keys ?? {}).filter(({ column_mapping: mapping }) =>
    Object.keys(mapping).every((column) => primary.includes(column)),
  );
  const [first, second] = keys;
  if (!first || !second || keys.length > 2) return null;
  const covered = new Set([...Object.keys(first.column_mapping), ...Object.keys(second.column_mapping)]);
  if (covered.size !== primary.length) return null;
  const isOwn = ({ foreign_table: { schema, name } }: typeof first): boolean =>
    schema === from.schema && name === from.name;
  if (isOwn(first)) return second.foreign_table;
  return isOwn(second) ? first.foreign_table : null;
}
