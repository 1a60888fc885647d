/** Operand of a condition or value of a preset: a value of the column's type, or a session variable. */
import { useState } from "preact/hooks";
import type { ColumnOperator, Json } from "../../http/metadata-types.ts";
import { SelectField, TextField } from "../../parts/field.tsx";
import { isSessionVariable, readValue, valueProblem, valueText } from "./conditions.ts";
import { useProblem } from "./problems.ts";
import { sessionVariableList } from "./session-variables.tsx";

interface ValueFieldProps {
  readonly label: string;
  /** Label of the choice between a value and a session variable. */
  readonly kindLabel: string;
  /** `undefined` if the column lacks the operator. */
  readonly operator: Omit<ColumnOperator, "name"> | undefined;
  readonly value: Json;
  /** True if null is a value. */
  readonly isNullable?: boolean;
  readonly onChange: (value: Json) => void;
}

type Mode = "value" | "session" | "null";

/** Not called with a text that is not a value. */
export function ValueField({ label, kindLabel, operator, value, isNullable = false, onChange }: ValueFieldProps) {
  // Text that is not the text of `value`: invalid, or written in another way.
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: string } | null>(null);
  const current = JSON.stringify(value);
  const isNull = isNullable && value === null && (typed === null || typed.value !== current);
  const text = typed?.value === current ? typed.text : isNull ? "" : valueText(value, operator);
  const problem = isNull ? null : valueProblem(text, operator);
  useProblem(problem);
  const read = (input: string): void => {
    const valid = valueProblem(input, operator) === null;
    const after = valid ? readValue(input, operator) : value;
    setTyped({ text: input, value: JSON.stringify(after) });
    if (valid) onChange(after);
  };
  const mode: Mode = isNull ? "null" : isSessionVariable(text.trim()) ? "session" : "value";
  const changeMode = (chosen: Mode): void => {
    if (chosen === "session") read("X-Engine-User-Id");
    else if (chosen === "value") read(initialTexts[operator?.operand ?? "text"] ?? "");
    else {
      setTyped(null);
      onChange(null);
    }
  };
  const isChoice = mode === "value" && operator?.operand === "boolean" && operator.list !== true && problem === null;
  return (
    <div class="value-field">
      <SelectField<Mode>
        label={kindLabel}
        isBare
        value={mode}
        choices={[
          { value: "value", label: kindNames[operator?.operand ?? "json"] ?? "Value" },
          { value: "session", label: "Session variable" },
          ...(isNullable ? [{ value: "null", label: "Null" } as const] : []),
        ]}
        onChange={changeMode}
      />
      {isChoice && (
        <SelectField
          label={label}
          isBare
          value={text}
          choices={[
            { value: "true", label: "true" },
            { value: "false", label: "false" },
          ]}
          onChange={read}
        />
      )}
      {!isChoice && mode !== "null" && (
        <TextField
          label={label}
          isBare
          isCode
          list={sessionVariableList}
          placeholder={operator?.list === true ? "Values, separated by commas" : "Value or X-Engine-User-Id"}
          error={problem}
          value={text}
          onInput={read}
        />
      )}
    </div>
  );
}

/** Texts with which a field begins after the switch from a session variable. */
const initialTexts: Readonly<Record<string, string>> = { boolean: "true", json: "{}", number: "0" };

const kindNames: Readonly<Record<string, string>> = {
  boolean: "Boolean",
  json: "JSON",
  number: "Number",
  text: "Text",
};
