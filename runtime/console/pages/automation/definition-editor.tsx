/** Editor of a definition as a form or as JSON. Both edit the same value, which is saved as a whole. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { jsonText, parseRaw } from "../../http/json.ts";
import type { Operation } from "../../http/metadata-api.ts";
import type { JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { capitalized } from "../../parts/cell-text.ts";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Form, showInvalid } from "../../parts/form.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { useGuardedSave } from "../permissions/use-guarded-save.tsx";
import { DefinitionForm } from "./definition-form.tsx";
import { isJsonObject, valueAt } from "./json-paths.ts";
import type { DefinitionKind } from "./kinds.ts";

interface DefinitionEditorProps {
  readonly kind: DefinitionKind;
  readonly initial: JsonObject;
  readonly isNew: boolean;
  /** Returns the operations that save the definition, applied together. Default: the operation of the kind. */
  readonly operations?: (value: JsonObject) => readonly Operation[];
  /** Returns the roles that may gain access. Default: those of the kind. */
  readonly roles?: () => readonly string[];
  readonly onSaved: (saved: JsonObject) => void;
  /** Fields before the definition. */
  readonly children?: ComponentChildren;
  /** Fields after the definition. */
  readonly tail?: ComponentChildren;
}

/** Loads the evaluator of schedules when it is shown. */
const loadPreview = () => import("./cron-preview.tsx");

function CronPreviewOf({ kind, value }: { readonly kind: DefinitionKind; readonly value: JsonObject }) {
  const { value: loaded } = useLoaded(loadPreview, "");
  const textAt = (path: readonly string[] | undefined): string => String(valueAt(value, path ?? []) ?? "").trim();
  const schedule = textAt(kind.schedule);
  if (!loaded || schedule === "") return null;
  return <loaded.CronPreview schedule={schedule} timezone={textAt(["timezone"]) || "UTC"} />;
}

type Read = { readonly value: JsonObject } | { readonly problem: string };

function read(text: string): Read {
  try {
    const value = parseRaw(text);
    return isJsonObject(value) ? { value } : { problem: "The definition must be a JSON object." };
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : ""}` };
  }
}

export function DefinitionEditor(props: DefinitionEditorProps) {
  const { kind, initial, isNew, operations, roles, onSaved, children, tail } = props;
  const [text, setText] = useState(() => jsonText(initial));
  const [isJson, setJson] = useState(false);
  const found = read(text);
  const {
    isBusy,
    error,
    submit: save,
    confirmation,
  } = useGuardedSave({
    change: () => ("value" in found ? (operations?.(found.value) ?? kind.save(found.value, isNew)) : null),
    canWiden: kind.widens !== undefined,
    roles: () => roles?.() ?? kind.widens?.roles,
    onSaved: () => {
      if ("value" in found) onSaved(found.value);
    },
  });
  return (
    <Form class="stack definition" onSubmit={save}>
      {children}
      <div class="row">
        <Button
          kind="quiet"
          pressed={!isJson}
          unavailable={"problem" in found && "Correct the JSON first."}
          onClick={() => setJson(false)}
        >
          Form
        </Button>
        <Button kind="quiet" pressed={isJson} onClick={({ target }) => setJson(!showInvalid(target as Element))}>
          JSON
        </Button>
      </div>
      {isJson || !("value" in found) ? (
        <div class="definition-text">
          <CodeEditor
            value={text}
            onChange={setText}
            language="json"
            isInvalid={"problem" in found}
            label={`${capitalized(kind.title)} as JSON`}
          />
        </div>
      ) : (
        <DefinitionForm
          fields={kind.fields}
          value={found.value}
          isNew={isNew}
          onChange={(value) => setText(jsonText(value))}
        />
      )}
      {kind.schedule && <CronPreviewOf kind={kind} value={"value" in found ? found.value : initial} />}
      {tail}
      {"problem" in found && <ErrorBox error={new Error(found.problem)} />}
      {error !== null && <ErrorBox error={error} />}
      <div>
        <Button kind="primary" type="submit" busy={isBusy} unavailable={"problem" in found && "Correct the JSON."}>
          {isNew ? `Create ${kind.title}` : "Save"}
        </Button>
      </div>
      {confirmation}
    </Form>
  );
}
