/** Row filter or check, edited in a form or as JSON, with its meaning in words. */

import { useState } from "preact/hooks";
import { messageOf } from "../../../values/message-of.ts";
import type { TableLocation } from "../../http/data-api.ts";
import { jsonText, LostNumber, parseRaw } from "../../http/json.ts";
import type { Json } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { Menu } from "../../parts/menu.tsx";
import { isObject } from "./conditions.ts";
import { FilterBuilder } from "./filter-builder.tsx";
import type { FilterTemplate } from "./filter-templates.ts";
import { useProblem } from "./problems.ts";

interface FilterFieldProps {
  readonly label: string;
  readonly filter: Json;
  /** Meaning of the filter in words. */
  readonly sentence: string;
  /** Table that the filter applies to. */
  readonly location: TableLocation;
  readonly templates?: readonly FilterTemplate[];
  readonly onChange: (filter: Json) => void;
}

export function FilterField({ label, filter, sentence, location, templates = [], onChange }: FilterFieldProps) {
  const [isJson, setJson] = useState(false);
  // Changes with each chosen template, so that the editors start again.
  const [version, setVersion] = useState(0);
  const choose = (template: FilterTemplate): void => {
    setVersion(version + 1);
    onChange(template.filter);
  };
  const filterObject = filter ?? {};
  const canBuild = isObject(filterObject);
  const mode = isJson || !canBuild ? "json" : "builder";
  return (
    <fieldset class="form-part stack">
      <div class="spread">
        <legend class="field-label">{label}</legend>
        <div class="row">
          {templates.length > 0 && (
            <Menu
              label={`Template for ${label.toLowerCase()}`}
              text="Template"
              items={templates.map((each) => ({ label: each.label, onSelect: () => choose(each) }))}
            />
          )}
          <div class="connective-switch">
            <Button
              kind="quiet"
              pressed={mode === "builder"}
              unavailable={!canBuild && "The builder shows only JSON objects."}
              onClick={() => setJson(false)}
            >
              Builder
            </Button>
            <Button kind="quiet" pressed={mode === "json"} onClick={() => setJson(true)}>
              JSON
            </Button>
          </div>
        </div>
      </div>
      {mode === "builder" && canBuild ? (
        <FilterBuilder key={version} location={location} filter={filterObject} prefix="" onChange={onChange} />
      ) : (
        <JsonFilter key={version} label={label} filter={filter} onChange={onChange} />
      )}
      <p class="filter-words">
        <bdi>{sentence}</bdi>
      </p>
    </fieldset>
  );
}

type JsonFilterProps = Pick<FilterFieldProps, "label" | "filter" | "onChange">;

function JsonFilter({ label, filter, onChange }: JsonFilterProps) {
  const [text, setText] = useState(() => jsonText(filter ?? {}));
  const [problem, setProblem] = useState<string | null>(null);
  useProblem(problem);
  const read = (json: string): void => {
    setText(json);
    try {
      onChange(parseRaw(json.trim() === "" ? "{}" : json) as Json);
      setProblem(null);
    } catch (error) {
      const message = messageOf(error);
      setProblem(error instanceof LostNumber ? message : `The filter is not valid JSON: ${message}`);
    }
  };
  return (
    <>
      <div class="filter-text" {...(problem !== null && { "data-invalid": true })}>
        <CodeEditor
          label={`${label} as JSON`}
          language="json"
          value={text}
          isInvalid={problem !== null}
          onChange={read}
        />
      </div>
      {problem !== null && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
