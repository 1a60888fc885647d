/** Relationships that foreign keys suggest, with names that can be changed, added in one change. */
import { useMemo, useState } from "preact/hooks";
import { type Operation, prefixOf, runOperation } from "../../../http/metadata-api.ts";
import type { Json, QualifiedName, Source, Table } from "../../../http/metadata-types.ts";
import { Button } from "../../../parts/button.tsx";
import { type Column, DataTable } from "../../../parts/data-table.tsx";
import { Empty, Loading } from "../../../parts/empty.tsx";
import { ErrorBox } from "../../../parts/error-box.tsx";
import { CheckField, TextField } from "../../../parts/field.tsx";
import { Form } from "../../../parts/form.tsx";
import { shownName } from "../../../parts/table-name.ts";
import { notify } from "../../../parts/toast.tsx";
import { useLoaded } from "../../../parts/use-loaded.ts";
import { resourceVersion, rolesOfTable } from "../../../state/metadata.ts";
import { useGuardedSave } from "../../permissions/use-guarded-save.tsx";
import { relationshipsOf } from "./meaning.ts";

interface End {
  readonly table: QualifiedName;
  readonly columns: readonly string[];
  /** Present on the side that has the foreign key. */
  readonly constraint_name?: string;
}

interface Suggestion {
  readonly type: "object" | "array";
  readonly from: End;
  readonly to: End;
}

interface Proposal extends Suggestion {
  readonly key: string;
  readonly name: string;
}

interface SuggestionsProps {
  readonly source: Source;
  /** `null` for the suggestions of all tables. */
  readonly table: Table | null;
  /** Names of the columns of the table, which relationships cannot have. */
  readonly columns?: readonly string[];
  /** Runs after the relationships were added. */
  readonly onAdded?: () => void;
}

const isSame = (one: QualifiedName, other: QualifiedName): boolean =>
  one.schema === other.schema && one.name === other.name;

async function suggest(source: Source, table: Table | null): Promise<readonly Suggestion[]> {
  const type = `${prefixOf(source.kind)}_suggest_relationships`;
  const args = { source: source.name, omit_tracked: true, ...(table && { tables: [table.table] }) };
  const { relationships } = await runOperation<{ readonly relationships: readonly Suggestion[] }>({ type, args });
  return relationships.filter(({ from }) => table === null || isSame(from.table, table.table));
}

/** Names each relationship after the other table, with the columns appended if that name is taken. */
function propose(source: Source, columns: readonly string[], suggestions: readonly Suggestion[]): readonly Proposal[] {
  const taken = new Map(
    source.tables.map((table) => [
      JSON.stringify([table.table.schema, table.table.name]),
      new Set([
        ...relationshipsOf(table).map(({ name }) => name),
        ...(table.computed_fields ?? []).map(({ name }) => name),
        ...columns,
      ]),
    ]),
  );
  return suggestions.map((suggestion): Proposal => {
    const { type, from, to } = suggestion;
    const names = taken.get(JSON.stringify([from.table.schema, from.table.name])) ?? new Set();
    const plain = graphqlName(type === "array" ? plural(to.table.name) : to.table.name);
    const by = keyColumns(suggestion).join("_");
    const candidates = from.columns.includes(plain) ? [] : [plain];
    const base = graphqlName(`${plain}_by_${by}`);
    candidates.push(base);
    let name = candidates.find((each) => !names.has(each));
    for (let count = 2; name === undefined; count += 1) {
      if (!names.has(`${base}_${count}`)) name = `${base}_${count}`;
    }
    names.add(name);
    return { ...suggestion, key: JSON.stringify(suggestion), name };
  });
}

/** Returns the columns of the foreign key, which is on either side. */
const keyColumns = ({ from, to }: Suggestion): readonly string[] =>
  from.constraint_name === undefined ? to.columns : from.columns;

const graphqlName = (text: string): string => text.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=[0-9])/, "_");
const isGraphqlName = (text: string): boolean => /^[A-Za-z_][0-9A-Za-z_]*$/.test(text);
const plural = (name: string): string => (name.endsWith("s") ? name : `${name}s`);

function createOperation(source: Source, { type, from, to, name }: Proposal): Operation {
  const using: Json =
    from.constraint_name !== undefined
      ? { foreign_key_constraint_on: [...from.columns] }
      : { foreign_key_constraint_on: { table: { ...to.table }, columns: [...to.columns] } };
  const args = { source: source.name, table: from.table, name, using };
  return { type: `${prefixOf(source.kind)}_create_${type}_relationship`, args };
}

export function Suggestions({ source, table, columns = [], onAdded }: SuggestionsProps) {
  const [omitted, setOmitted] = useState<ReadonlySet<string>>(new Set());
  const [renamed, setRenamed] = useState<Readonly<Record<string, string>>>({});
  const key = JSON.stringify([source.name, table?.table, resourceVersion.value]);
  const found = useLoaded(() => suggest(source, table), key);
  const proposals = useMemo(() => propose(source, columns, found.value ?? []), [found.value, source]);
  const nameOf = (proposal: Proposal): string => renamed[proposal.key] ?? proposal.name;
  const chosen = proposals.filter((proposal) => !omitted.has(proposal.key));
  const isValid = chosen.every((proposal) => isGraphqlName(nameOf(proposal)));
  const choose = (some: readonly Proposal[], isChosen: boolean): void => {
    const next = new Set(omitted);
    for (const proposal of some) isChosen ? next.delete(proposal.key) : next.add(proposal.key);
    setOmitted(next);
  };
  const {
    isBusy,
    error,
    submit: add,
    confirmation,
  } = useGuardedSave({
    change: () =>
      isValid && chosen.length > 0
        ? chosen.map((proposal) => createOperation(source, { ...proposal, name: nameOf(proposal) }))
        : null,
    roles: () => [...new Set((table ? [table] : source.tables).flatMap(rolesOfTable))],
    onSaved: () => {
      notify(chosen.length === 1 ? "Added the relationship" : `Added ${chosen.length} relationships`);
      onAdded?.();
    },
  });
  const hidden = (text: string) => <span class="visually-hidden">{text}</span>;
  const meaning = ({ type, from, to }: Suggestion): string => {
    const by = `${from.constraint_name === undefined ? "by its" : "by"} ${keyColumns({ type, from, to }).join(", ")}`;
    return `${type === "object" ? "one" : "many"} ${shownName(source.kind, to.table)} ${by}`;
  };
  const cells: readonly Column<Proposal>[] = [
    {
      key: "choice",
      width: 44,
      title: (
        <CheckField
          label={hidden("Select all suggestions")}
          checked={chosen.length === proposals.length}
          onChange={(isChosen) => choose(proposals, isChosen)}
        />
      ),
      cell: (proposal) => (
        <CheckField
          label={hidden(`Select ${proposal.name} of ${proposal.from.table.name}`)}
          checked={!omitted.has(proposal.key)}
          onChange={(isChosen) => choose([proposal], isChosen)}
        />
      ),
    },
    ...(table
      ? []
      : [
          {
            key: "table",
            title: "Table",
            cell: ({ from }: Proposal) => <bdi>{shownName(source.kind, from.table)}</bdi>,
          },
        ]),
    {
      key: "name",
      title: "Name",
      cell: (proposal) => (
        <TextField
          label={`Name of ${proposal.name} of ${proposal.from.table.name}`}
          isBare
          isCode
          value={nameOf(proposal)}
          onInput={(name) => setRenamed({ ...renamed, [proposal.key]: name })}
        />
      ),
    },
    { key: "meaning", title: "Relationship", cell: (proposal) => <bdi>{meaning(proposal)}</bdi> },
  ];
  if (found.error !== null) return <ErrorBox error={found.error} />;
  if (!found.value) return <Loading item="suggestions" />;
  if (proposals.length === 0) {
    return (
      <Empty title="No suggestions">
        <p>All foreign keys between tracked tables have relationships.</p>
      </Empty>
    );
  }
  return (
    <Form class="stack" label="Suggested relationships" onSubmit={add}>
      <div class="card relationships-suggested">
        <DataTable label="Suggestions" columns={cells} rows={proposals} keyOf={({ key: each }) => each} />
      </div>
      {!isValid && <p class="field-error">Names consist of letters, digits and _, without a digit at the beginning.</p>}
      {error !== null && <ErrorBox error={error} />}
      <div>
        <Button
          icon="add"
          kind="primary"
          type="submit"
          busy={isBusy}
          unavailable={chosen.length === 0 ? "Select relationships." : !isValid && "Correct the names."}
        >
          {chosen.length === 1 ? "Add 1 relationship" : `Add ${chosen.length} relationships`}
        </Button>
      </div>
      {confirmation}
    </Form>
  );
}
