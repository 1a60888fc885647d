/** Columns and computed fields of a permission. */
import { useMemo, useState } from "preact/hooks";
import type { ColumnInfo } from "../../http/data-api.ts";
import type { JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { CheckField, TextField } from "../../parts/field.tsx";
import { columnsOf } from "./draft.ts";

interface ColumnChoiceProps {
  readonly permission: JsonObject;
  readonly columns: readonly ColumnInfo[];
  /** Names of the computed fields that the permission may list. */
  readonly computedFields: readonly string[];
  readonly onChange: (part: {
    readonly columns?: "*" | readonly string[];
    readonly computed_fields?: readonly string[] | undefined;
  }) => void;
}

/** Lists with more columns have a search field. */
const maxWithoutSearch = 8;

export function ColumnChoice({ permission, columns, computedFields: known, onChange }: ColumnChoiceProps) {
  const [search, setSearch] = useState("");
  const chosen = columnsOf(permission);
  const names = useMemo(() => columns.map(({ name }) => name), [columns]);
  const list: ReadonlySet<string> = new Set(chosen === "*" ? names : chosen);
  const { computed_fields: listed } = permission;
  const fields: ReadonlySet<string> = new Set(
    Array.isArray(listed) ? listed.filter((each) => typeof each === "string") : [],
  );
  const computedFields = [...new Set([...known, ...fields])];
  const text = search.trim().toLowerCase();
  const isShown = (name: string): boolean => name.toLowerCase().includes(text);
  const keepColumns = (isKept: (name: string) => boolean) => ({ columns: names.filter(isKept) });
  const keepFields = (isKept: (name: string) => boolean) => {
    const kept = computedFields.filter(isKept);
    return { computed_fields: kept.length === 0 ? undefined : kept };
  };
  // Changes what the search shows.
  const choose = (isChosen: boolean): void =>
    onChange({
      ...keepColumns((name) => (isShown(name) ? isChosen : list.has(name))),
      ...keepFields((name) => (isShown(name) ? isChosen : fields.has(name))),
    });
  const count =
    [...list].filter((name) => names.includes(name)).length + computedFields.filter((name) => fields.has(name)).length;
  return (
    <fieldset class="form-part stack">
      <div class="spread">
        <legend class="field-label">
          {computedFields.length > 0 ? "Columns and computed fields" : "Columns"}
          <span class="muted">{` ${count} of ${names.length + computedFields.length}`}</span>
        </legend>
        <div class="row">
          {names.length + computedFields.length > maxWithoutSearch && (
            <TextField
              label="Search columns"
              isBare
              type="search"
              placeholder="Search columns…"
              value={search}
              onInput={setSearch}
            />
          )}
          <Button kind="quiet" onClick={() => choose(true)}>
            All
          </Button>
          <Button kind="quiet" onClick={() => choose(false)}>
            None
          </Button>
        </div>
      </div>
      <div class="column-choice">
        {columns
          .filter(({ name }) => isShown(name))
          .map(({ name, type }) => (
            <CheckField
              key={name}
              label={<ColumnLabel name={name} type={type} />}
              checked={list.has(name)}
              onChange={(isChosen) => onChange(keepColumns((each) => (each === name ? isChosen : list.has(each))))}
            />
          ))}
        {computedFields.filter(isShown).map((name) => (
          <CheckField
            key={`computed ${name}`}
            label={<ColumnLabel name={name} type="computed field" />}
            checked={fields.has(name)}
            onChange={(isChosen) => onChange(keepFields((each) => (each === name ? isChosen : fields.has(each))))}
          />
        ))}
      </div>
      <CheckField
        label="All columns, including columns added later"
        checked={chosen === "*"}
        onChange={(all) => onChange({ columns: all ? "*" : names })}
      />
    </fieldset>
  );
}

function ColumnLabel({ name, type }: { readonly name: string; readonly type: string }) {
  return (
    <span title={`${name} (${type})`}>
      <bdi>{name}</bdi> <span class="muted">{type}</span>
    </span>
  );
}
