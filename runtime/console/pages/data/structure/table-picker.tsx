/** Text field that finds a table of a database by its name. */
import { useId, useState } from "preact/hooks";
import type { QualifiedName, Source } from "../../../http/metadata-types.ts";
import { TextField } from "../../../parts/field.tsx";
import { shownName } from "../../../parts/table-name.ts";
import { databaseObjects } from "../database-objects.ts";

/** Maximum number of suggestions, whatever the number of tables. */
const maxSuggestions = 100;

interface TablePickerProps {
  readonly label: string;
  readonly source: Source;
  readonly table: QualifiedName | null;
  readonly onChange: (table: QualifiedName | null) => void;
  /** True to offer only tables that are tracked. */
  readonly isTracked?: boolean;
}

export function TablePicker({ label, source, table, onChange, isTracked = false }: TablePickerProps) {
  const id = useId();
  const [text, setText] = useState(table ? shownName(source.kind, table) : "");
  const tables: readonly QualifiedName[] = isTracked
    ? source.tables.map((each) => each.table)
    : (databaseObjects.value[source.name]?.tables ?? []);
  const search = text.trim().toLowerCase();
  const suggestions: string[] = [];
  for (const each of tables) {
    const name = shownName(source.kind, each);
    if (name.toLowerCase().includes(search)) suggestions.push(name);
    if (suggestions.length === maxSuggestions) break;
  }
  const choose = (input: string): void => {
    setText(input);
    onChange(tables.find((each) => shownName(source.kind, each) === input) ?? null);
  };
  return (
    <>
      <TextField
        label={label}
        isCode
        list={id}
        placeholder="Name of a table"
        value={text}
        onInput={choose}
        error={text !== "" && table === null ? "No table has this name." : null}
      />
      <datalist id={id}>
        {suggestions.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
