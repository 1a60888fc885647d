/** Editor of all custom types of actions as JSON. */
import { useState } from "preact/hooks";
import { runRaw } from "../../http/automation-api.ts";
import { jsonText, parseRaw } from "../../http/json.ts";
import { Button } from "../../parts/button.tsx";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { notify } from "../../parts/toast.tsx";
import { loadMetadata, metadata } from "../../state/metadata.ts";

const empty = { input_objects: [], objects: [], scalars: [], enums: [] };

export function CustomTypes() {
  const [text, setText] = useState(() => jsonText({ ...empty, ...metadata.value?.custom_types }));
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await runRaw({ type: "set_custom_types", args: parseRaw(text) });
      await loadMetadata();
      notify("Saved the custom types");
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Custom types</h1>
        <span class="muted">Input and output types of actions</span>
        <span class="grow" />
        <Button kind="primary" busy={isBusy} onClick={() => void save()}>
          Save
        </Button>
      </div>
      <div class="page full scroll">
        {error !== null && <ErrorBox error={error} />}
        <div class="definition-text tall">
          <CodeEditor
            value={text}
            onChange={setText}
            language="json"
            label="Custom types as JSON"
            onSubmit={() => void save()}
          />
        </div>
      </div>
    </div>
  );
}
