/** The columns of a row that are delivered → SQL of their JSON. */
import { postgres } from "../../../runtime/model/dialects/postgres/dialect.ts";
import { textLiteral } from "../../../runtime/model/dialects/postgres/quote.ts";
import { columnsOf, type RecordedColumn, type RecorderPlan } from "../recorder.ts";
import { elementaryType } from "./elementary-type.ts";

type RowPlan = Pick<RecorderPlan, "table" | "payload" | "stringifyNumbers">;

const quote = (name: string): string => postgres.quoteIdentifier(name);

/**
 * The row as `jsonb`, as a whole where it can be: then a column that is dropped does not stop writes.
 * @param row what it is called
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

/** The value of a column; expressions name other columns without their table. */
export const plain = (column: RecordedColumn, row: string): string =>
  column.virtual === undefined ? field(column, row) : `(select ${column.virtual} from (select ${row}.*) as t)`;

/** The value of a column as it is delivered. */
export function columnValue(column: RecordedColumn, row: string, stringifyNumbers: boolean): string {
  const value = plain(column, row);
  const { schema, name, category } = column.type.base ?? column.type;
  if (isOwnedByOthers(column)) return outputText(column, value);
  if (schema !== "pg_catalog" && category === "base" && (name === "geometry" || name === "geography")) {
    return `${quote(schema)}.st_asgeojson(${value}, 15, 4)::jsonb`;
  }
  return stringifyNumbers && schema === "pg_catalog" && wideNumbers.has(name) ? `${value}::text` : value;
}

/** The value as a part of JSON, numbers as they are. */
export const jsonPart = (column: RecordedColumn, row: string): string =>
  isOwnedByOthers(column) ? outputText(column, plain(column, row)) : storable(column, plain(column, row));

const isOwnedByOthers = ({ type }: RecordedColumn): boolean => elementaryType(type).ownedByOthers === true;

/**
 * What the type's output function writes, an array as texts. `to_json` and `::text` would call a cast that the owner of
 * the type has defined, with the rights of the owner of the recorder.
 */
function outputText({ type }: RecordedColumn, value: string): string {
  const isArray = (type.base ?? type).element !== undefined;
  return `case when ${value} is not null then format('%s', ${value})${isArray ? "::text[]" : ""} end`;
}

const wideNumbers: ReadonlySet<string> = new Set(["int8", "numeric", "float8"]);

/** `jsonb` refuses some texts that `json` takes, and no write may fail for that. */
function storable(column: RecordedColumn, value: string): string {
  return mayHoldJson(column) ? `engine_catalog.event_json(to_json(${value}))` : value;
}

/** Whether values contain values of type `json`, as far as it can be known. */
function mayHoldJson({ type }: RecordedColumn): boolean {
  const { schema, name, category } = elementaryType(type);
  return category === "composite" || (schema === "pg_catalog" && name === "json");
}

/** A function takes 100 arguments at most. */
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
