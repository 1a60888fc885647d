/** Dialogs that rename, describe and delete a table. */
import { useState } from "preact/hooks";
import type { TableInfo } from "../../../http/data-api.ts";
import type { QualifiedName, Source } from "../../../http/metadata-types.ts";
import { TextField } from "../../../parts/field.tsx";
import { addressOf, navigate } from "../../../routing/router.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { CascadeField } from "./column-dialogs.tsx";
import { definitionsOf, type TableFacts } from "./facts.ts";
import { sqlTextOf } from "./sql-texts.ts";
import { cascading, commentOnTable, dropTable, renameTable } from "./statements.ts";

interface TableDialogProps {
  readonly source: Source;
  readonly table: QualifiedName;
  readonly onClose: () => void;
}

export function RenameTable({ source, table, onClose }: TableDialogProps) {
  const [name, setName] = useState(table.name);
  const isComplete = name.trim() !== "" && name !== table.name;
  return (
    <ChangeDialog
      source={source}
      title={`Rename ${table.name}`}
      action="Rename"
      statement={isComplete ? renameTable(sqlTextOf(source.kind), table, name) : null}
      incomplete="Enter a new name."
      notice={`Renamed ${table.name} to ${name}`}
      onClose={onClose}
      onDone={() => navigate(addressOf(["data", source.name, table.schema, name]))}
    >
      <TextField label="Name" isCode required value={name} onInput={setName} />
      <p class="muted">
        The metadata follows: permissions and relationships stay. Names in the API change, unless the table has custom
        names.
      </p>
    </ChangeDialog>
  );
}

interface CommentTableProps extends TableDialogProps {
  readonly comment: string;
  readonly onDone: () => void;
}

export function CommentTable({ source, table, comment: before, ...rest }: CommentTableProps) {
  const [comment, setComment] = useState(before);
  return (
    <ChangeDialog
      {...rest}
      source={source}
      title={`Comment on ${table.name}`}
      action="Save"
      statement={comment === before ? null : commentOnTable(sqlTextOf(source.kind), table, before, comment)}
      incomplete="Nothing has changed."
      notice="Changed the comment"
    >
      <TextField label="Comment" hint="Shown in the GraphQL schema" rows={3} value={comment} onInput={setComment} />
    </ChangeDialog>
  );
}

interface DropTableProps extends TableDialogProps {
  readonly info: TableInfo;
  readonly facts: TableFacts | null;
}

export function DropTable({ source, table, info, facts, onClose }: DropTableProps) {
  const text = sqlTextOf(source.kind);
  const [typed, setTyped] = useState("");
  const [cascades, setCascades] = useState(false);
  const constraints = facts?.constraints ?? [];
  const names = new Set(constraints.map(({ name }) => name));
  const dropped = dropTable(text, {
    table,
    columns: definitionsOf(info, facts),
    constraints,
    indexes: info.indexes.filter(({ name }) => !names.has(name)),
    comment: info.comment ?? "",
  });
  const isGenerated = [...(facts?.columns.values() ?? [])].some(({ generation }) => generation === "generated");
  const statement = { ...dropped, down: facts === null || isGenerated ? "" : dropped.down };
  const isConfirmed = typed === table.name;
  return (
    <ChangeDialog
      source={source}
      title={`Delete table ${table.name}?`}
      action="Delete table"
      isDanger
      statement={isConfirmed ? (cascades ? cascading(text, statement) : statement) : null}
      incomplete={`Enter ${table.name} first.`}
      notice={`Deleted ${table.name}`}
      onClose={onClose}
      onDone={() => navigate(addressOf(["data", source.name]))}
    >
      <p>
        The table and its rows are deleted from the database, and the table with its permissions from the metadata. The
        rows cannot be restored.
      </p>
      <TextField label={`Enter ${table.name} to confirm`} isCode value={typed} onInput={setTyped} />
      <CascadeField isOffered={text.cascade !== ""} checked={cascades} onChange={setCascades} />
    </ChangeDialog>
  );
}
