/** Dialog that replaces the metadata with that of a file or of a pasted text, after a preview. */
import { useState } from "preact/hooks";
import type { JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { readDocument } from "./read-document.ts";
import { ReplaceDialog } from "./replace-dialog.tsx";

export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [read, setRead] = useState<{ readonly name: string; readonly metadata: JsonObject } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const preview = async (name: string, given: string): Promise<void> => {
    setError(null);
    try {
      setRead({ name, metadata: await readDocument(name, given) });
    } catch (thrown) {
      setError(thrown);
    }
  };
  const open = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    let given: string;
    try {
      given = await file.text();
    } catch {
      setError(new Error(`Failed to read ${file.name}. Choose it again.`));
      return;
    }
    await preview(file.name, given);
  };
  if (read) {
    return (
      <ReplaceDialog
        title={`Import ${read.name}`}
        label="Import"
        metadata={read.metadata}
        notice="Imported the metadata"
        onBack={() => setRead(null)}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      title="Import metadata"
      isWide
      onClose={onClose}
      onSubmit={() => preview("pasted metadata", text)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" unavailable={text.trim() === "" && "Choose a file or paste metadata."}>
            Preview
          </Button>
        </>
      }
    >
      <label class="field">
        <span class="field-label">JSON or YAML file</span>
        <input
          class="input"
          type="file"
          accept=".json,.yaml,.yml,application/json,application/yaml"
          onChange={(event) => void open(event.currentTarget.files?.[0])}
        />
        <span class="field-hint">
          A file from Download replaces the whole metadata. A preview shows the changes before you apply them.
        </span>
      </label>
      <div class="field metadata-import">
        <span class="field-label" aria-hidden="true">
          Or paste it
        </span>
        <CodeEditor value={text} onChange={setText} label="Metadata as JSON or YAML" language="json" />
      </div>
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}
