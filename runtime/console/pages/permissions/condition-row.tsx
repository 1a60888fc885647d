/** One condition on a column: column, comparison, value. */
import type { ColumnInfo } from "../../http/data-api.ts";
import { IconButton } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { type Condition, columnOperators, isKnownOperator, operatorsOf, readValue, valueText } from "./conditions.ts";

interface ConditionRowProps {
  /** Of the source. */
  readonly kind: string;
  readonly columns: readonly ColumnInfo[];
  readonly condition: Condition;
  readonly number: string;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}

export function ConditionRow({ kind, columns, condition, number, onChange, onRemove }: ConditionRowProps) {
  const { column, operator, value } = condition;
  const change = (part: Partial<Condition>): void => onChange({ ...condition, ...part });
  const typeOf = (name: string): string => columns.find((each) => each.name === name)?.type ?? "text";
  const usual = operatorsOf(kind);
  const choices = isKnownOperator(operator) ? usual : [...usual, { value: operator, label: operator }];
  const isColumn = columnOperators.has(operator);
  const changeOperator = (name: string): void => {
    if (columnOperators.has(name) !== isColumn) {
      // The name of a column is no value, nor the other way round.
      change({ operator: name, value: isColumn ? "X-Engine-User-Id" : (columns[0]?.name ?? "") });
    } else {
      change({ operator: name, value: isColumn ? value : readValue(valueText(value), name, typeOf(column)) });
    }
  };
  return (
    <div class="condition">
      <SelectField
        label={`Column of condition ${number}`}
        isBare
        value={column}
        choices={columns.map(({ name }) => ({ value: name, label: name }))}
        onChange={(name) => change({ column: name })}
      />
      <SelectField<string>
        label={`Comparison of condition ${number}`}
        isBare
        value={operator}
        choices={choices}
        onChange={changeOperator}
      />
      {isColumn && typeof value === "string" ? (
        <SelectField
          label={`Other column of condition ${number}`}
          isBare
          value={value}
          choices={columns.map(({ name }) => ({ value: name, label: name }))}
          onChange={(name) => change({ value: name })}
        />
      ) : (
        <TextField
          label={`Value of condition ${number}`}
          isBare
          isCode
          placeholder="a value, or X-Engine-User-Id"
          value={valueText(value)}
          onInput={(text) => change({ value: readValue(text, operator, typeOf(column)) })}
        />
      )}
      <IconButton icon="remove" label={`Remove condition ${number}`} onClick={onRemove} />
    </div>
  );
}
