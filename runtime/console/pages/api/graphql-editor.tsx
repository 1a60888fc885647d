/** The editor of operations: completion and errors by the schema of the role. */
import type { EditorView } from "@codemirror/view";
import { graphql, updateSchema } from "cm6-graphql";
import { useEffect, useState } from "preact/hooks";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { query } from "./request-state.ts";
import { run } from "./run.ts";
import { schema } from "./schema.ts";

const language = graphql();

export function GraphqlEditor() {
  const [view, setView] = useState<EditorView | null>(null);
  const found = schema.value;
  useEffect(() => {
    if (view) updateSchema(view, found ?? undefined);
  }, [view, found]);
  return (
    <CodeEditor
      label="GraphQL operation"
      value={query.value}
      onChange={(text) => {
        query.value = text;
      }}
      extensions={language}
      placeholder="query { … }   Ctrl+Space completes, Ctrl+Enter runs"
      onSubmit={() => void run()}
      onReady={setView}
    />
  );
}
