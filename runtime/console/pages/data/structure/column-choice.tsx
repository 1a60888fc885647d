/** Ordered choice of columns of a table. */
import { IconButton } from "../../../parts/button.tsx";
import { SelectField } from "../../../parts/field.tsx";

interface ColumnChoiceProps {
  readonly columns: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

export function ColumnChoice({ columns, chosen, onChange }: ColumnChoiceProps) {
  const rest = columns.filter((column) => !chosen.includes(column));
  return (
    <fieldset class="stack">
      <legend class="field-label">Columns</legend>
      <div class="row">
        {chosen.map((column) => (
          <span key={column} class="badge">
            <bdi>{column}</bdi>
            <IconButton
              icon="close"
              label={`Remove ${column}`}
              onClick={() => onChange(chosen.filter((each) => each !== column))}
            />
          </span>
        ))}
        {rest.length > 0 && (
          <SelectField
            label="Add column"
            isBare
            value=""
            choices={[
              { value: "", label: chosen.length === 0 ? "Choose a column" : "Add a column" },
              ...rest.map((value) => ({ value, label: value })),
            ]}
            onChange={(column) => {
              if (column !== "") onChange([...chosen, column]);
            }}
          />
        )}
      </div>
    </fieldset>
  );
}
