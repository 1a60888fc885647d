/** Form of a permission: row filter, columns, column presets, limits. */

import { useState } from "preact/hooks";
import type { ColumnInfo, TableLocation } from "../../http/data-api.ts";
import { LostNumber, parseRaw } from "../../http/json.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { isObject, readValue, valueText } from "./conditions.ts";
import { type Action, columnsOf } from "./draft.ts";
import { FilterBuilder } from "./filter-builder.tsx";

interface PermissionFormProps {
  readonly location: TableLocation;
  readonly action: Action;
  readonly permission: JsonObject;
  readonly columns: readonly ColumnInfo[];
  readonly onChange: (permission: JsonObject) => void;
  readonly onProblem: (problem: string | null) => void;
}

export function PermissionForm({ location, action, permission, columns, onChange, onProblem }: PermissionFormProps) {
  const change = (part: Readonly<Record<string, Json | undefined>>): void => {
    const entries = Object.entries({ ...permission, ...part }).filter(
      (entry): entry is [string, Json] => entry[1] !== undefined,
    );
    onChange(Object.fromEntries(entries));
  };
  const filter = (name: "filter" | "check", label: string) => (
    <FilterField
      label={label}
      filter={permission[name] ?? {}}
      location={location}
      onChange={(value) => change({ [name]: value })}
      onProblem={onProblem}
    />
  );
  return (
    <div class="stack">
      {action !== "insert" && filter("filter", "Row filter")}
      {action === "insert" && filter("check", "Check on inserted rows")}
      {action === "update" && filter("check", "Check on updated rows")}
      {action !== "delete" && (
        <ColumnChoice permission={permission} columns={columns} onChange={(names) => change({ columns: names })} />
      )}
      {(action === "insert" || action === "update") && (
        <Presets presets={permission.set} columns={columns} onChange={(set) => change({ set })} />
      )}
      {action === "select" && (
        <>
          <CheckField
            label="Allow aggregations"
            checked={permission.allow_aggregations === true}
            onChange={(allowed) => change({ allow_aggregations: allowed ? true : undefined })}
          />
          <TextField
            label="Row limit"
            hint="Empty for no limit."
            type="number"
            value={typeof permission.limit === "number" ? String(permission.limit) : ""}
            onInput={(text) => change({ limit: text === "" ? undefined : Number(text) })}
          />
        </>
      )}
      {action !== "select" && (
        <CheckField
          label="Backend only (requires the admin secret)"
          checked={permission.backend_only === true}
          onChange={(only) => change({ backend_only: only ? true : undefined })}
        />
      )}
    </div>
  );
}

interface ColumnChoiceProps {
  readonly permission: JsonObject;
  readonly columns: readonly ColumnInfo[];
  readonly onChange: (columns: "*" | readonly string[]) => void;
}

function ColumnChoice({ permission, columns, onChange }: ColumnChoiceProps) {
  const chosen = columnsOf(permission);
  const names = columns.map(({ name }) => name);
  const list = chosen === "*" ? names : chosen;
  return (
    <fieldset class="stack">
      <div class="spread">
        <legend class="field-label">Columns</legend>
        <div class="row">
          <Button kind="quiet" onClick={() => onChange(names)}>
            All
          </Button>
          <Button kind="quiet" onClick={() => onChange([])}>
            None
          </Button>
        </div>
      </div>
      <div class="column-choice">
        {columns.map(({ name, type }) => (
          <CheckField
            key={name}
            label={
              <>
                <bdi>{name}</bdi> <span class="muted">{type}</span>
              </>
            }
            checked={list.includes(name)}
            onChange={(isChosen) => onChange(names.filter((each) => (each === name ? isChosen : list.includes(each))))}
          />
        ))}
      </div>
      <CheckField
        label="All columns, including columns added later"
        checked={chosen === "*"}
        onChange={(all) => onChange(all ? "*" : names)}
      />
    </fieldset>
  );
}

// Column presets: values that the server sets.

interface PresetsProps {
  readonly presets: Json | undefined;
  readonly columns: readonly ColumnInfo[];
  readonly onChange: (presets: Json | undefined) => void;
}

function Presets({ presets, columns, onChange }: PresetsProps) {
  const isObject = typeof presets === "object" && presets !== null && !Array.isArray(presets);
  const rows = isObject ? Object.entries(presets as Readonly<Record<string, Json>>) : [];
  const keep = (changed: readonly (readonly [string, Json])[]): void =>
    onChange(changed.length === 0 ? undefined : Object.fromEntries(changed));
  const free = columns.filter(({ name }) => !rows.some(([used]) => used === name));
  const kindOf = (name: string) => columns.find((column) => column.name === name)?.value ?? "text";
  return (
    <fieldset class="stack">
      <legend class="field-label">Column presets</legend>
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
            placeholder="Value or X-Engine-User-Id"
            value={valueText(value)}
            onInput={(text) =>
              keep(rows.map((row) => (row[0] === name ? [name, readValue(text, { operand: kindOf(name) })] : row)))
            }
          />
          <IconButton
            icon="remove"
            label={`Remove column preset ${name}`}
            onClick={() => keep(rows.filter(([each]) => each !== name))}
          />
        </div>
      ))}
      {free[0] && (
        <div>
          <Button icon="add" onClick={() => keep([...rows, [free[0]?.name ?? "", "X-Engine-User-Id"]])}>
            Add column preset
          </Button>
        </div>
      )}
    </fieldset>
  );
}

// Row filter, edited in a form or as JSON.

interface FilterFieldProps {
  readonly label: string;
  readonly filter: Json;
  /** Table that the filter applies to. */
  readonly location: TableLocation;
  readonly onChange: (filter: Json) => void;
  /** Receives the error of invalid JSON; `null` once it is valid. */
  readonly onProblem: (problem: string | null) => void;
}

function FilterField({ label, filter, location, onChange, onProblem }: FilterFieldProps) {
  const [isJson, setJson] = useState(false);
  const filterObject = filter ?? {};
  const canBuild = isObject(filterObject);
  const mode = isJson || !canBuild ? "json" : "builder";
  return (
    <fieldset class="filter-field stack">
      <div class="spread">
        <legend class="field-label">{label}</legend>
        <div class="row">
          <Button kind="quiet" pressed={mode === "builder"} disabled={!canBuild} onClick={() => setJson(false)}>
            Builder
          </Button>
          <Button kind="quiet" pressed={mode === "json"} onClick={() => setJson(true)}>
            JSON
          </Button>
        </div>
      </div>
      {mode === "builder" && canBuild ? (
        <FilterBuilder location={location} filter={filterObject} prefix="" onChange={onChange} />
      ) : (
        <JsonFilter label={label} filter={filter} onChange={onChange} onProblem={onProblem} />
      )}
    </fieldset>
  );
}

type JsonFilterProps = Pick<FilterFieldProps, "label" | "filter" | "onChange" | "onProblem">;

function JsonFilter({ label, filter, onChange, onProblem }: JsonFilterProps) {
  const [text, setText] = useState(() => JSON.stringify(filter ?? {}, null, 2));
  const read = (json: string): void => {
    setText(json);
    try {
      onChange(parseRaw(json.trim() === "" ? "{}" : json) as Json);
      onProblem(null);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      onProblem(error instanceof LostNumber ? message : `The filter is not valid JSON: ${message}`);
    }
  };
  return (
    <div class="filter-text">
      <CodeEditor label={`${label} as JSON`} language="json" value={text} onChange={read} />
    </div>
  );
}
