/** Structure of a table: columns, indexes, constraints, and the query of a view. Tables can be changed. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ColumnInfo, IndexInfo, TableInfo } from "../../http/data-api.ts";
import type { QualifiedName, Source } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { capitalized } from "../../parts/cell-text.ts";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { ChangeDialog } from "./structure/change-dialog.tsx";
import { ColumnDialog, DropColumn } from "./structure/column-dialogs.tsx";
import { AddConstraint } from "./structure/constraint-dialog.tsx";
import { type ConstraintFacts, definitionsOf, type IndexUsage, readFacts, readUsage } from "./structure/facts.ts";
import { AddIndex } from "./structure/index-dialog.tsx";
import { sqlTextOf } from "./structure/sql-texts.ts";
import { dropConstraint, dropIndex } from "./structure/statements.ts";
import { CommentTable, DropTable, RenameTable } from "./structure/table-dialogs.tsx";

type Opened =
  | { readonly dialog: "rename" | "comment" | "delete" | "add-column" | "add-index" | "add-constraint" }
  | { readonly dialog: "edit-column" | "delete-column" | "delete-index" | "delete-constraint"; readonly name: string };

interface StructureProps {
  readonly source: Source;
  readonly table: QualifiedName;
  readonly info: TableInfo;
  /** Runs after a change of the table. */
  readonly onChanged: () => void;
}

const changeableKinds: ReadonlySet<string> = new Set(["table", "partitioned_table"]);

export function Structure({ source, table, info, onChanged }: StructureProps) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const isChangeable = changeableKinds.has(info.kind);
  const key = JSON.stringify([source.name, table]);
  const {
    value: facts,
    error,
    ...loading
  } = useLoaded(async () => (isChangeable ? readFacts(source, table) : null), key);
  const usage = useLoaded(async () => (info.indexes.length > 0 ? readUsage(source, table) : null), key);
  const onClose = (): void => setOpened(null);
  const onDone = (): void => {
    loading.reload();
    usage.reload();
    onChanged();
  };
  const text = sqlTextOf(source.kind);
  const names = info.columns.map(({ name }) => name);
  const definitions = definitionsOf(info, facts);
  const constraints: readonly ConstraintFacts[] = facts?.constraints ?? info.constraints;
  const shared = { source, table, onClose, onDone };
  const name = opened && "name" in opened ? opened.name : "";
  const column = definitions.find((each) => each.name === name) ?? null;
  const constraint = constraints.find((each) => each.name === name);
  const index = info.indexes.find((each) => each.name === name);
  return (
    <div class="stack">
      {isChangeable && (
        <div class="row">
          <Button icon="add" kind="primary" onClick={() => setOpened({ dialog: "add-column" })}>
            Add column
          </Button>
          <Button icon="add" onClick={() => setOpened({ dialog: "add-index" })}>
            Add index
          </Button>
          <Button icon="add" onClick={() => setOpened({ dialog: "add-constraint" })}>
            Add constraint
          </Button>
          <Button icon="edit" onClick={() => setOpened({ dialog: "rename" })}>
            Rename table
          </Button>
          <Button icon="edit" onClick={() => setOpened({ dialog: "comment" })}>
            Comment
          </Button>
          <Button icon="remove" kind="danger" onClick={() => setOpened({ dialog: "delete" })}>
            Delete table
          </Button>
        </div>
      )}
      {error !== null && <ErrorBox error={error} />}
      {info.comment !== null && <p class="table-comment">{info.comment}</p>}
      <Columns
        source={source}
        info={info}
        types={new Map(definitions.map((each) => [each.name, each.type]))}
        defaults={new Map(definitions.map((each) => [each.name, each.initial]))}
        {...(isChangeable && {
          onEdit: (chosen: string) => setOpened({ dialog: "edit-column", name: chosen }),
          onDelete: (chosen: string) => setOpened({ dialog: "delete-column", name: chosen }),
        })}
      />
      <Indexes
        indexes={info.indexes}
        usage={usage.value}
        isDeletable={(chosen) => isChangeable && !constraints.some((each) => each.name === chosen)}
        onDelete={(chosen) => setOpened({ dialog: "delete-index", name: chosen })}
      />
      {usage.error !== null && <ErrorBox error={usage.error} />}
      <Definitions
        title="Constraints"
        rows={constraints.map((each) => ({ ...each, about: capitalized(each.type) }))}
        {...(facts && { onDelete: (chosen: string) => setOpened({ dialog: "delete-constraint", name: chosen }) })}
      />
      {info.view_definition !== null && (
        <section class="stack" aria-label="Definition">
          <h2>Definition</h2>
          <pre class="code-block">{info.view_definition}</pre>
        </section>
      )}
      {opened?.dialog === "rename" && <RenameTable {...shared} />}
      {opened?.dialog === "comment" && <CommentTable {...shared} comment={info.comment ?? ""} />}
      {opened?.dialog === "delete" && <DropTable {...shared} info={info} facts={facts} />}
      {opened?.dialog === "add-column" && <ColumnDialog {...shared} column={null} />}
      {opened?.dialog === "add-index" && <AddIndex {...shared} columns={names} />}
      {opened?.dialog === "add-constraint" && (
        <AddConstraint {...shared} columns={names} hasPrimaryKey={info.primary_key !== undefined} />
      )}
      {opened?.dialog === "edit-column" && column && <ColumnDialog {...shared} column={column} />}
      {opened?.dialog === "delete-column" && column && (
        <DropColumn
          {...shared}
          column={column}
          isGenerated={facts?.columns.get(name)?.generation === "generated" || facts === null}
        />
      )}
      {opened?.dialog === "delete-index" && index && (
        <ChangeDialog
          {...shared}
          title={`Delete index ${name}?`}
          action="Delete index"
          isDanger
          statement={dropIndex(text, table, name, index.definition)}
          notice={`Deleted ${name}`}
        >
          <p>Queries that use the index become slower. A unique index no longer prevents duplicate values.</p>
        </ChangeDialog>
      )}
      {opened?.dialog === "delete-constraint" && constraint && (
        <ChangeDialog
          {...shared}
          title={`Delete constraint ${name}?`}
          action="Delete constraint"
          isDanger
          statement={dropConstraint(text, table, name, constraint.definition)}
          notice={`Deleted ${name}`}
        >
          <p>The database no longer checks new and changed rows against it.</p>
        </ChangeDialog>
      )}
    </div>
  );
}

interface ColumnsProps {
  readonly source: Source;
  readonly info: TableInfo;
  readonly types: ReadonlyMap<string, string>;
  readonly defaults: ReadonlyMap<string, string>;
  /** Absent if the columns cannot be changed. */
  readonly onEdit?: (name: string) => void;
  readonly onDelete?: (name: string) => void;
}

function Columns({ source, info, types, defaults, onEdit, onDelete }: ColumnsProps) {
  const keys = info.primary_key ?? [];
  return (
    <TableCard label="Columns">
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">Type</th>
          <th scope="col">Default</th>
          <th scope="col">Details</th>
          <th scope="col">References</th>
          {onEdit && <ActionsHead />}
        </tr>
      </thead>
      <tbody>
        {info.columns.map((column) => (
          <tr key={column.name}>
            <th scope="row">
              <span class="row">
                <bdi>{column.name}</bdi>
                {keys.includes(column.name) && <Key />}
              </span>
            </th>
            <td>
              <code>{types.get(column.name) ?? column.type}</code>
            </td>
            <td>
              <code>
                <bdi>{defaults.get(column.name)}</bdi>
              </code>
            </td>
            <td class="muted">{aboutColumn(column)}</td>
            <td>
              <Target source={source} info={info} column={column.name} />
            </td>
            {onEdit && onDelete && (
              <td class="structure-actions">
                <IconButton icon="edit" label={`Edit column ${column.name}`} onClick={() => onEdit(column.name)} />
                <IconButton
                  icon="remove"
                  label={`Delete column ${column.name}`}
                  onClick={() => onDelete(column.name)}
                />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </TableCard>
  );
}

const ActionsHead = () => (
  <th scope="col">
    <span class="visually-hidden">Actions</span>
  </th>
);

const aboutIndex = ({ primary, unique }: IndexInfo): string => (primary ? "Primary key" : unique ? "Unique" : "");

interface IndexesProps {
  readonly indexes: readonly IndexInfo[];
  /** `null` until loaded. */
  readonly usage: ReadonlyMap<string, IndexUsage> | null;
  readonly isDeletable: (name: string) => boolean;
  readonly onDelete: (name: string) => void;
}

function Indexes({ indexes, usage, isDeletable, onDelete }: IndexesProps) {
  if (indexes.length === 0) return null;
  return (
    <TableCard label="Indexes">
      <thead>
        <tr>
          <th scope="col">Indexes</th>
          <th scope="col">Details</th>
          <th scope="col">Definition</th>
          <th scope="col">Size</th>
          <th scope="col">Scans</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {indexes.map((index) => {
          const used = usage?.get(index.name);
          return (
            <tr key={index.name}>
              <th scope="row">
                <bdi>{index.name}</bdi>
              </th>
              <td class="muted">{aboutIndex(index)}</td>
              <td>
                <code>
                  <bdi>{index.definition}</bdi>
                </code>
              </td>
              <td class="structure-size">{used && sizeText(used.bytes)}</td>
              <td>
                {used && (
                  <span class="row">
                    {used.uses.toLocaleString()}
                    {used.uses === 0 && !index.unique && (
                      <span class="badge warn" title="No scans since the statistics of the database were reset">
                        Unused
                      </span>
                    )}
                  </span>
                )}
              </td>
              <td class="structure-actions">
                {isDeletable(index.name) && (
                  <IconButton icon="remove" label={`Delete index ${index.name}`} onClick={() => onDelete(index.name)} />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </TableCard>
  );
}

const units = ["bytes", "kB", "MB", "GB", "TB"];

function sizeText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toLocaleString(undefined, { maximumFractionDigits: 1 })} ${units[power]}`;
}

interface DefinitionsProps {
  readonly title: string;
  readonly rows: readonly { readonly name: string; readonly about: string; readonly definition: string }[];
  /** Absent if the rows cannot be deleted. */
  readonly onDelete?: (name: string) => void;
}

function Definitions({ title, rows, onDelete }: DefinitionsProps) {
  if (rows.length === 0) return null;
  return (
    <TableCard label={title}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">Details</th>
          <th scope="col">Definition</th>
          {onDelete && <ActionsHead />}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, about, definition }) => (
          <tr key={name}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            <td class="muted">{about}</td>
            <td>
              <code>
                <bdi>{definition}</bdi>
              </code>
            </td>
            {onDelete && (
              <td class="structure-actions">
                <IconButton icon="remove" label={`Delete constraint ${name}`} onClick={() => onDelete(name)} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </TableCard>
  );
}

function TableCard({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section class="card table-card" aria-label={label} tabIndex={0}>
      <table class="plain-table">{children}</table>
    </section>
  );
}

function Key() {
  return (
    <span class="badge accent" title="Part of the primary key">
      <Icon name="key" /> Primary key
    </span>
  );
}

const generated: Readonly<Record<string, string>> = {
  auto_increment: "auto-increment",
  default_value: "has a default",
  unique_identifier: "generated by the database",
};

function aboutColumn({ nullable, value_generated: made, updatable, description }: ColumnInfo): string {
  const facts = [
    nullable ? "nullable" : "",
    made ? (generated[made.type] ?? made.type) : "",
    updatable === false ? "read-only" : "",
  ];
  const summary = capitalized(facts.filter((fact) => fact !== "").join(", "));
  return [summary, description ?? ""].filter((part) => part !== "").join(". ");
}

interface TargetProps {
  readonly source: Source;
  readonly info: TableInfo;
  readonly column: string;
}

function Target({ source, info, column }: TargetProps) {
  const found = Object.values(info.foreign_keys ?? {}).find(({ column_mapping: mapping }) => column in mapping);
  if (!found) return null;
  const { schema, name } = found.foreign_table;
  return (
    <Link to={["data", source.name, schema, name]}>
      <bdi>{`${name}.${found.column_mapping[column] ?? ""}`}</bdi>
    </Link>
  );
}
