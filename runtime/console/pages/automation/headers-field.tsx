/** Headers of a webhook, whose values are literals or come from environment variables. Literals are hidden until shown. */
import { useState } from "preact/hooks";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { isJsonObject } from "./json-paths.ts";

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

/** Literal values may be secrets. Templates of environment variables are not. */
const isSecret = (header: JsonObject): boolean => !/^(?:\{\{\w+\}\})?$/.test(textAt(header, "value"));

export function HeadersField({ value, onChange }: HeadersFieldProps) {
  const [isShown, setShown] = useState(false);
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
              type={isShown || !isSecret(header) ? "text" : "password"}
              autoComplete="new-password"
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
      <div class="row">
        <Button icon="add" onClick={() => put([...headers, { name: "", value: "" }])}>
          Add header
        </Button>
        {headers.some(isSecret) && (
          <Button kind="quiet" pressed={isShown} onClick={() => setShown(!isShown)}>
            Show values
          </Button>
        )}
      </div>
    </fieldset>
  );
}
