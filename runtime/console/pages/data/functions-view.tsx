/** Functions of a database, tracked as root fields or not. */
import { useMemo, useRef, useState } from "preact/hooks";
import type { DatabaseFunction } from "../../http/data-api.ts";
import { prefixOf } from "../../http/metadata-api.ts";
import type { QualifiedName, Source, TrackedFunction } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { TextField } from "../../parts/field.tsx";
import { keyOf, shownName } from "../../parts/table-name.ts";
import { notify } from "../../parts/toast.tsx";
import { changeMetadata } from "../../state/metadata.ts";
import { useGuardedSave } from "../permissions/use-guarded-save.tsx";
import { databaseObjects, loadDatabaseObjects } from "./database-objects.ts";
import { returnText, sessionArguments, signatureOf } from "./function-text.ts";
import { TrackFunction } from "./track-function.tsx";

interface ListedFunction {
  readonly key: string;
  readonly name: QualifiedName;
  /** `null` if the function is missing in the database. */
  readonly found: DatabaseFunction | null;
  /** `null` if the function is not tracked. */
  readonly tracked: TrackedFunction | null;
}

export function FunctionsView({ source }: { readonly source: Source }) {
  const [search, setSearch] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [dialogFunction, setDialogFunction] = useState<DatabaseFunction | null>(null);
  const known = databaseObjects.value[source.name];
  const all = useMemo(() => listFunctions(source, known?.functions ?? []), [source, known]);
  const text = search.trim().toLowerCase();
  const shown = all.filter(({ name }) => `${name.schema}.${name.name}`.toLowerCase().includes(text));
  const tables = new Set(source.tables.map(({ table }) => keyOf(table)));
  const chosen = useRef<QualifiedName | null>(null);
  const tracking = useGuardedSave({
    change: () => {
      if (!chosen.current) return null;
      const { schema, name } = chosen.current;
      const args = { source: source.name, function: { schema, name } };
      return { type: `${prefixOf(source.kind)}_track_function`, args };
    },
    onSaved: () => notify(`Tracked ${chosen.current?.name}`),
  });
  const untrack = async ({ name }: ListedFunction): Promise<void> => {
    setError(null);
    try {
      const args = { source: source.name, function: name };
      await changeMetadata({ type: `${prefixOf(source.kind)}_untrack_function`, args });
      notify(`Untracked ${name.name}`);
    } catch (thrown) {
      setError(thrown);
    }
  };
  const track = async (found: DatabaseFunction): Promise<void> => {
    // Without options to choose, track the function without a dialog.
    if (found.volatility === "volatile" || sessionArguments(found).length > 0) return setDialogFunction(found);
    chosen.current = found;
    await tracking.submit();
  };
  const columns: readonly Column<ListedFunction>[] = [
    {
      key: "change",
      title: <span class="visually-hidden">Actions</span>,
      width: 110,
      cell: (listed) => {
        if (listed.tracked) {
          return (
            <Button kind="quiet" title={`Untrack ${listed.name.name}`} onClick={() => void untrack(listed)}>
              Untrack
            </Button>
          );
        }
        const { found } = listed;
        const isFree = found !== null && problemOf(source, tables, found) === null;
        return (
          isFree && (
            <Button kind="quiet" icon="add" title={`Track ${found.name}`} onClick={() => void track(found)}>
              Track
            </Button>
          )
        );
      },
    },
    {
      key: "signature",
      title: "Function",
      cell: ({ name, found }) => (
        <code title={found ? signatureOf(source.kind, found) : undefined}>
          <bdi>{found ? signatureOf(source.kind, found) : shownName(source.kind, name)}</bdi>
        </code>
      ),
    },
    {
      key: "returns",
      title: "Returns",
      width: 170,
      cell: ({ found }) => found && <bdi>{returnText(source.kind, found)}</bdi>,
    },
    { key: "volatility", title: "Volatility", width: 100, cell: ({ found }) => found?.volatility },
    {
      key: "state",
      title: "Status",
      width: 300,
      cell: ({ found, tracked }) => stateText(source, tables, found, tracked),
    },
  ];
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Functions</h1>
        <span class="muted">{source.name}</span>
        <TextField
          label="Filter functions"
          isBare
          type="search"
          placeholder="Filter functions…"
          value={search}
          onInput={setSearch}
        />
        <span class="grow" />
        <Button icon="refresh" kind="quiet" onClick={() => void loadDatabaseObjects(source)}>
          Refresh
        </Button>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {tracking.error !== null && <ErrorBox error={tracking.error} />}
      {tracking.confirmation}
      {known?.error && <ErrorBox error={known.error} />}
      {known ? (
        <DataTable
          label="Functions"
          columns={columns}
          rows={shown}
          keyOf={({ key }) => key}
          empty={<Empty title={all.length === 0 ? "No functions" : "No matches"} />}
        />
      ) : (
        <Loading item="functions" />
      )}
      {dialogFunction && (
        <TrackFunction source={source} found={dialogFunction} onClose={() => setDialogFunction(null)} />
      )}
    </div>
  );
}

function listFunctions({ functions = [] }: Source, found: readonly DatabaseFunction[]): readonly ListedFunction[] {
  const tracked = new Map(functions.map((each) => [keyOf(each.function), each]));
  const known = new Set(found.map(keyOf));
  const missing = functions.filter((each) => !known.has(keyOf(each.function)));
  const listed = found.map((each, index): ListedFunction => {
    const key = keyOf(each);
    // Overloads share a name.
    return { key: `${key} ${index}`, name: nameOf(each), found: each, tracked: tracked.get(key) ?? null };
  });
  const all = [
    ...missing.map((each) => ({ key: keyOf(each.function), name: each.function, found: null, tracked: each })),
    ...listed,
  ];
  return [...all.filter((each) => each.tracked), ...all.filter((each) => !each.tracked)];
}

const nameOf = ({ schema, name }: QualifiedName): QualifiedName => ({ schema, name });

/** Returns the reason that prevents tracking; `null` if the function can be tracked. */
function problemOf(source: Source, tables: ReadonlySet<string>, found: DatabaseFunction): string | null {
  const { problems, returns } = found;
  if (problems.length > 0) return problems.join("; ");
  if (returns.table && !tables.has(keyOf(returns.table))) {
    return `the table ${shownName(source.kind, returns.table)} is not tracked`;
  }
  return null;
}

function stateText(
  source: Source,
  tables: ReadonlySet<string>,
  found: DatabaseFunction | null,
  tracked: TrackedFunction | null,
) {
  if (!found) return "Tracked, missing in the database";
  if (tracked) {
    const { exposed_as: exposed } = tracked.configuration ?? {};
    const as = typeof exposed === "string" ? exposed : found.volatility === "volatile" ? "mutation" : "query";
    return `Tracked as a ${as}`;
  }
  const problem = problemOf(source, tables, found);
  return <span class="muted" title={problem ?? ""}>{`Untracked${problem === null ? "" : `: ${problem}`}`}</span>;
}
