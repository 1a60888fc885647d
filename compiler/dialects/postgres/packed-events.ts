/**
 * Packed events: the events of a statement that changes many rows are written together, column by column as JSON texts,
 * and are unpacked into rows of the event table when they are read. This costs less than half as much as one row for
 * each event, where `jsonb`, ids and indexes cause most of the cost.
 */
import { textLiteral } from "../../../runtime/model/dialects/postgres/quote.ts";
import { columnsOf, type RecordedColumn, type RecorderPlan } from "../recorder.ts";
import { columnValue, plain } from "./row-json.ts";

/** Smaller statements are not packed, so that their events are immediately visible in the event table. */
const maxUnpacked = 100;
const eventsPerPack = 1000;
/** In bytes. Packing wider rows saves nothing and needs memory. */
const maxRowBytes = 8000;
/** Unpacking more columns is no faster than writing the rows. */
const maxColumns = 100;

export interface PackedRows {
  /** Name of the transition table. */
  readonly rows: string;
  /** WHERE clause that selects rows with events; empty: all rows. */
  readonly where: string;
  /** SQL of session variables and trace context. */
  readonly settings: { readonly session: string; readonly trace: string };
}

/**
 * Returns PL/pgSQL that packs the events of a large statement and returns, or continues with the statements that write
 * them individually. Returns `undefined` if events of this trigger are never packed.
 */
export function packing(plan: RecorderPlan, { rows, where, settings }: PackedRows): string | undefined {
  const { table, trigger, operation, orderingKey, stringifyNumbers } = plan;
  const columns = columnsOf(table, plan.payload);
  // Ordered events are never packed: each gets its number when it is written.
  if (orderingKey !== undefined || columns.length === 0 || columns.length > maxColumns) return undefined;
  const literals = (texts: readonly string[]): string => texts.map(textLiteral).join(", ");
  const names = literals(columns.map(({ name }) => name));
  const arrays = columns.map((column) => `json_agg(${columnValue(column, "r", stringifyNumbers)})`).join(", ");
  const widths = columns.flatMap((column) => width(column, rows));
  return [
    `  if exists (select from ${rows}${where} offset ${maxUnpacked})`,
    // Such events contain all current columns, which may differ from the columns known to the engine.
    ...(plan.payload === "*" ? [`    and array[${names}] = array(${currentColumns})`] : []),
    "  then",
    "    begin",
    `      if ${widths.length === 0 ? "true" : `(select max(${widths.join(" + ")}) from ${rows}) <= ${maxRowBytes}`} then`,
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
    // This text must stay: recorders whose text differs are installed again.
    "      -- Whatever it was: one by one has fewer limits, or says what is wrong.",
    "    end;",
    "  end if;",
  ].join("\n");
}

const currentColumns =
  "select attname::text from pg_attribute where attrelid = tg_relid and attnum > 0 and not attisdropped order by attnum";

/** Returns SQL of a value's size in bytes, without reading values stored out of line. Small types are ignored. */
function width(column: RecordedColumn, row: string): readonly string[] {
  const { schema, name } = column.type.base ?? column.type;
  if (schema === "pg_catalog" && narrowTypes.has(name)) return [];
  const value = plain(column, row);
  if (schema === "pg_catalog" && plainTexts.has(name)) return [`coalesce(octet_length(${value}), 0)`];
  // The stored value may be compressed.
  return [`coalesce(8 * pg_column_size(${value}), 0)`];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const narrowTypes = words(
  "bool int2 int4 int8 float4 float8 money oid uuid date time timetz timestamp timestamptz interval name char macaddr macaddr8 inet cidr",
);
const plainTexts = words("text varchar bpchar bytea");
