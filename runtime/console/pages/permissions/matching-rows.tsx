/** Rows that match a filter with the entered session variables, or that the role can read now. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { countRows, type Row, selectRows, type TableLocation } from "../../http/data-api.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { readableAsRole, rowsOfRole } from "../../http/role-rows-api.ts";
import { Button } from "../../parts/button.tsx";
import { cellText } from "../../parts/cell-text.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { resourceVersion } from "../../state/metadata.ts";
import { isObject, sessionVariablesIn, withSession } from "./conditions.ts";
import { previewSession, setPreviewVariable } from "./preview-session.ts";

interface MatchingRowsProps {
  readonly location: TableLocation;
  readonly role: string;
  /** Filter of the draft; `null` without a permission. */
  readonly filter: Json;
  /** Columns to show; all columns if empty. */
  readonly columns: readonly string[];
}

const maxRows = 50;

type Mode = "draft" | "role";

export function MatchingRows({ location, role, filter, columns }: MatchingRowsProps) {
  const [mode, setMode] = useState<Mode>("draft");
  const session = previewSession.value;
  const names = sessionVariablesIn(filter);
  const missing = names.filter((name) => (session[name] ?? "") === "");
  const isPermitted = filter !== null;
  return (
    <div class="with-head">
      <div class="stack try-session">
        {readableAsRole.has(location.kind) && (
          <div class="connective-switch">
            <Button kind="quiet" pressed={mode === "draft"} onClick={() => setMode("draft")}>
              Filter of this form
            </Button>
            <Button kind="quiet" pressed={mode === "role"} onClick={() => setMode("role")}>
              {`View as ${role}`}
            </Button>
          </div>
        )}
        <Session names={names} isFree={mode === "role"} />
      </div>
      {mode === "role" ? (
        <RoleRows location={location} role={role} session={session} />
      ) : !isPermitted ? (
        <Empty title="No rows match without a permission" />
      ) : missing.length > 0 ? (
        <Empty title={`Enter ${missing.join(", ")} to show matching rows`} />
      ) : (
        <FilteredRows location={location} where={withSession(filter, session)} columns={columns} />
      )}
    </div>
  );
}

interface SessionProps {
  /** Session variables of the filter. */
  readonly names: readonly string[];
  /** True to offer further variables. */
  readonly isFree: boolean;
}

function Session({ names, isFree }: SessionProps) {
  const [added, setAdded] = useState("");
  const session = previewSession.value;
  const shown = isFree ? [...new Set([...names, ...Object.keys(session)])] : names;
  const name = added.trim().toLowerCase();
  const isValid = /^x-engine-[a-z0-9-]+$/.test(name) && name !== "x-engine-role";
  return (
    <>
      <p class="muted">
        {shown.length === 0
          ? "The filter uses no session variables: the same rows match for every session."
          : "Session variables of the preview:"}
      </p>
      {shown.length > 0 && (
        <div class="form-grid">
          {shown.map((each) => (
            <TextField
              key={each}
              label={each}
              isCode
              value={session[each] ?? ""}
              onInput={(value) => setPreviewVariable(each, value)}
            />
          ))}
        </div>
      )}
      {isFree && (
        <Form
          class="row"
          onSubmit={() => {
            if (!isValid) return;
            setPreviewVariable(name, session[name] ?? "");
            setAdded("");
          }}
        >
          <TextField
            label="Name of another session variable"
            isBare
            isCode
            placeholder="x-engine-…"
            error={added === "" || isValid ? null : "Enter a name that begins with x-engine-."}
            value={added}
            onInput={setAdded}
          />
          <Button icon="add" type="submit" unavailable={!isValid && "Enter a name that begins with x-engine-."}>
            Add session variable
          </Button>
        </Form>
      )}
    </>
  );
}

interface RoleRowsProps {
  readonly location: TableLocation;
  readonly role: string;
  readonly session: Readonly<Record<string, string>>;
}

/** Reads with the saved permission, including permissions that the role inherits. */
function RoleRows({ location, role, session }: RoleRowsProps) {
  const given = Object.fromEntries(Object.entries(session).filter(([, value]) => value !== ""));
  const { value, error } = useLoaded(
    () => rowsOfRole(location, role, given, maxRows + 1),
    JSON.stringify([location, role, given, resourceVersion.value]),
  );
  if (error !== null) {
    return (
      <div class="try-session">
        <ErrorBox error={error} />
      </div>
    );
  }
  if (!value) return <Loading item="rows" />;
  const count =
    value.length > maxRows ? `more than ${maxRows} rows` : value.length === 1 ? "1 row" : `${value.length} rows`;
  return (
    <Rows rows={value.slice(0, maxRows)} columns={[]}>
      <strong>
        <bdi>{role}</bdi>
        {` reads ${count} with the saved permission`}
      </strong>
      {value.length > maxRows && <span>{`Showing the first ${maxRows}`}</span>}
    </Rows>
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

interface FilteredRowsProps {
  readonly location: TableLocation;
  readonly where: Json;
  readonly columns: readonly string[];
}

function FilteredRows({ location, where, columns }: FilteredRowsProps) {
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
        <p class="muted">Filters that compare columns or test readable rows can be saved but not previewed.</p>
      </div>
    );
  }
  if (!value) return <Loading item="rows" />;
  return (
    <Rows rows={value.rows} columns={columns}>
      <strong>{`${value.count} of ${value.all} rows match`}</strong>
      {value.count > maxRows && <span>{`Showing the first ${maxRows}`}</span>}
    </Rows>
  );
}

interface RowsProps {
  readonly rows: readonly Row[];
  /** Columns to show; all columns if empty. */
  readonly columns: readonly string[];
  /** Facts about the result. */
  readonly children: ComponentChildren;
}

function Rows({ rows, columns, children }: RowsProps) {
  const shown = columns.length > 0 ? columns : Object.keys(rows[0] ?? {});
  return (
    <div class="with-head">
      <p class="result-facts" role="status">
        {children}
      </p>
      <DataTable
        label="Matching rows"
        rows={rows}
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
