/** Form with the common fields of a definition. It preserves all other members. */
import { useEffect, useId, useState } from "preact/hooks";
import { jsonText, parseRaw } from "../../http/json.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { capitalized } from "../../parts/cell-text.ts";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { HeadersField } from "./headers-field.tsx";
import { valueAt, withValueAt } from "./json-paths.ts";
import type { DefinitionField } from "./kinds.ts";
import { TriggerColumns } from "./trigger-columns.tsx";

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
      args={value}
      value={valueAt(value, field.path)}
      suggestions={"suggestions" in field ? (field.suggestions?.(value) ?? []) : []}
      isDisabled={field.isFixed === true && !isNew}
      onChange={(part) => onChange(withValueAt(value, field.path, part))}
    />
  );
  const isWide = ({ kind }: DefinitionField): boolean => ["json", "headers", "lines", "columns"].includes(kind);
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
  /** The whole value of the form. */
  readonly args: JsonObject;
  readonly value: Json | undefined;
  readonly suggestions: readonly string[];
  readonly isDisabled: boolean;
  readonly onChange: (value: Json | undefined) => void;
}

function FieldOf({ field, args, value, suggestions, isDisabled, onChange }: FieldOfProps) {
  const id = useId();
  const { label, hint } = field;
  const about = { label, ...(hint !== undefined && { hint }) };
  switch (field.kind) {
    case "text":
      return (
        <>
          <TextField
            {...about}
            isCode
            required={field.isRequired === true}
            disabled={isDisabled}
            {...(suggestions.length > 0 && { list: id })}
            value={typeof value === "string" ? value : ""}
            onInput={(text) => onChange(text === "" && field.isRequired !== true ? undefined : text)}
          />
          {suggestions.length > 0 && (
            <datalist id={id}>
              {suggestions.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          )}
        </>
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
    case "columns":
      return <TriggerColumns label={label} args={args} value={value} onChange={onChange} />;
    case "instant":
      return <InstantField {...about} value={value} onChange={onChange} />;
    case "lines":
      return <LinesField {...about} value={value} onChange={onChange} />;
    case "json":
      return <JsonField {...about} value={value} onChange={onChange} />;
  }
}

/** Renders a date and time in UTC, whose value is in ISO 8601. */
function InstantField({ label, hint, value, onChange }: JsonFieldProps) {
  const time = new Date(typeof value === "string" ? value : "");
  const isTime = !Number.isNaN(time.getTime());
  const local = isTime && time.getTimezoneOffset() !== 0 ? ` Your local time: ${time.toLocaleString()}.` : "";
  return (
    <TextField
      label={label}
      type="datetime-local"
      required
      value={isTime ? time.toISOString().slice(0, 16) : ""}
      onInput={(text) => onChange(text === "" ? "" : `${text.slice(0, 16)}:00Z`)}
      hint={`${hint ?? ""}${local}`}
    />
  );
}

/** Renders a list of texts, one per line. Empty lines stay in the field and are not passed to `onChange`. */
function LinesField({ label, hint, value, onChange }: JsonFieldProps) {
  const [text, setText] = useState(() => (Array.isArray(value) ? value.join("\n") : ""));
  const change = (next: string): void => {
    setText(next);
    const lines = next.split("\n").flatMap((line) => line.trim() || []);
    onChange(lines.length === 0 ? undefined : lines);
  };
  return (
    <TextField label={label} isCode rows={3} value={text} onInput={change} {...(hint !== undefined && { hint })} />
  );
}

interface JsonFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  /** Receives whether the text is valid, with each change. */
  readonly onValidity?: (isValid: boolean) => void;
}

const jsonTextOf = (value: Json | undefined): string => (value === undefined ? "" : jsonText(value));

/** Renders a text area for JSON. Invalid text stays in the field with an error and is not passed to `onChange`. */
export function JsonField({ label, hint, value, onChange, onValidity }: JsonFieldProps) {
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
      onValidity?.(true);
    } catch (thrown) {
      onValidity?.(false);
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
