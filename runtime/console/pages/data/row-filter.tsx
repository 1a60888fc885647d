/** Which rows are shown: one condition, typed in; or the one that a followed key brought along. */
import { useState } from "preact/hooks";
import type { TableInfo } from "../../http/data-api.ts";
import type { JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { readTyped } from "./typed-value.ts";

export function readFilter(text: string | null): JsonObject {
  try {
    const found: unknown = JSON.parse(text ?? "{}");
    return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as JsonObject) : {};
  } catch {
    return {};
  }
}

const comparisons = [
  { value: "_eq", label: "=" },
  { value: "_neq", label: "≠" },
  { value: "_gt", label: ">" },
  { value: "_lt", label: "<" },
  { value: "_gte", label: "≥" },
  { value: "_lte", label: "≤" },
  { value: "_ilike", label: "contains" },
  { value: "_is_null", label: "is null" },
] as const;

type Comparison = (typeof comparisons)[number]["value"];

interface RowFilterProps {
  readonly info: TableInfo;
  readonly where: JsonObject;
  readonly onChange: (where: JsonObject) => void;
}

export function RowFilter({ info, where, onChange }: RowFilterProps) {
  const [column, setColumn] = useState(info.columns[0]?.name ?? "");
  const [comparison, setComparison] = useState<Comparison>("_eq");
  const [text, setText] = useState("");
  const isFiltered = Object.keys(where).length > 0;
  const apply = (event: Event): void => {
    event.preventDefault();
    const type = info.columns.find(({ name }) => name === column)?.type ?? "text";
    const value = comparison === "_ilike" ? `%${text}%` : comparison === "_is_null" ? true : readTyped(text, type);
    onChange({ [column]: { [comparison]: value } });
  };
  return (
    <form class="row row-filter" onSubmit={apply}>
      <SelectField
        label="Column to filter by"
        isBare
        value={column}
        choices={info.columns.map(({ name }) => ({ value: name, label: name }))}
        onChange={setColumn}
      />
      <SelectField<Comparison>
        label="Comparison"
        isBare
        value={comparison}
        choices={comparisons}
        onChange={setComparison}
      />
      {comparison !== "_is_null" && (
        <TextField label="Value to filter by" isBare placeholder="Value …" value={text} onInput={setText} />
      )}
      <Button icon="filter" type="submit">
        Filter
      </Button>
      {isFiltered && (
        <Button icon="close" kind="quiet" onClick={() => onChange({})} title={JSON.stringify(where)}>
          All rows
        </Button>
      )}
    </form>
  );
}
