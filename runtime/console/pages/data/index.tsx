/** The data page: databases and tables at the side, one of them beside it. */
import { useEffect, useMemo } from "preact/hooks";
import type { Source } from "../../http/metadata-types.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { type SideItem, SideList } from "../../parts/side-list.tsx";
import { shownName } from "../../parts/table-name.ts";
import { parameters } from "../../routing/router.ts";
import { loadMetadata, metadata, metadataError, sourceNamed, sources, tableNamed } from "../../state/metadata.ts";
import { databaseObjects, kindText, loadDatabaseObjects, untrackedTables } from "./database-objects.ts";
import { FunctionsView } from "./functions-view.tsx";
import { SourceView } from "./source-view.tsx";
import { SqlView } from "./sql-view.tsx";
import { TableView } from "./table-view.tsx";
import { UntrackedTable } from "./untracked-table.tsx";

/** They stand in the address where the name of a schema would; tables have one part more. */
const sqlPlace = "sql";
const functionsPlace = "functions";

export default function DataPage({ path }: { readonly path: readonly string[] }) {
  useEffect(() => {
    void loadMetadata().then(() => Promise.all(sources.value.map(loadDatabaseObjects)));
  }, []);
  const current = path.join("/");
  const known = databaseObjects.value;
  const items = useMemo(
    () => sources.value.flatMap((source) => itemsOf(source, current)),
    [sources.value, known, current],
  );
  if (!metadata.value) {
    return metadataError.value ? <ErrorBox error={metadataError.value} /> : <Loading what="the metadata" />;
  }
  return (
    <div class="with-side">
      <SideList label="Tables" items={items} empty="No database is connected." />
      <Content path={path} />
    </div>
  );
}

function itemsOf(source: Source, current: string): readonly SideItem[] {
  const item = (text: string, to: readonly string[], rest: Partial<SideItem> = {}): SideItem => ({
    key: to.join("\u0000"),
    text,
    to,
    isCurrent: to.slice(1).join("/") === current,
    ...rest,
  });
  const label = (schema: string, name: string): string => shownName(source.kind, { schema, name });
  return [
    { key: source.name, text: source.name, to: null, note: source.kind },
    item("Overview", ["data", source.name]),
    item("SQL", ["data", source.name, sqlPlace]),
    ...(hasFunctions(source) ? [item("Functions", ["data", source.name, functionsPlace])] : []),
    ...source.tables.map(({ table: { schema, name } }) =>
      item(label(schema, name), ["data", source.name, schema, name]),
    ),
    ...untrackedTables(source).map(({ schema, name, kind }) =>
      item(label(schema, name), ["data", source.name, schema, name], {
        isMuted: true,
        note: `untracked ${kindText(kind)}`.trim(),
      }),
    ),
  ];
}

const hasFunctions = ({ name, functions = [] }: Source): boolean =>
  functions.length > 0 || (databaseObjects.value[name]?.functions ?? []).length > 0;

function Content({ path }: { readonly path: readonly string[] }) {
  const [sourceName, schema, name] = path;
  const source = sourceName === undefined ? sources.value[0] : sourceNamed(sourceName);
  if (!source) return <Empty title="There is no such source of data." isPage />;
  if (schema === undefined) return <SourceView key={source.name} source={source} />;
  if (name === undefined && schema === functionsPlace) return <FunctionsView key={source.name} source={source} />;
  if (name === undefined) return <SqlView key={source.name} source={source} />;
  const table = tableNamed(source.name, schema, name);
  if (!table) return <UntrackedTable key={path.join("/")} source={source} table={{ schema, name }} />;
  // A followed key may lead to another row of the same table.
  const followed = parameters.value.get("where") ?? "";
  return <TableView key={`${path.join("/")}?${followed}`} source={source} table={table} />;
}
