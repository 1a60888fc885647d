/** Fields of a foreign key: the referenced table, pairs of columns, and actions for deleted and updated rows. */
import { useEffect } from "preact/hooks";
import { describeTable } from "../../../http/data-api.ts";
import type { QualifiedName, Source } from "../../../http/metadata-types.ts";
import { capitalized } from "../../../parts/cell-text.ts";
import { ErrorBox } from "../../../parts/error-box.tsx";
import { SelectField } from "../../../parts/field.tsx";
import { useLoaded } from "../../../parts/use-loaded.ts";
import { arePairsComplete, type ColumnPair, ColumnPairs } from "./column-pairs.tsx";
import { sqlTextOf } from "./sql-texts.ts";
import type { NewForeignKey } from "./statements.ts";
import { TablePicker } from "./table-picker.tsx";

export interface ForeignKeyDraft {
  readonly table: QualifiedName | null;
  readonly pairs: readonly ColumnPair[];
  readonly onDelete: string;
  readonly onUpdate: string;
}

export function emptyForeignKey({ kind }: Source): ForeignKeyDraft {
  const [action = ""] = sqlTextOf(kind).actions;
  return { table: null, pairs: [{ from: "", to: "" }], onDelete: action, onUpdate: action };
}

/** Returns `null` while the fields are incomplete. */
export function foreignKeyOf({ table, pairs, onDelete, onUpdate }: ForeignKeyDraft): NewForeignKey | null {
  if (table === null || !arePairsComplete(pairs)) return null;
  return { table, columns: pairs.map(({ from }) => from), references: pairs.map(({ to }) => to), onDelete, onUpdate };
}

interface ForeignKeyFieldsProps {
  readonly source: Source;
  /** Columns of the table that gets the key. */
  readonly columns: readonly string[];
  readonly draft: ForeignKeyDraft;
  readonly onChange: (draft: ForeignKeyDraft) => void;
}

export function ForeignKeyFields({ source, columns, draft, onChange }: ForeignKeyFieldsProps) {
  const { table, pairs } = draft;
  const found = useLoaded(
    async () => table && describeTable({ source: source.name, kind: source.kind, table }),
    JSON.stringify([source.name, table]),
  );
  const info = found.value;
  useEffect(() => {
    const key = info?.primary_key ?? [];
    const isEmpty = pairs.every(({ to }) => to === "");
    if (key.length === 0 || !isEmpty) return;
    onChange({ ...draft, pairs: key.map((to, at) => ({ from: pairs[at]?.from ?? "", to })) });
  }, [info]);
  const actions = sqlTextOf(source.kind).actions.map((value) => ({ value, label: capitalized(value) }));
  return (
    <div class="stack">
      <TablePicker
        label="Referenced table"
        source={source}
        table={table}
        onChange={(chosen) => onChange({ ...draft, table: chosen, pairs: pairs.map(({ from }) => ({ from, to: "" })) })}
      />
      {found.error !== null && <ErrorBox error={found.error} />}
      <ColumnPairs
        pairs={pairs}
        own={columns}
        others={(info?.columns ?? []).map(({ name }) => name)}
        onChange={(changed) => onChange({ ...draft, pairs: changed })}
      />
      <div class="form-grid">
        <SelectField
          label="When a referenced row is deleted"
          value={draft.onDelete}
          choices={actions}
          onChange={(onDelete) => onChange({ ...draft, onDelete })}
        />
        <SelectField
          label="When a referenced key changes"
          value={draft.onUpdate}
          choices={actions}
          onChange={(onUpdate) => onChange({ ...draft, onUpdate })}
        />
      </div>
    </div>
  );
}
