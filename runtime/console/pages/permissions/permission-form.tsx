/** Form of a permission: row filter, columns, column presets, limits. */
import type { TableInfo, TableLocation } from "../../http/data-api.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";
import { CheckField } from "../../parts/field.tsx";
import { tableNamed } from "../../state/metadata.ts";
import { ColumnChoice } from "./column-choice.tsx";
import type { Action } from "./draft.ts";
import { FilterField } from "./filter-field.tsx";
import { filterTemplates } from "./filter-templates.ts";
import { checkSentence, filterSentence } from "./filter-words.ts";
import { Presets } from "./presets.tsx";
import { SelectLimits } from "./select-limits.tsx";

interface PermissionFormProps {
  readonly location: TableLocation;
  readonly action: Action;
  readonly role: string;
  readonly permission: JsonObject;
  readonly info: TableInfo;
  /** Names of the computed fields that a select permission may list. */
  readonly computedFields: readonly string[];
  readonly onChange: (permission: JsonObject) => void;
}

export function PermissionForm(props: PermissionFormProps) {
  const { location, action, role, permission, info, computedFields, onChange } = props;
  const change = (part: Readonly<Record<string, Json | undefined>>): void => {
    const entries = Object.entries({ ...permission, ...part }).filter(
      (entry): entry is [string, Json] => entry[1] !== undefined,
    );
    onChange(Object.fromEntries(entries));
  };
  const { source, table } = location;
  const tracked = tableNamed(source, table.schema, table.name);
  const filter = (name: "filter" | "check", label: string) => (
    <FilterField
      label={label}
      filter={permission[name] ?? {}}
      sentence={
        action === "update" && name === "check"
          ? checkSentence(permission[name])
          : filterSentence(role, action, permission[name])
      }
      location={location}
      templates={tracked ? filterTemplates({ table: tracked, role, action, part: name, columns: info.columns }) : []}
      onChange={(value) => change({ [name]: value })}
    />
  );
  return (
    <div class="form-parts">
      {action !== "insert" && filter("filter", "Row filter")}
      {action === "insert" && filter("check", "Check on inserted rows")}
      {action === "update" && filter("check", "Check on updated rows")}
      {action !== "delete" && (
        <ColumnChoice
          permission={permission}
          columns={info.columns}
          computedFields={action === "select" ? computedFields : []}
          onChange={change}
        />
      )}
      {(action === "insert" || action === "update") && (
        <Presets presets={permission.set} columns={info.columns} onChange={(set) => change({ set })} />
      )}
      {action === "select" && (
        <SelectLimits permission={permission} primaryKey={info.primary_key ?? []} onChange={change} />
      )}
      {action !== "select" && (
        <div class="form-part">
          <CheckField
            label="Backend only (requires the admin secret)"
            checked={permission.backend_only === true}
            onChange={(only) => change({ backend_only: only ? true : undefined })}
          />
        </div>
      )}
    </div>
  );
}
