/** The diagram of a database: tables, foreign keys and relationships, with the same tables as a list. */
import "../../../styles/diagram.css";
import { useMemo, useState } from "preact/hooks";
import { describeTables } from "../../../http/data-api.ts";
import type { Source } from "../../../http/metadata-types.ts";
import { Button } from "../../../parts/button.tsx";
import { download } from "../../../parts/download.ts";
import { Empty, Loading } from "../../../parts/empty.tsx";
import { ErrorBox } from "../../../parts/error-box.tsx";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { useLoaded } from "../../../parts/use-loaded.ts";
import { addressOf, navigate, parameters } from "../../../routing/router.ts";
import { resourceVersion } from "../../../state/metadata.ts";
import { Canvas } from "./canvas.tsx";
import { type ColumnDetail, type Drawing, drawingOf } from "./drawing.ts";
import { type DiagramModel, diagramModel } from "./model.ts";
import { type DiagramFilter, filterTables, type Neighbours, neighboursOf, selectionOf } from "./selection.ts";
import { svgFile } from "./svg-file.ts";
import { TableList } from "./table-list.tsx";

/** Number of tables that a diagram draws at most: more are neither readable nor fast. */
const maxTables = 400;

const details = [
  { value: "all", label: "All columns" },
  { value: "keys", label: "Keys only" },
  { value: "none", label: "Names only" },
] as const;

const depths = [
  { value: "1", label: "Direct neighbours" },
  { value: "2", label: "Neighbours of neighbours" },
] as const;

export function Diagram({ source }: { readonly source: Source }) {
  const key = `${source.name} ${resourceVersion.value}`;
  const { value: loaded, error, isLoading, reload } = useLoaded(() => load(source), key);
  const [search, setSearch] = useState("");
  const [detail, setDetail] = useState<ColumnDetail>("all");
  const filter = filterOf(parameters.value, search);
  const { schema, focus, depth } = filter;
  const matching = useMemo(
    () => (loaded ? filterTables(loaded.model, loaded.neighbours, filter) : []),
    [loaded, schema, focus, depth, search],
  );
  const isTooLarge = matching.length > maxTables && focus === null;
  const selection = useMemo(
    () => (loaded && !isTooLarge ? selectionOf(loaded.model, matching.slice(0, maxTables), focus) : null),
    [loaded, matching, isTooLarge, focus],
  );
  const drawing = useMemo(() => selection && drawingOf(selection, detail, focus), [selection, detail, focus]);
  const show = (changes: Partial<DiagramFilter>): void => {
    setSearch("");
    navigate(addressOf(["data", source.name, "diagram"], queryOf({ ...filter, ...changes })));
  };
  if (!loaded) return error === null ? <Loading item="tables" /> : <ErrorBox error={error} />;
  const { model, neighbours } = loaded;
  const focused = focus === null ? undefined : model.tables.get(focus);
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Diagram</h1>
        <TextField
          label="Filter tables of the diagram"
          isBare
          type="search"
          placeholder="Filter tables…"
          value={search}
          onInput={setSearch}
        />
        {model.schemas.length > 1 && (
          <SelectField
            label="Schema"
            isBare
            value={schema}
            choices={[
              { value: "", label: "All schemas" },
              ...model.schemas.map((name) => ({ value: name, label: name })),
            ]}
            onChange={(next) => show({ schema: next })}
          />
        )}
        {focus !== null && (
          <>
            <SelectField<"1" | "2">
              label={`Distance from ${focused?.label ?? "table"}`}
              isBare
              value={depth === 1 ? "1" : "2"}
              choices={depths}
              onChange={(next) => show({ depth: Number(next) })}
            />
            <Button onClick={() => show({ focus: null })}>Show all tables</Button>
          </>
        )}
        <SelectField<ColumnDetail> label="Columns" isBare value={detail} choices={details} onChange={setDetail} />
        <span class="muted" role="status">
          {countText(matching.length, model.tables.size)}
        </span>
        <span class="grow" />
        <Button icon="refresh" busy={isLoading} onClick={reload}>
          Refresh
        </Button>
        <Button
          unavailable={(!drawing || drawing.boxes.length === 0) && "The diagram has no tables."}
          onClick={() => drawing && save(source, drawing)}
        >
          Export as SVG
        </Button>
      </div>
      <div class="diagram">
        {focus !== null && !focused ? (
          <Empty title="Table not found in the database">
            <Button onClick={() => show({ focus: null })}>Show all tables</Button>
          </Empty>
        ) : !drawing ? (
          <Empty title={`${matching.length.toLocaleString()} tables`}>
            <p>
              A diagram shows at most {maxTables}. Filter by name or schema, or focus on a table in the list to see its
              neighbours.
            </p>
          </Empty>
        ) : drawing.boxes.length === 0 ? (
          <Empty title={model.tables.size === 0 ? "No tables" : "No matches"} />
        ) : (
          <Canvas
            // A new diagram fits its canvas.
            key={JSON.stringify([schema, focus, depth, detail, search])}
            drawing={drawing}
            onOpen={(table) => openTable(source, table)}
          />
        )}
        <TableList
          source={source}
          model={model}
          neighbours={neighbours}
          tables={matching}
          focus={focus}
          onFocus={(table) => show({ focus: table, depth: 1 })}
        />
      </div>
    </div>
  );
}

interface LoadedDiagram {
  readonly model: DiagramModel;
  readonly neighbours: Neighbours;
}

/** Loads the tables in several tasks, because thousands of tables take longer than a frame. */
async function load(source: Source): Promise<LoadedDiagram> {
  const outlines = await describeTables(source.name, source.kind);
  await nextTask();
  const model = await inTasks(diagramModel(source, outlines));
  await nextTask();
  return { model, neighbours: neighboursOf(model) };
}

/** Duration of a task in milliseconds. */
const taskDuration = 20;

/** Runs a computation in several tasks, between which the page responds to input. */
async function inTasks<T>(work: Generator<undefined, T>): Promise<T> {
  for (let began = performance.now(); ; ) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - began < taskDuration) continue;
    await nextTask();
    began = performance.now();
  }
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function countText(shown: number, all: number): string {
  const tables = all === 1 ? "1 table" : `${all.toLocaleString()} tables`;
  return shown === all ? tables : `${shown.toLocaleString()} of ${tables}`;
}

// State in the address.

function filterOf(query: URLSearchParams, search: string): DiagramFilter {
  return {
    schema: query.get("schema") ?? "",
    focus: query.get("table"),
    depth: query.get("depth") === "2" ? 2 : 1,
    search,
  };
}

const queryOf = ({ schema, focus, depth }: DiagramFilter): Readonly<Record<string, string>> => ({
  ...(schema !== "" && { schema }),
  ...(focus !== null && { table: focus, depth: String(depth) }),
});

function openTable(source: Source, key: string): void {
  const [schema, name] = JSON.parse(key) as [string, string];
  navigate(addressOf(["data", source.name, schema, name]));
}

/** Saves the diagram in the colors of the current theme. */
function save(source: Source, drawing: Drawing): void {
  const probe = document.createElement("span");
  document.body.append(probe);
  const resolve = (variable: string): string => {
    if (variable.startsWith("--font")) return getComputedStyle(probe).getPropertyValue(variable).trim();
    // Computed colors are free of functions of CSS, which other programs cannot read.
    probe.style.color = `var(${variable})`;
    return getComputedStyle(probe).color;
  };
  const file = new Blob([svgFile(drawing, resolve)], { type: "image/svg+xml" });
  probe.remove();
  download(file, `${source.name}.svg`);
}
