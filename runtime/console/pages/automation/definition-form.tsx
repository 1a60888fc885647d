/** The fields of a definition that are changed most; all others stay as they are. */
import { useEffect, useState } from "preact/hooks";
import { jsonText, parseRaw } from "../../http/json.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { HeadersField } from "./headers-field.tsx";
import { valueAt, withValueAt } from "./json-paths.ts";
import type { DefinitionField } from "./kinds.ts";

interface DefinitionFormProps {
  readonly fields: readonly DefinitionField[];
  readonly value: JsonObject;
  readonly isNew: boolean;
  readonly onChange: (value: JsonObject) => void;
}

/** Below one label: they say together when it happens. */
const isTick = ({ kind }: DefinitionField): boolean => kind === "check";

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
  const ticks = fields.filter(isTick);
  return (
    <div class="stack">
      <div class="form-grid">{fields.filter((field) => !isTick(field) && !isWide(field)).map(show)}</div>
      {ticks.length > 0 && <div class="row ticks">{ticks.map(show)}</div>}
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
          choices={field.choices.map((choice) => ({ value: choice, label: choice }))}
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

const writtenAs = (value: Json | undefined): string => (value === undefined ? "" : jsonText(value));

/** What cannot be read is not passed on, and stands with what is wrong with it. */
export function JsonField({ label, hint, value, onChange }: JsonFieldProps) {
  const [text, setText] = useState(writtenAs(value));
  const [passed, setPassed] = useState(writtenAs(value));
  const [error, setError] = useState<string | null>(null);
  const now = writtenAs(value);
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
      setPassed(writtenAs(read));
      onChange(read);
    } catch (thrown) {
      setError(`Not read as JSON, so it is not saved: ${thrown instanceof Error ? thrown.message : ""}`);
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
