/** Values that the server sets, whatever a request says. */
import type { ColumnInfo } from "../../http/data-api.ts";
import type { Json } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { readValue, valueText } from "./conditions.ts";

interface PresetsProps {
  readonly presets: Json | undefined;
  readonly columns: readonly ColumnInfo[];
  readonly onChange: (presets: Json | undefined) => void;
}

export function Presets({ presets, columns, onChange }: PresetsProps) {
  const isObject = typeof presets === "object" && presets !== null && !Array.isArray(presets);
  const rows = isObject ? Object.entries(presets as Readonly<Record<string, Json>>) : [];
  const keep = (changed: readonly (readonly [string, Json])[]): void =>
    onChange(changed.length === 0 ? undefined : Object.fromEntries(changed));
  const free = columns.filter(({ name }) => !rows.some(([used]) => used === name));
  const typeOf = (name: string): string => columns.find((column) => column.name === name)?.type ?? "text";
  return (
    <fieldset class="stack">
      <legend class="field-label">Values that the server sets</legend>
      {rows.map(([name, value], index) => (
        <div key={name} class="condition">
          <SelectField
            label={`Column of preset ${index + 1}`}
            isBare
            value={name}
            choices={[name, ...free.map((column) => column.name)].map((each) => ({ value: each, label: each }))}
            onChange={(changed) => keep(rows.map((row) => (row[0] === name ? [changed, value] : row)))}
          />
          <TextField
            label={`Value of preset ${index + 1}`}
            isBare
            isCode
            placeholder="a value, or X-Engine-User-Id"
            value={valueText(value)}
            onInput={(text) =>
              keep(rows.map((row) => (row[0] === name ? [name, readValue(text, "_eq", typeOf(name))] : row)))
            }
          />
          <IconButton
            icon="remove"
            label={`Remove the preset of ${name}`}
            onClick={() => keep(rows.filter(([each]) => each !== name))}
          />
        </div>
      ))}
      {free[0] && (
        <div>
          <Button icon="add" onClick={() => keep([...rows, [free[0]?.name ?? "", "X-Engine-User-Id"]])}>
            Preset
          </Button>
        </div>
      )}
    </fieldset>
  );
}
