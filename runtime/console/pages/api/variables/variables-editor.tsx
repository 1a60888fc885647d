/** Editor of variables as JSON, with completion and validation by their types. */
import type { CompletionSource } from "@codemirror/autocomplete";
import { linter } from "@codemirror/lint";
import { EditorState, type Extension, StateEffect } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import { useEffect, useState } from "preact/hooks";
import { CodeEditor } from "../../../parts/code-editor.tsx";
import { requestKeys } from "../request-keys.ts";
import { operation, variables } from "../request-state.ts";
import { run } from "../run.ts";
import { schema } from "../schema.ts";

export function VariablesEditor() {
  const [view, setView] = useState<EditorView | null>(null);
  const [current, known] = [operation.value, schema.value];
  useEffect(() => view?.dispatch({ effects: typesChanged.of(null) }), [view, current, known]);
  return (
    <CodeEditor
      label="Variables as JSON"
      language="json"
      placeholder="{ }"
      value={variables.value}
      onChange={(text) => {
        variables.value = text;
      }}
      extensions={extensions}
      onSubmit={() => void run()}
      onReady={setView}
    />
  );
}

/** Validates the text again, because its types have changed. */
const typesChanged = StateEffect.define<null>();

const help = () => import("./variable-help.ts");

const completion: CompletionSource = async (context) => (await help()).completeVariables(context);

const extensions: Extension = [
  keymap.of(requestKeys),
  EditorState.languageData.of(() => [{ autocomplete: completion }]),
  linter(async (view) => (view.state.doc.length === 0 ? [] : (await help()).lintVariables(view)), {
    needsRefresh: ({ transactions }) =>
      transactions.some(({ effects }) => effects.some((each) => each.is(typesChanged))),
  }),
];
