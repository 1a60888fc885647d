/** Rows that match a filter with the entered session variables. */
import { useState } from "preact/hooks";
import { countRows, type Row, selectRows, type TableLocation } from "../../http/data-api.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { cellText } from "../../parts/cell-text.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { TextField } from "../../parts/field.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { isObject, sessionVariablesIn, withSession } from "./conditions.ts";

interface TryRowsProps {
  readonly location: TableLocation;
  readonly filter: Json;
  /** Columns to show; all columns if empty. */
  readonly columns: readonly string[];
}

const maxRows = 50;

export function MatchingRows({ location, filter, columns }: TryRowsProps) {
  const [session, setSession] = useState<Readonly<Record<string, string>>>({});
  const names = sessionVariablesIn(filter);
  const missing = names.filter((name) => (session[name] ?? "") === "");
  return (
    <div class="with-head">
      <div class="stack try-session">
        <p class="muted">
          {names.length === 0
            ? "The filter uses no session variables: the same rows match for every session."
            : "Session variables of the preview:"}
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
        <Empty title={`Enter ${missing.join(", ")} to show matching rows`} />
      ) : (
        <Rows location={location} where={withSession(filter, session)} columns={columns} />
      )}
    </div>
  );
}

const [everyRow, noRow]: readonly [JsonObject, JsonObject] = [{}, { _or: [] }];

/** Replaces each `_exists` with its result, which is the same for all filtered rows. */
async function withoutExists(location: TableLocation, filter: JsonObject): Promise<JsonObject> {
  const parts = Object.entries(filter).map(async ([name, value]): Promise<JsonObject> => {
    if (name === "_exists" && isObject(value) && isObject(value._table) && isObject(value._where)) {
      const { schema, name: table } = value._table;
      const other = { ...location, table: { schema: String(schema), name: String(table) } };
      return (await countRows(other, await withoutExists(other, value._where))) > 0 ? everyRow : noRow;
    }
    if (Array.isArray(value)) {
      const items: readonly Json[] = value;
      const resolved = items.map((item) => (isObject(item) ? withoutExists(location, item) : item));
      return { [name]: await Promise.all(resolved) };
    }
    return { [name]: isObject(value) ? await withoutExists(location, value) : value };
  });
  const [only, ...others] = await Promise.all(parts);
  return others.length === 0 ? (only ?? everyRow) : { _and: [only ?? everyRow, ...others] };
}

interface RowsProps {
  readonly location: TableLocation;
  readonly where: Json;
  readonly columns: readonly string[];
}

function Rows({ location, where, columns }: RowsProps) {
  const filter = (where ?? {}) as JsonObject;
  const load = async (): Promise<{ readonly rows: readonly Row[]; readonly count: number; readonly all: number }> => {
    const resolved = await withoutExists(location, filter);
    const [rows, count, all] = await Promise.all([
      selectRows(location, { where: resolved, limit: maxRows }),
      countRows(location, resolved),
      countRows(location, {}),
    ]);
    return { rows, count, all };
  };
  const { value, error } = useLoaded(load, JSON.stringify([location, where]));
  if (error !== null) {
    return (
      <div class="try-session">
        <ErrorBox error={error} />
        <p class="muted">Filters that compare columns can be saved but not previewed.</p>
      </div>
    );
  }
  if (!value) return <Loading item="rows" />;
  const shown = columns.length > 0 ? columns : Object.keys(value.rows[0] ?? {});
  return (
    <div class="with-head">
      <p class="result-facts" role="status">
        <strong>{`${value.count} of ${value.all} rows match`}</strong>
        {value.count > maxRows && <span>{`Showing the first ${maxRows}`}</span>}
      </p>
      <DataTable
        label="Matching rows"
        rows={value.rows}
        keyOf={(_row, index) => index}
        columns={shown.map((name) => ({
          key: name,
          title: <bdi>{name}</bdi>,
          width: 160,
          cell: (row: Row) => <bdi>{cellText(row[name])}</bdi>,
        }))}
        empty={<Empty title="No matching rows" />}
      />
    </div>
  );
}
