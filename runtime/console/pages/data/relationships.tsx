/** Relationships of a table, and suggestions from foreign keys. */
import { useState } from "preact/hooks";
import { type Operation, prefixOf, runOperation } from "../../http/metadata-api.ts";
import type { Json, QualifiedName, Source, Table } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { notify } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { changeMetadata, resourceVersion } from "../../state/metadata.ts";

interface End {
  readonly table: QualifiedName;
  readonly columns: readonly string[];
}

interface Suggestion {
  readonly type: "object" | "array";
  readonly from: End;
  readonly to: End;
}

interface RelationshipsProps {
  readonly source: Source;
  readonly table: Table;
}

export function Relationships({ source, table }: RelationshipsProps) {
  const [error, setError] = useState<unknown>(null);
  const prefix = prefixOf(source.kind);
  const key = JSON.stringify([source.name, table.table, resourceVersion.value]);
  const suggestions = useLoaded(() => suggest(source, table), key);
  const change = async (operations: readonly Operation[], notice: string): Promise<void> => {
    setError(null);
    try {
      await changeMetadata(operations);
      notify(notice);
    } catch (thrown) {
      setError(thrown);
    }
  };
  const existing = [
    ...(table.object_relationships ?? []).map((each) => ({ ...each, type: "object" })),
    ...(table.array_relationships ?? []).map((each) => ({ ...each, type: "array" })),
  ];
  const add = (selected: readonly Suggestion[]): Promise<void> =>
    change(
      createAll(source, table, selected),
      selected.length === 1 ? "Added the relationship" : `Added ${selected.length} relationships`,
    );
  return (
    <div class="page">
      {error !== null && <ErrorBox error={error} />}
      <section class="stack" aria-label="Relationships">
        <h2>Relationships</h2>
        {existing.length === 0 && <p class="muted">No relationships</p>}
        <ul class="stack">
          {existing.map(({ name, type, using }) => (
            <li key={name} class="card spread list-card">
              <span class="row">
                <bdi>{name}</bdi> <span class="badge">{type === "object" ? "Object" : "Array"}</span>
                <code class="muted">{JSON.stringify(using)}</code>
              </span>
              <IconButton
                icon="remove"
                label={`Delete relationship ${name}`}
                onClick={() => {
                  const args = { source: source.name, table: table.table, relationship: name };
                  void change([{ type: `${prefix}_drop_relationship`, args }], `Deleted ${name}`);
                }}
              />
            </li>
          ))}
        </ul>
      </section>
      <section class="stack" aria-label="Suggested relationships">
        <div class="spread">
          <h2>Suggested by foreign keys</h2>
          {suggestions.value && suggestions.value.length > 1 && (
            <Button icon="add" onClick={() => void add(suggestions.value ?? [])}>
              Add all
            </Button>
          )}
        </div>
        {suggestions.error !== null && <ErrorBox error={suggestions.error} />}
        {suggestions.isLoading && !suggestions.value && <Loading item="suggestions" />}
        {suggestions.value?.length === 0 && <Empty title="No suggestions" />}
        <ul class="stack">
          {(suggestions.value ?? []).map((each) => (
            <li key={JSON.stringify(each)} class="card spread list-card">
              <span class="row">
                <bdi>{each.to.table.name}</bdi>
                <span class="badge">{each.type === "object" ? "Object" : "Array"}</span>
                <code class="muted">{`${each.from.columns.join(", ")} → ${each.to.table.name}.${each.to.columns.join(", ")}`}</code>
              </span>
              <Button icon="add" onClick={() => void add([each])}>
                Add
              </Button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

async function suggest(source: Source, { table }: Table): Promise<readonly Suggestion[]> {
  const type = `${prefixOf(source.kind)}_suggest_relationships`;
  const args = { source: source.name, tables: [table], omit_tracked: true };
  const { relationships } = await runOperation<{ readonly relationships: readonly Suggestion[] }>({ type, args });
  return relationships.filter(({ from }) => from.table.name === table.name && from.table.schema === table.schema);
}

/** Names each relationship after the other table, with the column appended if that name is taken. */
function createAll(source: Source, table: Table, selected: readonly Suggestion[]): readonly Operation[] {
  const taken = new Set(
    [...(table.object_relationships ?? []), ...(table.array_relationships ?? [])].map(({ name }) => name),
  );
  return selected.map(({ type, from, to }) => {
    const plain = type === "array" ? plural(to.table.name) : to.table.name;
    const column = type === "array" ? to.columns : from.columns;
    const base = taken.has(plain) || from.columns.includes(plain) ? `${plain}_by_${column.join("_")}` : plain;
    const name = base.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=[0-9])/, "_");
    taken.add(name);
    const using: Json =
      type === "object"
        ? { foreign_key_constraint_on: [...from.columns] }
        : { foreign_key_constraint_on: { table: { ...to.table }, columns: [...to.columns] } };
    const args = { source: source.name, table: table.table, name, using };
    return { type: `${prefixOf(source.kind)}_create_${type}_relationship`, args };
  });
}

const plural = (name: string): string => (name.endsWith("s") ? name : `${name}s`);
