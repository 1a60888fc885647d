/** Form fields of a condition: column, operator, value. */
import type { ColumnInfo } from "../../http/data-api.ts";
import { IconButton } from "../../parts/button.tsx";
import { SelectField } from "../../parts/field.tsx";
import { operatorChoices } from "../../parts/operator-labels.ts";
import { type Condition, isSessionVariable, readValue, valueText } from "./conditions.ts";
import { ValueField } from "./value-field.tsx";

interface ConditionRowProps {
  readonly columns: readonly ColumnInfo[];
  readonly condition: Condition;
  readonly number: string;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}

export function ConditionRow({ columns, condition, number, onChange, onRemove }: ConditionRowProps) {
  const { column, operator, value } = condition;
  const info = columns.find(({ name }) => name === column);
  const operatorNamed = (name: string) => info?.operators.find((each) => each.name === name);
  const isColumn = operatorNamed(operator)?.operand === "column";
  const change = (part: Partial<Condition>): void => onChange({ ...condition, ...part });
  const changeColumn = (name: string): void => {
    const operators = columns.find((each) => each.name === name)?.operators ?? [];
    const isKnown = operators.some((each) => each.name === operator);
    if (isKnown || operators.length === 0) change({ column: name });
    else change({ column: name, operator: "_eq", ...(isColumn && { value: "X-Engine-User-Id" }) });
  };
  const changeOperator = (name: string): void => {
    const chosen = operatorNamed(name);
    if ((chosen?.operand === "column") !== isColumn) {
      // A column name is not a valid value, and a value is not a column name.
      change({ operator: name, value: isColumn ? "X-Engine-User-Id" : (columns[0]?.name ?? "") });
    } else {
      const read = isColumn ? value : readValue(valueText(value), chosen);
      const isUnread = chosen?.operand === "boolean" && typeof read !== "boolean" && !isSessionVariable(read);
      change({ operator: name, value: isUnread ? true : read });
    }
  };
  return (
    <div class="condition">
      <SelectField
        label={`Column of condition ${number}`}
        isBare
        value={column}
        choices={columns.map(({ name }) => ({ value: name, label: name }))}
        onChange={changeColumn}
      />
      <SelectField<string>
        label={`Operator of condition ${number}`}
        isBare
        value={operator}
        choices={operatorChoices(info, operator)}
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
        <ValueField
          label={`Value of condition ${number}`}
          kindLabel={`Type of condition ${number}`}
          operator={operatorNamed(operator)}
          value={value}
          onChange={(read) => change({ value: read })}
        />
      )}
      <IconButton icon="remove" label={`Remove condition ${number}`} onClick={onRemove} />
    </div>
  );
}
