/** Form with the common fields of a definition. It preserves all other members. */
import { useEffect, useState } from "preact/hooks";
import { jsonText, parseRaw } from "../../http/json.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { capitalized } from "../../parts/cell-text.ts";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { isJsonObject, valueAt, withValueAt } from "./json-paths.ts";
import type { DefinitionField } from "./kinds.ts";

interface DefinitionFormProps {
  readonly fields: readonly DefinitionField[];
  readonly value: JsonObject;
  readonly isNew: boolean;
  readonly onChange: (value: JsonObject) => void;
}

/** Returns true for a check box. Check boxes are grouped in one row. */
const isCheck = ({ kind }: DefinitionField): boolean => kind === "check";

export function DefinitionForm({ fields, value, isNew, onChange }: DefinitionFormProps) {
  const show = (field: DefinitionField) => (
    <FieldOf
      key={field.path.join(".")}
      field={field}
      value={valueAt(value, field.path)}
      isDisabled={field.isFixed === true && !isNew}
      onChange={(part) => onChange(withValueAt(value, field.path, part))}
    />
  );
  const isWide = ({ kind }: DefinitionField): boolean => kind === "json" || kind === "headers";
  const checks = fields.filter(isCheck);
  return (
    <div class="stack">
      <div class="form-grid">{fields.filter((field) => !isCheck(field) && !isWide(field)).map(show)}</div>
      {checks.length > 0 && <div class="row ticks">{checks.map(show)}</div>}
      {fields.filter(isWide).map(show)}
    </div>
  );
}

interface FieldOfProps {
  readonly field: DefinitionField;
  readonly value: Json | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (value: Json | undefined) => void;
}

function FieldOf({ field, value, isDisabled, onChange }: FieldOfProps) {
  const { label, hint } = field;
  const about = { label, ...(hint !== undefined && { hint }) };
  switch (field.kind) {
    case "text":
      return (
        <TextField
          {...about}
          isCode
          required={field.isRequired === true}
          disabled={isDisabled}
          value={typeof value === "string" ? value : ""}
          onInput={(text) => onChange(text === "" && field.isRequired !== true ? undefined : text)}
        />
      );
    case "number":
      return (
        <TextField
          {...about}
          type="number"
          isCode
          value={typeof value === "number" ? String(value) : ""}
          onInput={(text) => onChange(text === "" ? undefined : Number(text))}
        />
      );
    case "check":
      return (
        <CheckField
          label={label}
          checked={value !== undefined && value !== false && value !== null}
          onChange={(checked) => onChange(checked ? field.on : undefined)}
        />
      );
    case "choice":
      return (
        <SelectField
          {...about}
          value={typeof value === "string" ? value : (field.choices[0] ?? "")}
          choices={field.choices.map((choice) => ({ value: choice, label: capitalized(choice) }))}
          onChange={onChange}
        />
      );
    case "headers":
      return <HeadersField value={value} onChange={onChange} />;
    case "json":
      return <JsonField {...about} value={value} onChange={onChange} />;
  }
}

interface JsonFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
}

const jsonTextOf = (value: Json | undefined): string => (value === undefined ? "" : jsonText(value));

/** Renders a text area for JSON. Invalid text stays in the field with an error and is not passed to `onChange`. */
export function JsonField({ label, hint, value, onChange }: JsonFieldProps) {
  const [text, setText] = useState(jsonTextOf(value));
  const [passed, setPassed] = useState(jsonTextOf(value));
  const [error, setError] = useState<string | null>(null);
  const now = jsonTextOf(value);
  useEffect(() => {
    if (now === passed) return;
    setText(now);
    setPassed(now);
    setError(null);
  }, [now]);
  const change = (next: string): void => {
    setText(next);
    try {
      const read = next.trim() === "" ? undefined : (parseRaw(next) as Json);
      setError(null);
      setPassed(jsonTextOf(read));
      onChange(read);
    } catch (thrown) {
      setError(`Invalid JSON: ${thrown instanceof Error ? thrown.message : ""}`);
    }
  };
  return (
    <TextField
      label={label}
      isCode
      rows={Math.min(12, Math.max(3, text.split("\n").length))}
      value={text}
      onInput={change}
      error={error}
      {...(hint !== undefined && { hint })}
    />
  );
}

// Headers of a webhook, whose values are literals or come from environment variables.

interface HeadersFieldProps {
  readonly value: Json | undefined;
  /** Receives `undefined` for no headers. */
  readonly onChange: (value: Json | undefined) => void;
}

type From = "value" | "value_from_env";

const origins = [
  { value: "value", label: "Value" },
  { value: "value_from_env", label: "Environment variable" },
] as const;

const textAt = (header: JsonObject, key: string): string => {
  const found = header[key];
  return typeof found === "string" ? found : "";
};

function HeadersField({ value, onChange }: HeadersFieldProps) {
  const headers = Array.isArray(value) ? value.filter(isJsonObject) : [];
  const put = (next: readonly JsonObject[]): void => onChange(next.length === 0 ? undefined : next);
  const change = (index: number, part: JsonObject): void =>
    put(headers.map((header, at) => (at === index ? part : header)));
  return (
    <fieldset class="stack">
      <legend class="field-label">Headers</legend>
      {headers.map((header, index) => {
        const number = index + 1;
        const from: From = "value_from_env" in header ? "value_from_env" : "value";
        const name = textAt(header, "name");
        return (
          <div key={index} class="webhook-header">
            <TextField
              label={`Name of header ${number}`}
              isBare
              isCode
              placeholder="Name"
              value={name}
              onInput={(next) => change(index, { ...header, name: next })}
            />
            <SelectField<From>
              label={`Source of header ${number}`}
              isBare
              value={from}
              choices={origins}
              onChange={(next) => change(index, { name, [next]: textAt(header, from) })}
            />
            <TextField
              label={`Value of header ${number}`}
              isBare
              isCode
              placeholder={from === "value" ? "Value" : "Variable name"}
              value={textAt(header, from)}
              onInput={(next) => change(index, { ...header, [from]: next })}
            />
            <IconButton
              icon="remove"
              label={`Remove header ${number}`}
              onClick={() => put(headers.filter((_each, at) => at !== index))}
            />
          </div>
        );
      })}
      <div>
        <Button icon="add" onClick={() => put([...headers, { name: "", value: "" }])}>
          Add header
        </Button>
      </div>
    </fieldset>
  );
}
