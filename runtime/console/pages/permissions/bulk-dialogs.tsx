/** Dialogs that change the permissions of the selected cells: delete, set the row filter. */
import { useMemo, useState } from "preact/hooks";
import type { Json, Source } from "../../http/metadata-types.ts";
import { shownName } from "../../parts/table-name.ts";
import { asOne } from "../../state/metadata.ts";
import { countPermissions, deletion, filterChange } from "./cell-changes.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { type Action, actions, type Cell } from "./draft.ts";
import { FilterField } from "./filter-field.tsx";
import { filterSentence } from "./filter-words.ts";
import { KindChoice } from "./kind-choice.tsx";
import { SessionVariableList } from "./session-variables.tsx";

interface BulkDialogProps {
  readonly source: Source;
  readonly cells: readonly Cell[];
  readonly onClose: () => void;
}

export const permissionCount = (count: number): string => (count === 1 ? "1 permission" : `${count} permissions`);

export const cellCount = (count: number): string => (count === 1 ? "1 cell" : `${count} cells`);

export function DeletionDialog({ source, cells, onClose }: BulkDialogProps) {
  const [kinds, setKinds] = useState<readonly Action[]>(actions);
  const change = useMemo(() => deletion(source, cells, kinds), [source, cells, kinds]);
  return (
    <ChangeDialog
      title={`Delete permissions of ${cellCount(cells.length)}`}
      operation={change.count === 0 ? null : asOne(change.operations)}
      roles={change.roles}
      notice={`Deleted ${permissionCount(change.count)}`}
      deleteLabel={`Delete ${permissionCount(change.count)}`}
      onClose={onClose}
    >
      <KindChoice chosen={kinds} counts={countPermissions(cells)} onChange={setKinds} />
    </ChangeDialog>
  );
}

export function FilterDialog({ source, cells, onClose }: BulkDialogProps) {
  const [kinds, setKinds] = useState<readonly Action[]>(["select"]);
  const [filter, setFilter] = useState<Json>({});
  const [isEdited, setEdited] = useState(false);
  const change = useMemo(() => filterChange(source, cells, kinds, filter), [source, cells, kinds, filter]);
  const [first] = cells;
  if (!first) return null;
  const name = shownName(source.kind, first.table.table);
  return (
    <ChangeDialog
      title={`Set the row filter of ${cellCount(cells.length)}`}
      operation={!isEdited || change.count === 0 ? null : asOne(change.operations)}
      roles={change.roles}
      notice={`Saved the row filter of ${permissionCount(change.count)}`}
      onClose={onClose}
    >
      <SessionVariableList />
      <KindChoice chosen={kinds} counts={countPermissions(cells)} onChange={setKinds} />
      <p class="muted">
        The filter replaces that of each existing permission, or the check of an insert permission. The form offers the
        columns of <bdi>{name}</bdi>; every selected table needs the columns of the filter.
      </p>
      <FilterField
        label="Row filter"
        filter={filter}
        sentence={filterSentence("Each role", "select", filter)}
        location={{ source: source.name, kind: source.kind, table: first.table.table }}
        onChange={(value) => {
          setFilter(value);
          setEdited(true);
        }}
      />
    </ChangeDialog>
  );
}
