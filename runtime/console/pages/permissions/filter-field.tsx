/** A row filter: built by clicking, or written as JSON. */
import { useState } from "preact/hooks";
import type { ColumnInfo } from "../../http/data-api.ts";
import type { Json } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { type Condition, conditionsOf, filterOf, operators, readValue, valueText } from "./conditions.ts";

interface FilterFieldProps {
  readonly label: string;
  readonly filter: Json;
  readonly columns: readonly ColumnInfo[];
  readonly onChange: (filter: Json) => void;
  /** Told whether what is written can be read. */
  readonly onProblem: (problem: string | null) => void;
}

export function FilterField({ label, filter, columns, onChange, onProblem }: FilterFieldProps) {
  const conditions = conditionsOf(filter ?? {}, new Set(columns.map(({ name }) => name)));
  const [isWritten, setWritten] = useState(conditions === null);
  const mode = isWritten || conditions === null ? "written" : "built";
  return (
    <fieldset class="filter-field stack">
      <div class="spread">
        <legend class="field-label">{label}</legend>
        <div class="row">
          <Button
            kind="quiet"
            pressed={mode === "built"}
            disabled={conditions === null}
            onClick={() => setWritten(false)}
          >
            Build
          </Button>
          <Button kind="quiet" pressed={mode === "written"} onClick={() => setWritten(true)}>
            Write
          </Button>
        </div>
      </div>
      {mode === "built" && conditions ? (
        <Builder conditions={conditions} columns={columns} onChange={(changed) => onChange(filterOf(changed))} />
      ) : (
        <Written label={label} filter={filter} onChange={onChange} onProblem={onProblem} />
      )}
    </fieldset>
  );
}

interface BuilderProps {
  readonly conditions: readonly Condition[];
  readonly columns: readonly ColumnInfo[];
  readonly onChange: (conditions: readonly Condition[]) => void;
}

function Builder({ conditions, columns, onChange }: BuilderProps) {
  const change = (index: number, part: Partial<Condition>): void =>
    onChange(conditions.map((each, at) => (at === index ? { ...each, ...part } : each)));
  const typeOf = (name: string): string => columns.find((column) => column.name === name)?.type ?? "text";
  const [first] = columns;
  return (
    <div class="stack">
      {conditions.length === 0 && <p class="muted">All rows. Add a condition to let fewer through.</p>}
      {conditions.map((condition, index) => {
        const { column, operator, value } = condition;
        const number = index + 1;
        return (
          <div key={index} class="condition">
            <SelectField
              label={`Column of condition ${number}`}
              isBare
              value={column}
              choices={columns.map(({ name }) => ({ value: name, label: name }))}
              onChange={(name) => change(index, { column: name })}
            />
            <SelectField<string>
              label={`Comparison of condition ${number}`}
              isBare
              value={operator}
              choices={operators}
              onChange={(name) =>
                change(index, { operator: name, value: readValue(valueText(value), name, typeOf(column)) })
              }
            />
            <TextField
              label={`Value of condition ${number}`}
              isBare
              isCode
              placeholder="a value, or X-Engine-User-Id"
              value={valueText(value)}
              onInput={(text) => change(index, { value: readValue(text, operator, typeOf(column)) })}
            />
            <IconButton
              icon="remove"
              label={`Remove condition ${number}`}
              onClick={() => onChange(conditions.filter((_each, at) => at !== index))}
            />
          </div>
        );
      })}
      {first && (
        <div>
          <Button
            icon="add"
            onClick={() =>
              onChange([...conditions, { column: first.name, operator: "_eq", value: "X-Engine-User-Id" }])
            }
          >
            Condition
          </Button>
        </div>
      )}
    </div>
  );
}

type WrittenProps = Pick<FilterFieldProps, "label" | "filter" | "onChange" | "onProblem">;

function Written({ label, filter, onChange, onProblem }: WrittenProps) {
  const [text, setText] = useState(() => JSON.stringify(filter ?? {}, null, 2));
  const read = (written: string): void => {
    setText(written);
    try {
      onChange(JSON.parse(written.trim() === "" ? "{}" : written));
      onProblem(null);
    } catch (error) {
      onProblem(`The filter is not JSON: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <div class="filter-text">
      <CodeEditor label={`${label}, as JSON`} language="json" value={text} onChange={read} />
    </div>
  );
}
