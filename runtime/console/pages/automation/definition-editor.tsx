/** Editor of a definition as a form or as JSON. Both edit the same value, which is saved as a whole. */
import { useState } from "preact/hooks";
import { runRaw } from "../../http/automation-api.ts";
import { jsonText, parseRaw } from "../../http/json.ts";
import type { JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { capitalized } from "../../parts/cell-text.ts";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Form } from "../../parts/form.tsx";
import { loadMetadata } from "../../state/metadata.ts";
import { DefinitionForm } from "./definition-form.tsx";
import { isJsonObject } from "./json-paths.ts";
import type { DefinitionKind } from "./kinds.ts";

interface DefinitionEditorProps {
  readonly kind: DefinitionKind;
  readonly initial: JsonObject;
  readonly isNew: boolean;
  readonly onSaved: (saved: JsonObject) => void;
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

export function DefinitionEditor({ kind, initial, isNew, onSaved }: DefinitionEditorProps) {
  const [text, setText] = useState(() => jsonText(initial));
  const [isJson, setJson] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const found = read(text);
  const save = async (): Promise<void> => {
    if (!("value" in found)) return;
    setBusy(true);
    setError(null);
    try {
      await runRaw(kind.save(found.value, isNew));
      await loadMetadata();
      onSaved(found.value);
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <Form class="stack definition" onSubmit={save}>
      <div class="row">
        <Button kind="quiet" pressed={!isJson} disabled={!("value" in found)} onClick={() => setJson(false)}>
          Form
        </Button>
        <Button kind="quiet" pressed={isJson} onClick={() => setJson(true)}>
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
      {"problem" in found && <ErrorBox error={new Error(found.problem)} />}
      {error !== null && <ErrorBox error={error} />}
      <div>
        <Button kind="primary" type="submit" busy={isBusy} disabled={!("value" in found)}>
          {isNew ? `Create ${kind.title}` : "Save"}
        </Button>
      </div>
    </Form>
  );
}
