/**
 * The events of a statement of many rows are written together, column by column as JSON texts, and become rows of the
 * table of events when somebody looks for them. Such a statement costs less than half as much as one that writes a row
 * per event, of which most is for `jsonb`, ids and indexes.
 */
import { textLiteral } from "../../../runtime/model/dialects/postgres/quote.ts";
import { columnsOf, type RecordedColumn, type RecorderPlan } from "../recorder.ts";
import { columnValue, plain } from "./row-json.ts";

/** Whoever looks into the table of events finds those of smaller statements there at once. */
const mostUnpacked = 100;
const eventsPerPack = 1000;
/** In bytes: wider rows gain nothing, and a pack of them would take memory. */
const widestRow = 8000;
/** More are unpacked no faster than they are written. */
const mostColumns = 100;

export interface PackedRows {
  /** What the rows of the statement are called. */
  readonly rows: string;
  /** Clause that chooses those with events; empty: all. */
  readonly where: string;
  /** SQL of what the transaction knows. */
  readonly settings: { readonly session: string; readonly trace: string };
}

/**
 * Packs the events of a statement, if there are many and packing them loses nothing; else goes on to what follows, which
 * writes them one by one. `undefined`: never.
 */
export function packing(plan: RecorderPlan, { rows, where, settings }: PackedRows): string | undefined {
  const { table, trigger, operation, orderingKey, stringifyNumbers } = plan;
  const columns = columnsOf(table, plan.payload);
  // Ordered events have their numbers from the moment in which they are written.
  if (orderingKey !== undefined || columns.length === 0 || columns.length > mostColumns) return undefined;
  const literals = (texts: readonly string[]): string => texts.map(textLiteral).join(", ");
  const names = literals(columns.map(({ name }) => name));
  const arrays = columns.map((column) => `json_agg(${columnValue(column, "r", stringifyNumbers)})`).join(", ");
  const widths = columns.flatMap((column) => width(column, rows));
  return [
    `  if exists (select from ${rows}${where} offset ${mostUnpacked})`,
    // Whoever changed the table has not told anybody: rows as a whole have the columns that there are now.
    ...(plan.payload === "*" ? [`    and array[${names}] = array(${currentColumns})`] : []),
    "  then",
    "    begin",
    `      if ${widths.length === 0 ? "true" : `(select max(${widths.join(" + ")}) from ${rows}) <= ${widestRow}`} then`,
    "        insert into engine_catalog.packed_events (schema_name, table_name, trigger_name, op, session_variables,",
    "          trace_context, events, column_names, column_values)",
    `        select ${literals([table.schema, table.name, trigger, operation])},`,
    `          ${settings.session},`,
    `          ${settings.trace},`,
    `          count(*), array[${names}],`,
    `          array[${arrays}]`,
    `        from (select ${rows}.*, (row_number() over () - 1) / ${eventsPerPack} as "engine pack" from ${rows}${where}) r`,
    `        group by r."engine pack";`,
    "        return null;",
    "      end if;",
    "    exception when others then",
    "      -- Whatever it was: one by one has fewer limits, or says what is wrong.",
    "    end;",
    "  end if;",
  ].join("\n");
}

const currentColumns =
  "select attname::text from pg_attribute where attrelid = tg_relid and attnum > 0 and not attisdropped order by attnum";

/** Bytes of a value, without reading what is stored elsewhere. Types of few bytes do not count. */
function width(column: RecordedColumn, row: string): readonly string[] {
  const { schema, name } = column.type.base ?? column.type;
  if (schema === "pg_catalog" && narrowTypes.has(name)) return [];
  const value = plain(column, row);
  if (schema === "pg_catalog" && plainTexts.has(name)) return [`coalesce(octet_length(${value}), 0)`];
  // May be compressed.
  return [`coalesce(8 * pg_column_size(${value}), 0)`];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const narrowTypes = words(
  "bool int2 int4 int8 float4 float8 money oid uuid date time timetz timestamp timestamptz interval name char macaddr macaddr8 inet cidr",
);
const plainTexts = words("text varchar bpchar bytea");
