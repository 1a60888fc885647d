/** Dialog that copies permissions from role to role and from table to table. */
import { useId, useMemo, useState } from "preact/hooks";
import { describeTable } from "../../http/data-api.ts";
import type { Source, Table } from "../../http/metadata-types.ts";
import { ErrorBox } from "../../parts/error-box.tsx";
import { CheckField, TextField } from "../../parts/field.tsx";
import { shownName } from "../../parts/table-name.ts";
import { useLoaded } from "../../parts/use-loaded.ts";
import { asOne } from "../../state/metadata.ts";
import { cellCount, permissionCount } from "./bulk-dialogs.tsx";
import { copy, countPermissions } from "./cell-changes.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { type Action, actions, type Cell } from "./draft.ts";
import { KindChoice } from "./kind-choice.tsx";
import { allRoles } from "./new-roles.ts";
import { useProblem } from "./problems.ts";

interface CopyDialogProps {
  readonly source: Source;
  /** Cells to copy; without them, fields select a role and a table. */
  readonly cells?: readonly Cell[];
  /** Initial role and table to copy from. */
  readonly role?: string;
  readonly table?: Table;
  readonly onClose: () => void;
}

export function CopyDialog({ source, cells: given, role = "", table, onClose }: CopyDialogProps) {
  const nameOf = (each: Table): string => shownName(source.kind, each.table);
  const [fromRole, setFromRole] = useState(role);
  const [fromTable, setFromTable] = useState(table ? nameOf(table) : "");
  const [toRole, setToRole] = useState("");
  const [toTable, setToTable] = useState("");
  const [kinds, setKinds] = useState<readonly Action[]>(actions);
  const [isReplacing, setReplacing] = useState(false);
  const byName = useMemo(() => new Map(source.tables.map((each) => [nameOf(each), each])), [source]);
  const cells = useMemo(
    () => given ?? cellsOf(source, fromRole, byName.get(fromTable), fromTable),
    [source, given, byName, fromRole, fromTable],
  );
  const isOneRole = new Set(cells.map((cell) => cell.role)).size === 1;
  const isOneTable = new Set(cells.map((cell) => cell.table)).size === 1;
  const target = isOneTable ? (byName.get(toTable) ?? null) : null;
  const { columns, error, isReady } = useColumns(source, target);
  const change = useMemo(
    () =>
      copy(source, cells, kinds, {
        role: isOneRole && toRole !== "" ? toRole : null,
        table: target,
        columns,
        isReplacing,
      }),
    [source, cells, kinds, isOneRole, toRole, target, columns, isReplacing],
  );
  const hasTarget = (isOneRole && toRole !== "") || target !== null;
  return (
    <ChangeDialog
      title={given ? `Copy permissions of ${cellCount(given.length)}` : "Copy permissions"}
      operation={hasTarget && isReady && change.count > 0 ? asOne(change.operations) : null}
      roles={change.roles}
      notice={`Copied ${permissionCount(change.count)}`}
      onClose={onClose}
    >
      {!given && (
        <div class="form-grid">
          <NameField
            label="From role"
            hint="Empty for all roles."
            value={fromRole}
            names={allRoles.value}
            kind="role"
            onInput={setFromRole}
          />
          <NameField
            label="From table"
            hint="Empty for all tables."
            value={fromTable}
            names={[...byName.keys()]}
            kind="table"
            onInput={setFromTable}
          />
        </div>
      )}
      <KindChoice chosen={kinds} counts={countPermissions(cells)} onChange={setKinds} />
      <div class="form-grid">
        <NameField
          label="To role"
          hint={isOneRole ? "Empty for the same role. A new name creates a role." : "Each permission keeps its role."}
          value={isOneRole ? toRole : ""}
          names={allRoles.value}
          kind="new role"
          isDisabled={!isOneRole}
          onInput={setToRole}
        />
        <NameField
          label="To table"
          hint={isOneTable ? "Empty for the same table." : "Each permission keeps its table."}
          value={isOneTable ? toTable : ""}
          names={[...byName.keys()]}
          kind="table"
          isDisabled={!isOneTable}
          onInput={setToTable}
        />
      </div>
      <CheckField label="Replace existing permissions" checked={isReplacing} onChange={setReplacing} />
      {error !== null && <ErrorBox error={error} />}
      {hasTarget && (
        <p role="status">
          {`Copies ${permissionCount(change.count)}.`}
          {change.kept > 0 && ` Keeps ${permissionCount(change.kept)} of the target.`}
        </p>
      )}
      {change.missing.length > 0 && (
        <p class="field-error">
          The target table lacks <bdi>{change.missing.join(", ")}</bdi>: left out of columns and presets.
        </p>
      )}
    </ChangeDialog>
  );
}

/** Returns the cells of a role on a table. Empty names stand for all. */
function cellsOf(source: Source, role: string, table: Table | undefined, name: string): readonly Cell[] {
  const tables = table ? [table] : name === "" ? source.tables : [];
  const names = role === "" ? allRoles.value : [role];
  return tables.flatMap((each) => names.map((every) => ({ table: each, role: every })));
}

/** Loads the names of the columns of the target table. */
function useColumns(source: Source, target: Table | null) {
  const location = target && { source: source.name, kind: source.kind, table: target.table };
  const { value, error } = useLoaded(
    () => (location ? describeTable(location) : Promise.resolve(null)),
    JSON.stringify(location),
  );
  const columns = useMemo(() => (value ? new Set(value.columns.map(({ name }) => name)) : null), [value]);
  return { columns, error, isReady: target === null || columns !== null };
}

interface NameFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly names: readonly string[];
  readonly kind: "role" | "new role" | "table";
  readonly isDisabled?: boolean;
  readonly onInput: (value: string) => void;
}

/** Text field with suggestions. Roles to copy to may be new; other names must exist. */
function NameField({ label, hint, value, names, kind, isDisabled = false, onInput }: NameFieldProps) {
  const id = useId();
  const isKnown = value === "" || names.includes(value);
  const problem =
    kind === "new role"
      ? value === "admin"
        ? "The role admin has access to everything and no permissions."
        : null
      : isKnown
        ? null
        : `No ${kind} has this name.`;
  useProblem(problem);
  return (
    <>
      <TextField
        label={label}
        hint={hint}
        error={problem}
        disabled={isDisabled}
        list={id}
        value={value}
        onInput={(text) => onInput(text.trim())}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
