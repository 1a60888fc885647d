/** Column presets: values that the engine writes instead of the client. */
import type { ColumnInfo } from "../../http/data-api.ts";
import type { Json } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { SelectField } from "../../parts/field.tsx";
import { isObject } from "./conditions.ts";
import { ValueField } from "./value-field.tsx";

interface PresetsProps {
  readonly presets: Json | undefined;
  readonly columns: readonly ColumnInfo[];
  readonly onChange: (presets: Json | undefined) => void;
}

export function Presets({ presets, columns, onChange }: PresetsProps) {
  const rows: readonly (readonly [string, Json])[] = isObject(presets) ? Object.entries(presets) : [];
  const keep = (changed: readonly (readonly [string, Json])[]): void =>
    onChange(changed.length === 0 ? undefined : Object.fromEntries(changed));
  const free = columns.filter(({ name }) => !rows.some(([used]) => used === name));
  const kindOf = (name: string) => columns.find((column) => column.name === name)?.value ?? "text";
  return (
    <fieldset class="form-part stack">
      <div class="spread">
        <legend class="field-label">
          Column presets<span class="muted">{rows.length === 0 ? " none" : ` ${rows.length}`}</span>
        </legend>
        {free[0] && (
          <Button icon="add" onClick={() => keep([...rows, [free[0]?.name ?? "", "X-Engine-User-Id"]])}>
            Add column preset
          </Button>
        )}
      </div>
      {rows.map(([name, value], index) => (
        <div key={index} class="condition preset">
          <SelectField
            label={`Column of preset ${index + 1}`}
            isBare
            value={name}
            choices={[name, ...free.map((column) => column.name)].map((each) => ({ value: each, label: each }))}
            onChange={(changed) => keep(rows.map((row) => (row[0] === name ? [changed, value] : row)))}
          />
          <ValueField
            key={name}
            label={`Value of preset ${index + 1}`}
            kindLabel={`Type of preset ${index + 1}`}
            operator={{ operand: kindOf(name) }}
            value={value}
            isNullable
            onChange={(changed) => keep(rows.map((row) => (row[0] === name ? [name, changed] : row)))}
          />
          <IconButton
            icon="remove"
            label={`Remove column preset ${name}`}
            onClick={() => keep(rows.filter(([each]) => each !== name))}
          />
        </div>
      ))}
    </fieldset>
  );
}
