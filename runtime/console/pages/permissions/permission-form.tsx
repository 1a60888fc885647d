/** The parts of a permission: rows, columns, presets, limits. */
import type { ColumnInfo, TablePlace } from "../../http/data-api.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { CheckField, TextField } from "../../parts/field.tsx";
import { type Action, columnsOf } from "./draft.ts";
import { FilterField } from "./filter-field.tsx";
import { Presets } from "./presets.tsx";

interface PermissionFormProps {
  readonly place: TablePlace;
  readonly action: Action;
  readonly permission: JsonObject;
  readonly columns: readonly ColumnInfo[];
  readonly onChange: (permission: JsonObject) => void;
  readonly onProblem: (problem: string | null) => void;
}

export function PermissionForm({ place, action, permission, columns, onChange, onProblem }: PermissionFormProps) {
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
      place={place}
      onChange={(value) => change({ [name]: value })}
      onProblem={onProblem}
    />
  );
  return (
    <div class="stack">
      {action === "select" && filter("filter", "Rows that may be read")}
      {action === "update" && filter("filter", "Rows that may be changed")}
      {action === "delete" && filter("filter", "Rows that may be deleted")}
      {action === "insert" && filter("check", "What new rows have to be like")}
      {action === "update" && filter("check", "What changed rows have to be like")}
      {action !== "delete" && (
        <ColumnChoice permission={permission} columns={columns} onChange={(names) => change({ columns: names })} />
      )}
      {(action === "insert" || action === "update") && (
        <Presets presets={permission.set} columns={columns} onChange={(set) => change({ set })} />
      )}
      {action === "select" && (
        <>
          <CheckField
            label="May count and aggregate"
            checked={permission.allow_aggregations === true}
            onChange={(allowed) => change({ allow_aggregations: allowed ? true : undefined })}
          />
          <TextField
            label="Most rows of one answer"
            hint="Empty: as many as there are."
            type="number"
            value={typeof permission.limit === "number" ? String(permission.limit) : ""}
            onInput={(text) => change({ limit: text === "" ? undefined : Number(text) })}
          />
        </>
      )}
      {action !== "select" && (
        <CheckField
          label="Only from a backend, which sends the admin secret besides"
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
        label="All columns, and those that are added later"
        checked={chosen === "*"}
        onChange={(all) => onChange(all ? "*" : names)}
      />
    </fieldset>
  );
}
