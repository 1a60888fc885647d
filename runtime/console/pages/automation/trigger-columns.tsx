/** Columns whose update fires an event trigger. */
import { describeTable } from "../../http/data-api.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { CheckField } from "../../parts/field.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { sourceNamed, tableNamed } from "../../state/metadata.ts";
import { valueAt } from "./json-paths.ts";

interface TriggerColumnsProps {
  readonly label: string;
  /** Arguments of the operation that saves the trigger. */
  readonly args: JsonObject;
  /** Names of columns; `"*"` for all. */
  readonly value: Json | undefined;
  readonly onChange: (value: Json) => void;
}

/** Renders nothing if updates do not fire the trigger, or its table does not exist. */
export function TriggerColumns({ label, args, value, onChange }: TriggerColumnsProps) {
  const text = (...path: readonly string[]): string => String(valueAt(args, path) ?? "");
  const source = sourceNamed(text("source"));
  const table = tableNamed(text("source"), text("table", "schema"), text("table", "name"));
  const location = source && table && { source: source.name, kind: source.kind, table: table.table };
  const { value: info } = useLoaded(
    async () => (location ? await describeTable(location) : null),
    JSON.stringify(location ?? null),
  );
  if (value === undefined || !info) return null;
  const names = info.columns.map(({ name }) => name);
  const chosen = Array.isArray(value) ? (value as readonly Json[]).map(String) : names;
  const choose = (name: string, isChosen: boolean): void =>
    onChange(names.filter((each) => (each === name ? isChosen : chosen.includes(each))));
  return (
    <fieldset class="stack">
      <legend class="field-label">{label}</legend>
      <CheckField
        label="All columns, also those added later"
        checked={value === "*"}
        onChange={(isAll) => onChange(isAll ? "*" : [...names])}
      />
      {value !== "*" && (
        <div class="row ticks">
          {names.map((name) => (
            <CheckField
              key={name}
              label={<bdi>{name}</bdi>}
              checked={chosen.includes(name)}
              onChange={(isChosen) => choose(name, isChosen)}
            />
          ))}
        </div>
      )}
      {value !== "*" && chosen.length === 0 && (
        <p class="field-hint">Without a column, an update does not fire the trigger.</p>
      )}
    </fieldset>
  );
}
