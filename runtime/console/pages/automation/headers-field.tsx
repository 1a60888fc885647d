/** Headers of a webhook: names, and values or the environment variables that hold them. */
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { isJsonObject } from "./json-paths.ts";

interface HeadersFieldProps {
  readonly value: Json | undefined;
  /** `undefined`: there are none. */
  readonly onChange: (value: Json | undefined) => void;
}

type From = "value" | "value_from_env";

const origins = [
  { value: "value", label: "is" },
  { value: "value_from_env", label: "is in the variable" },
] as const;

const textAt = (header: JsonObject, key: string): string => {
  const found = header[key];
  return typeof found === "string" ? found : "";
};

export function HeadersField({ value, onChange }: HeadersFieldProps) {
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
              placeholder="name"
              value={name}
              onInput={(next) => change(index, { ...header, name: next })}
            />
            <SelectField<From>
              label={`What header ${number} has`}
              isBare
              value={from}
              choices={origins}
              onChange={(next) => change(index, { name, [next]: textAt(header, from) })}
            />
            <TextField
              label={`Value of header ${number}`}
              isBare
              isCode
              placeholder={from === "value" ? "value" : "name of an environment variable"}
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
          Header
        </Button>
      </div>
    </fieldset>
  );
}
