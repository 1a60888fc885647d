/** Editors of columns: the control that fits a column's type, its enum values or the table that it references. */
import {
  type ColumnInfo,
  describeTable,
  selectRows,
  type TableInfo,
  type TableLocation,
} from "../../../http/data-api.ts";
import type { Choice } from "../../../parts/field.tsx";
import { useLoaded } from "../../../parts/use-loaded.ts";
import { tableNamed } from "../../../state/metadata.ts";
import { isArrayType } from "../typed-value.ts";

export interface Reference {
  readonly table: TableLocation;
  /** The referenced column. */
  readonly column: string;
}

export type Editor =
  | { readonly kind: PlainKind }
  | { readonly kind: "choice"; readonly choices: readonly Choice<string>[] }
  | { readonly kind: "reference"; readonly reference: Reference };

type PlainKind = "text" | "number" | "boolean" | "date" | "long" | "json";

export type Editors = ReadonlyMap<string, Editor>;

/** Maximum number of values of an enum table. */
const maxChoices = 500;

const longTypes = /^(?:text|xml|ntext|n?varchar\(max\))$/i;

/** Returns the editor of a column by its type only. */
export function editorOfType({ type, value, enum_values: values }: ColumnInfo): Editor {
  if (values) return { kind: "choice", choices: values.map((each) => ({ value: each, label: each })) };
  if (isArrayType(type) || value === "json") return { kind: "json" };
  if (value === "boolean" || value === "number") return { kind: value };
  if (type === "date") return { kind: "date" };
  return { kind: longTypes.test(type) ? "long" : "text" };
}

/** Returns the table that a column alone references; `null` if none. */
function referenceOf(location: TableLocation, info: TableInfo, column: string): Reference | null {
  for (const { foreign_table: table, column_mapping: mapping } of Object.values(info.foreign_keys ?? {})) {
    const [pair, ...others] = Object.entries(mapping);
    if (pair?.[0] !== column || others.length > 0) continue;
    const { source, kind } = location;
    return { table: { source, kind, table }, column: pair[1] };
  }
  return null;
}

/** Returns true if the metadata declares the table as an enum. */
const isEnumTable = ({ source, table: { schema, name } }: TableLocation): boolean =>
  tableNamed(source, schema, name)?.is_enum === true;

/** Returns the editors of all columns. The values of enum tables are read first; until then, their columns are text. */
export function useEditors(location: TableLocation, info: TableInfo): Editors {
  const { value } = useLoaded(() => editorsOf(location, info), JSON.stringify(location));
  return value ?? new Map(info.columns.map((column) => [column.name, editorOfType(column)]));
}

async function editorsOf(location: TableLocation, info: TableInfo): Promise<Editors> {
  const entries = info.columns.map(async (column): Promise<readonly [string, Editor]> => {
    const reference = referenceOf(location, info, column.name);
    const { table } = reference?.table ?? {};
    if (!reference || !table || !tableNamed(location.source, table.schema, table.name)) {
      return [column.name, editorOfType(column)];
    }
    if (!isEnumTable(reference.table)) return [column.name, { kind: "reference", reference }];
    const choices = await enumChoices(reference);
    return [column.name, choices ? { kind: "choice", choices } : { kind: "reference", reference }];
  });
  return new Map(await Promise.all(entries));
}

/** Returns the values of an enum table with their comments; `null` if it cannot be read. */
async function enumChoices({ table, column }: Reference): Promise<readonly Choice<string>[] | null> {
  try {
    const rows = await selectRows(table, { limit: maxChoices, order_by: [{ column, type: "asc" }] });
    return rows.map((row) => {
      const value = String(row[column]);
      const comment = Object.entries(row).find(([name, each]) => name !== column && typeof each === "string")?.[1];
      return { value, label: comment === undefined ? value : `${value}: ${comment}` };
    });
  } catch {
    return null;
  }
}

// Rows of a referenced table, found by a text column.

export interface ReferencedRow {
  /** The referenced value. */
  readonly key: string;
  /** Value of the text column; `null` if the table has none. */
  readonly label: string | null;
}

const descriptions = new Map<string, Promise<TableInfo | null>>();

function described(table: TableLocation): Promise<TableInfo | null> {
  const key = JSON.stringify(table);
  const known = descriptions.get(key);
  if (known) return known;
  const found = describeTable(table);
  descriptions.set(key, found);
  found.catch(() => descriptions.delete(key));
  return found;
}

const usualLabels = /^(?:name|title|label|full_?name|display_?name|e?mail|username|subject|code)$/i;

/** Returns the column that describes rows of a table to a reader. */
function labelColumn({ columns }: TableInfo, key: string): ColumnInfo | undefined {
  const texts = columns.filter(({ name, value, type, operators }) => {
    const isText = value === "text" && /char|text/i.test(type) && !isArrayType(type);
    return name !== key && isText && operators.some((each) => each.name === "_like");
  });
  return texts.find(({ name }) => usualLabels.test(name)) ?? texts[0];
}

const maxFound = 20;

/** Escapes the wildcards of LIKE, so that they match themselves. */
const literalPattern = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/**
 * Finds rows whose text column contains the text, or whose key equals it.
 * @throws ApiError
 */
export async function findReferenced(
  { table, column }: Reference,
  text: string,
  signal: AbortSignal,
): Promise<readonly ReferencedRow[]> {
  const info = await described(table);
  const key = info?.columns.find(({ name }) => name === column);
  if (!info || !key) return [];
  const label = labelColumn(info, column);
  const conditions = [
    ...(label ? [{ [label.name]: { [likeOperator(label)]: `%${literalPattern(text)}%` } }] : []),
    ...(key.value === "number" ? (/^-?\d{1,18}$/.test(text) ? [{ [column]: { _eq: text } }] : []) : []),
    ...(key.value === "text" && /char|text/i.test(key.type)
      ? [{ [column]: { [likeOperator(key)]: `%${literalPattern(text)}%` } }]
      : []),
  ];
  const where = text === "" ? {} : { _or: conditions };
  const columns = label ? [column, label.name] : [column];
  const order_by = [{ column: label?.name ?? column, type: "asc" as const }];
  const rows = await selectRows(table, { columns, where, order_by, limit: maxFound }, signal);
  return rows.map((row) => ({
    key: textOf(row[column]),
    label: label && row[label.name] !== null ? textOf(row[label.name]) : null,
  }));
}

const likeOperator = ({ operators }: ColumnInfo): string =>
  operators.some(({ name }) => name === "_ilike") ? "_ilike" : "_like";

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
