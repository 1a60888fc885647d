/** The rows that a filter lets through, for a session that one types in. */
import { useState } from "preact/hooks";
import { countRows, type Row, selectRows, type TablePlace } from "../../http/data-api.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { cellText } from "../../parts/cell-text.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { TextField } from "../../parts/field.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { isObject, sessionVariablesIn, withSession } from "./conditions.ts";

interface TryRowsProps {
  readonly place: TablePlace;
  readonly filter: Json;
  /** That the role may read. */
  readonly columns: readonly string[];
}

const mostRows = 50;

export function TryRows({ place, filter, columns }: TryRowsProps) {
  const [session, setSession] = useState<Readonly<Record<string, string>>>({});
  const names = sessionVariablesIn(filter);
  const missing = names.filter((name) => (session[name] ?? "") === "");
  return (
    <div class="with-head">
      <div class="stack try-session">
        <p class="muted">
          {names.length === 0
            ? "The filter asks for no session variable: these rows pass for everybody of the role."
            : "Rows that pass for a session with these variables:"}
        </p>
        {names.length > 0 && (
          <div class="form-grid">
            {names.map((name) => (
              <TextField
                key={name}
                label={name}
                isCode
                value={session[name] ?? ""}
                onInput={(value) => setSession({ ...session, [name]: value })}
              />
            ))}
          </div>
        )}
      </div>
      {missing.length > 0 ? (
        <Empty title={`Type in ${missing.join(", ")} to see the rows.`} />
      ) : (
        <Rows place={place} where={withSession(filter, session)} columns={columns} />
      )}
    </div>
  );
}

const [everyRow, noRow]: readonly [JsonObject, JsonObject] = [{}, { _or: [] }];

/** With the answer in place of each question whether a row exists: it is the same for all rows that are filtered. */
async function withoutExists(place: TablePlace, filter: JsonObject): Promise<JsonObject> {
  const parts = Object.entries(filter).map(async ([name, value]): Promise<JsonObject> => {
    if (name === "_exists" && isObject(value) && isObject(value._table) && isObject(value._where)) {
      const { schema, name: table } = value._table;
      const other = { ...place, table: { schema: String(schema), name: String(table) } };
      return (await countRows(other, await withoutExists(other, value._where))) > 0 ? everyRow : noRow;
    }
    if (Array.isArray(value)) {
      const items: readonly Json[] = value;
      const resolved = items.map((item) => (isObject(item) ? withoutExists(place, item) : item));
      return { [name]: await Promise.all(resolved) };
    }
    return { [name]: isObject(value) ? await withoutExists(place, value) : value };
  });
  const [only, ...others] = await Promise.all(parts);
  return others.length === 0 ? (only ?? everyRow) : { _and: [only ?? everyRow, ...others] };
}

interface RowsProps {
  readonly place: TablePlace;
  readonly where: Json;
  readonly columns: readonly string[];
}

function Rows({ place, where, columns }: RowsProps) {
  const filter = (where ?? {}) as JsonObject;
  const load = async (): Promise<{ readonly rows: readonly Row[]; readonly count: number; readonly all: number }> => {
    const resolved = await withoutExists(place, filter);
    const [rows, count, all] = await Promise.all([
      selectRows(place, { where: resolved, limit: mostRows }),
      countRows(place, resolved),
      countRows(place, {}),
    ]);
    return { rows, count, all };
  };
  const { value, error } = useLoaded(load, JSON.stringify([place, where]));
  if (error !== null) {
    return (
      <div class="try-session">
        <ErrorBox error={error} />
        <p class="muted">Filters that compare columns can be saved, and cannot be tried here.</p>
      </div>
    );
  }
  if (!value) return <Loading what="rows" />;
  const shown = columns.length > 0 ? columns : Object.keys(value.rows[0] ?? {});
  return (
    <div class="with-head">
      <p class="result-facts" role="status">
        <strong>{`${value.count} of ${value.all} rows pass`}</strong>
        {value.count > mostRows && <span>{`the first ${mostRows} are shown`}</span>}
      </p>
      <DataTable
        label="Rows that pass"
        rows={value.rows}
        keyOf={(_row, index) => index}
        columns={shown.map((name) => ({
          key: name,
          title: <bdi>{name}</bdi>,
          width: 160,
          cell: (row: Row) => <bdi>{cellText(row[name])}</bdi>,
        }))}
        empty={<Empty title="No row passes." />}
      />
    </div>
  );
}
