/** Builds the SQL for the JSON of a row's delivered columns. */
import { postgres } from "../../../runtime/model/dialects/postgres/dialect.ts";
import { textLiteral } from "../../../runtime/model/dialects/postgres/quote.ts";
import { builtInType } from "../../../runtime/model/dialects/postgres/scalars.ts";
import type { TypeRef } from "../../shape/shape.ts";
import { columnsOf, type RecordedColumn, type RecorderPlan } from "../recorder.ts";

type RowPlan = Pick<RecorderPlan, "table" | "payload" | "stringifyNumbers">;

const quote = (name: string): string => postgres.quoteIdentifier(name);

/**
 * Returns SQL for the row as `jsonb`, as a whole if possible, so that dropping a column does not break writes.
 * @param row alias of the row
 */
export function rowJson({ table, payload, stringifyNumbers }: RowPlan, row: string): string {
  const columns = columnsOf(table, payload);
  const value = (column: RecordedColumn) => columnValue(column, row, stringifyNumbers);
  if (payload !== "*" || columns.some(isOwnedByOthers)) {
    return objectJson(columns.map((column) => [column, storable(column, value(column))]));
  }
  const special = columns.flatMap((column): [RecordedColumn, string][] =>
    value(column) === field(column, row) ? [] : [[column, value(column)]],
  );
  const whole = columns.some(mayHoldJson) ? `engine_catalog.event_json(row_to_json(${row}.*))` : `to_jsonb(${row}.*)`;
  return special.length === 0 ? whole : `${whole} || ${objectJson(special)}`;
}

const field = ({ name }: RecordedColumn, row: string): string => `${row}.${quote(name)}`;

/** Returns the value of a column. Expressions of virtual columns name other columns without qualification. */
export const plain = (column: RecordedColumn, row: string): string =>
  column.virtual === undefined ? field(column, row) : `(select ${column.virtual} from (select ${row}.*) as t)`;

/** Returns the value of a column as it is delivered. */
export function columnValue(column: RecordedColumn, row: string, stringifyNumbers: boolean): string {
  const value = plain(column, row);
  const { schema, name, category } = column.type.base ?? column.type;
  if (isOwnedByOthers(column)) return outputText(column, value);
  if (schema !== "pg_catalog" && category === "base" && (name === "geometry" || name === "geography")) {
    return `${quote(schema)}.st_asgeojson(${value}, 15, 4)::jsonb`;
  }
  return stringifyNumbers && schema === "pg_catalog" && isWideNumber(name) ? `${value}::text` : value;
}

/** Returns the value as JSON, with numbers unchanged. */
export const jsonPart = (column: RecordedColumn, row: string): string =>
  isOwnedByOthers(column) ? outputText(column, plain(column, row)) : storable(column, plain(column, row));

const isOwnedByOthers = ({ type }: RecordedColumn): boolean => elementaryType(type).ownedByOthers === true;

/**
 * Returns the output of the type's output function; for an array, a list of texts. `to_json` and `::text` would call a
 * cast defined by the owner of the type, with the rights of the recorder's owner.
 */
function outputText({ type }: RecordedColumn, value: string): string {
  const isArray = (type.base ?? type).element !== undefined;
  return `case when ${value} is not null then format('%s', ${value})${isArray ? "::text[]" : ""} end`;
}

/** Returns true for a type of numbers that events contain as strings if `stringifyNumbers` is set. */
function isWideNumber(name: string): boolean {
  const { recorded, wide } = builtInType(name) ?? {};
  return wide === true && recorded !== undefined;
}

/**
 * Returns SQL for a storable value: `jsonb` rejects some texts that `json` accepts, and recording must not make a write
 * fail.
 */
function storable(column: RecordedColumn, value: string): string {
  return mayHoldJson(column) ? `engine_catalog.event_json(to_json(${value}))` : value;
}

/** Returns true if values may contain values of type `json`. */
function mayHoldJson({ type }: RecordedColumn): boolean {
  const { schema, name, category } = elementaryType(type);
  return category === "composite" || (schema === "pg_catalog" && name === "json");
}

/** A function takes at most 100 arguments. */
const membersPerCall = 50;

function objectJson(members: readonly (readonly [RecordedColumn, string])[]): string {
  const calls: string[] = [];
  for (let from = 0; from < members.length; from += membersPerCall) {
    const slice = members.slice(from, from + membersPerCall);
    const pairs = slice.map(([{ name }, value]) => `        ${textLiteral(name)}, ${value}`);
    calls.push(`jsonb_build_object(\n${pairs.join(",\n")}\n      )`);
  }
  return calls.join(" || ");
}

/** Returns the innermost type: the element type of arrays, and the base type of domains. */
export function elementaryType(type: TypeRef): TypeRef {
  const inner = type.element ?? type.base;
  return inner === undefined ? type : elementaryType(inner);
}
