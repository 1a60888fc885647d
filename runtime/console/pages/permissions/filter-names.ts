/** Names that a row filter can use: columns, and relationships to tables of the same source. */
import { type ColumnInfo, describeTable, type TableInfo, type TableLocation } from "../../http/data-api.ts";
import type { Json, JsonObject, QualifiedName, Table } from "../../http/metadata-types.ts";
import { defaultSchemaOf } from "../../parts/table-name.ts";
import { useLoaded } from "../../parts/use-loaded.ts";
import { tableNamed } from "../../state/metadata.ts";
import { isObject } from "./conditions.ts";

interface RelatedTable {
  readonly name: string;
  readonly table: QualifiedName;
}

export interface TableNames {
  readonly columns: readonly ColumnInfo[];
  readonly relationships: readonly RelatedTable[];
}

interface LoadedNames {
  /** `null` until loaded, and for a missing table. */
  readonly names: TableNames | null;
  readonly error: unknown;
  readonly isLoading: boolean;
}

export function useTableNames(location: TableLocation): LoadedNames {
  const { value, error, isLoading } = useLoaded(() => describeTable(location), JSON.stringify(location));
  const { schema, name } = location.table;
  const table = tableNamed(location.source, schema, name);
  if (!value) return { names: null, error, isLoading };
  const relationships = table ? relatedTables(location.kind, table, value) : [];
  return { names: { columns: value.columns, relationships }, error, isLoading };
}

function relatedTables(kind: string, table: Table, info: TableInfo): readonly RelatedTable[] {
  const all = [...(table.object_relationships ?? []), ...(table.array_relationships ?? [])];
  return all.flatMap(({ name, using }) => {
    const target = targetOf(kind, using, info);
    return target ? [{ name, table: target }] : [];
  });
}

function targetOf(kind: string, using: JsonObject, info: TableInfo): QualifiedName | null {
  const { manual_configuration: manual, foreign_key_constraint_on: key } = using;
  if (isObject(manual)) return nameOf(kind, manual.remote_table);
  if (isObject(key)) return nameOf(kind, key.table);
  const columns = Array.isArray(key) ? key : [key];
  const found = Object.values(info.foreign_keys ?? {}).find(({ column_mapping: mapping }) => {
    const own = Object.keys(mapping);
    return own.length === columns.length && own.every((column) => columns.includes(column));
  });
  return found?.foreign_table ?? null;
}

function nameOf(kind: string, given: Json | undefined): QualifiedName | null {
  if (typeof given === "string") return { schema: defaultSchemaOf(kind), name: given };
  if (!isObject(given) || typeof given.name !== "string") return null;
  return { schema: typeof given.schema === "string" ? given.schema : defaultSchemaOf(kind), name: given.name };
}
