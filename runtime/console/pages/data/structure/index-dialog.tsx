/** Dialog that adds an index. */
import { useState } from "preact/hooks";
import type { QualifiedName, Source } from "../../../http/metadata-types.ts";
import { CheckField, SelectField, TextField } from "../../../parts/field.tsx";
import { ChangeDialog } from "./change-dialog.tsx";
import { ColumnChoice } from "./column-choice.tsx";
import { proposedName } from "./names.ts";
import { sqlTextOf } from "./sql-texts.ts";
import { addIndex } from "./statements.ts";

interface AddIndexProps {
  readonly source: Source;
  readonly table: QualifiedName;
  readonly columns: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function AddIndex({ source, table, columns, ...rest }: AddIndexProps) {
  const text = sqlTextOf(source.kind);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [descending, setDescending] = useState<readonly string[]>([]);
  const [name, setName] = useState<string | null>(null);
  const [isUnique, setUnique] = useState(false);
  const [method, setMethod] = useState(text.methods[0] ?? "");
  const [where, setWhere] = useState("");
  const used = name ?? proposedName(table.name, chosen, "idx");
  const keys = chosen.map((each) => ({ name: each, isDescending: descending.includes(each) }));
  const isComplete = chosen.length > 0 && used.trim() !== "";
  return (
    <ChangeDialog
      {...rest}
      source={source}
      title="Add index"
      action="Add index"
      statement={isComplete ? addIndex(text, { table, name: used, columns: keys, isUnique, method, where }) : null}
      incomplete={chosen.length === 0 ? "Select columns." : "Enter a name."}
      notice={`Added ${used}`}
    >
      <ColumnChoice columns={columns} chosen={chosen} onChange={setChosen} />
      {chosen.length > 0 && (
        <fieldset class="row">
          <legend class="field-label">Descending</legend>
          {chosen.map((each) => (
            <CheckField
              key={each}
              label={<bdi>{each}</bdi>}
              checked={descending.includes(each)}
              onChange={(is) =>
                setDescending(is ? [...descending, each] : descending.filter((other) => other !== each))
              }
            />
          ))}
        </fieldset>
      )}
      <div class="form-grid">
        <TextField label="Name" isCode value={used} onInput={setName} />
        <SelectField
          label="Method"
          value={method}
          choices={text.methods.map((value) => ({ value, label: value }))}
          onChange={setMethod}
        />
        <TextField label="Only rows where (SQL)" isCode placeholder="All rows" value={where} onInput={setWhere} />
      </div>
      <CheckField label="Unique" checked={isUnique} onChange={setUnique} />
    </ChangeDialog>
  );
}
