/** Row filter with one condition, which the user types or a followed foreign key sets. */
import { useState } from "preact/hooks";
import type { TableInfo } from "../../http/data-api.ts";
import type { ColumnOperator, Json, JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { operatorChoices } from "../../parts/operator-labels.ts";
import { readTyped } from "./typed-value.ts";

export function readFilter(text: string | null): JsonObject {
  try {
    const found: unknown = JSON.parse(text ?? "{}");
    return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as JsonObject) : {};
  } catch {
    return {};
  }
}

interface RowFilterProps {
  readonly info: TableInfo;
  readonly where: JsonObject;
  readonly onChange: (where: JsonObject) => void;
}

export function RowFilter({ info: table, where, onChange }: RowFilterProps) {
  // Columns of types without comparison have no operators.
  const columns = table.columns.filter(({ operators }) => operators.length > 0);
  const [column, setColumn] = useState(columns[0]?.name ?? "");
  const [comparison, setComparison] = useState("_eq");
  const [text, setText] = useState("");
  const isFiltered = Object.keys(where).length > 0;
  const info = columns.find(({ name }) => name === column);
  const operator = info?.operators.find(({ name }) => name === comparison);
  const apply = (): void => {
    onChange({ [column]: { [comparison]: readOperand(text, operator) } });
  };
  const chooseColumn = (name: string): void => {
    setColumn(name);
    const has = columns.find((each) => each.name === name)?.operators.some((each) => each.name === comparison);
    if (!has) setComparison("_eq");
  };
  return (
    <Form class="row row-filter" onSubmit={apply}>
      <SelectField
        label="Filter column"
        isBare
        value={column}
        choices={columns.map(({ name }) => ({ value: name, label: name }))}
        onChange={chooseColumn}
      />
      <SelectField
        label="Filter operator"
        isBare
        value={comparison}
        choices={operatorChoices(info, comparison)}
        onChange={setComparison}
      />
      <TextField
        label="Filter value"
        isBare
        placeholder={operator?.operand === "boolean" ? "true or false" : "Value"}
        value={text}
        onInput={setText}
      />
      <Button icon="filter" type="submit">
        Filter
      </Button>
      {isFiltered && (
        <Button icon="close" kind="quiet" onClick={() => onChange({})} title={JSON.stringify(where)}>
          Clear filter
        </Button>
      )}
    </Form>
  );
}

function readOperand(text: string, operator: ColumnOperator | undefined): Json {
  const { name, operand = "text", list } = operator ?? {};
  if (operand === "column") return text;
  if (operand === "boolean" && text.trim() === "") return true;
  if ((name === "_like" || name === "_ilike") && !text.includes("%")) return `%${text}%`;
  return list ? text.split(",").map((part) => readTyped(part.trim(), operand)) : readTyped(text, operand);
}
