/** A row filter: built by clicking, or written as JSON. */
import { useState } from "preact/hooks";
import type { TablePlace } from "../../http/data-api.ts";
import { LostNumber, parseRaw } from "../../http/json.ts";
import type { Json } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { isObject } from "./conditions.ts";
import { FilterBuilder } from "./filter-builder.tsx";

interface FilterFieldProps {
  readonly label: string;
  readonly filter: Json;
  /** Whose rows it is about. */
  readonly place: TablePlace;
  readonly onChange: (filter: Json) => void;
  /** Told whether what is written can be read. */
  readonly onProblem: (problem: string | null) => void;
}

export function FilterField({ label, filter, place, onChange, onProblem }: FilterFieldProps) {
  const [isWritten, setWritten] = useState(false);
  const built = filter ?? {};
  const canBuild = isObject(built);
  const mode = isWritten || !canBuild ? "written" : "built";
  return (
    <fieldset class="filter-field stack">
      <div class="spread">
        <legend class="field-label">{label}</legend>
        <div class="row">
          <Button kind="quiet" pressed={mode === "built"} disabled={!canBuild} onClick={() => setWritten(false)}>
            Build
          </Button>
          <Button kind="quiet" pressed={mode === "written"} onClick={() => setWritten(true)}>
            Write
          </Button>
        </div>
      </div>
      {mode === "built" && canBuild ? (
        <FilterBuilder place={place} filter={built} prefix="" onChange={onChange} />
      ) : (
        <Written label={label} filter={filter} onChange={onChange} onProblem={onProblem} />
      )}
    </fieldset>
  );
}

type WrittenProps = Pick<FilterFieldProps, "label" | "filter" | "onChange" | "onProblem">;

function Written({ label, filter, onChange, onProblem }: WrittenProps) {
  const [text, setText] = useState(() => JSON.stringify(filter ?? {}, null, 2));
  const read = (written: string): void => {
    setText(written);
    try {
      onChange(parseRaw(written.trim() === "" ? "{}" : written) as Json);
      onProblem(null);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      onProblem(error instanceof LostNumber ? message : `The filter is not JSON: ${message}`);
    }
  };
  return (
    <div class="filter-text">
      <CodeEditor label={`${label}, as JSON`} language="json" value={text} onChange={read} />
    </div>
  );
}
