/** Relationships of a table in words, with suggestions from foreign keys. */
import { useState } from "preact/hooks";
import { describeTable, type TableInfo } from "../../http/data-api.ts";
import { type Operation, prefixOf } from "../../http/metadata-api.ts";
import type { QualifiedName, Source, Table } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { TextField } from "../../parts/field.tsx";
import { shownName } from "../../parts/table-name.ts";
import { notify } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { useSubmission } from "../../parts/use-submission.ts";
import { Link } from "../../routing/link.tsx";
import { changeMetadata, sourceNamed } from "../../state/metadata.ts";
import { CreateRelationship } from "./relationships/create-relationship.tsx";
import { acrossJunction, meaningOf, relationshipsOf, type ShownRelationship } from "./relationships/meaning.ts";
import { Suggestions } from "./relationships/suggestions.tsx";

interface RelationshipsProps {
  readonly source: Source;
  readonly table: Table;
  readonly info: TableInfo;
}

export function Relationships({ source, table, info }: RelationshipsProps) {
  const [error, setError] = useState<unknown>(null);
  const [isAdding, setAdding] = useState(false);
  const [renamed, setRenamed] = useState<ShownRelationship | null>(null);
  const existing = relationshipsOf(table);
  const drop = async (relationship: ShownRelationship): Promise<void> => {
    setError(null);
    try {
      await changeMetadata(dropOperation(source, table, relationship));
      const undo = () => changeMetadata(createOperation(source, table, relationship));
      notify(`Deleted ${relationship.name}`, { undo });
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <div class="page">
      {error !== null && <ErrorBox error={error} />}
      <section class="stack" aria-label="Relationships">
        <div class="spread">
          <h2>Relationships</h2>
          <Button icon="add" onClick={() => setAdding(true)}>
            Add relationship
          </Button>
        </div>
        {existing.length === 0 && (
          <Empty title="No relationships">
            <p>Add the suggested ones, or one without a foreign key.</p>
          </Empty>
        )}
        <ul class="stack">
          {existing.map((relationship) => (
            <li key={relationship.name} class="card spread list-card">
              <Sentence source={source} table={table.table} info={info} relationship={relationship} />
              <span class="row">
                {relationship.type !== "remote" && (
                  <IconButton
                    icon="edit"
                    label={`Rename relationship ${relationship.name}`}
                    onClick={() => setRenamed(relationship)}
                  />
                )}
                <IconButton
                  icon="remove"
                  label={`Delete relationship ${relationship.name}`}
                  onClick={() => void drop(relationship)}
                />
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section class="stack" aria-label="Suggested relationships">
        <h2>Suggested by foreign keys</h2>
        <Suggestions source={source} table={table} columns={info.columns.map(({ name }) => name)} />
      </section>
      {isAdding && <CreateRelationship source={source} table={table} info={info} onClose={() => setAdding(false)} />}
      {renamed && <Rename source={source} table={table} relationship={renamed} onClose={() => setRenamed(null)} />}
    </div>
  );
}

function dropOperation(source: Source, { table }: Table, { type, name }: ShownRelationship): Operation {
  const prefix = prefixOf(source.kind);
  const of = { source: source.name, table };
  return type === "remote"
    ? { type: `${prefix}_delete_remote_relationship`, args: { ...of, name } }
    : { type: `${prefix}_drop_relationship`, args: { ...of, relationship: name } };
}

function createOperation(source: Source, { table }: Table, relationship: ShownRelationship): Operation {
  const { type, name, definition, comment } = relationship;
  const using = type === "remote" ? { definition } : { using: definition, ...(comment !== undefined && { comment }) };
  return {
    type: `${prefixOf(source.kind)}_create_${type}_relationship`,
    args: { source: source.name, table, name, ...using },
  };
}

interface SentenceProps {
  readonly source: Source;
  /** The table of the relationship. */
  readonly table: QualifiedName;
  readonly info: TableInfo;
  readonly relationship: ShownRelationship;
}

/** Describes a relationship, such as "author: one author by author_id". */
function Sentence({ source, table, info, relationship }: SentenceProps) {
  const { amount, table: target, elsewhere, field, by } = meaningOf(relationship, info);
  const junction = relationship.type === "array" && target !== null ? target : null;
  const across = useLoaded(
    async () => {
      if (junction === null) return null;
      const found = await describeTable({ source: source.name, kind: source.kind, table: junction });
      return found && acrossJunction(found, table);
    },
    JSON.stringify([source.name, table, junction]),
  );
  const other = elsewhere === null ? source : sourceNamed(elsewhere);
  return (
    <span class="relationships-sentence">
      <strong>
        <bdi>{relationship.name}</bdi>
      </strong>
      <span>{field === null ? `${amount} ` : "field "}</span>
      {field !== null && (
        <code>
          <bdi>{field}</bdi>
        </code>
      )}
      {target !== null && other && (
        <Link to={["data", other.name, target.schema, target.name]}>
          <bdi>{shownName(other.kind, target)}</bdi>
        </Link>
      )}
      {elsewhere !== null && (
        <span>
          {"of "}
          <bdi>{elsewhere}</bdi>
        </span>
      )}
      <span class="muted">
        <bdi>{by}</bdi>
      </span>
      {across.value && (
        <span class="badge accent">
          {"Many-to-many with "}
          <bdi>{shownName(source.kind, across.value)}</bdi>
        </span>
      )}
    </span>
  );
}

interface RenameProps {
  readonly source: Source;
  readonly table: Table;
  readonly relationship: ShownRelationship;
  readonly onClose: () => void;
}

function Rename({ source, table, relationship, onClose }: RenameProps) {
  const [name, setName] = useState(relationship.name);
  const {
    isBusy,
    error,
    submit: rename,
  } = useSubmission(async () => {
    const args = { source: source.name, table: table.table, name: relationship.name, new_name: name };
    await changeMetadata({ type: `${prefixOf(source.kind)}_rename_relationship`, args });
    notify(`Renamed ${relationship.name} to ${name}`);
    onClose();
  });
  return (
    <Dialog
      title={`Rename ${relationship.name}`}
      onClose={onClose}
      onSubmit={rename}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            busy={isBusy}
            unavailable={(name.trim() === "" || name === relationship.name) && "Enter a new name."}
          >
            Rename
          </Button>
        </>
      }
    >
      <TextField label="Name" isCode required value={name} onInput={setName} />
      <p class="muted">Permissions that use the relationship follow. Clients have to use the new name.</p>
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}
