/** Editor of operations with completion and validation against the schema of the role. */
import { startCompletion } from "@codemirror/autocomplete";
import { type Diagnostic, linter } from "@codemirror/lint";
import type { EditorState, Extension } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import {
  completion,
  getSchema,
  graphqlLanguageSupport,
  showInDocsCommand,
  stateExtensions,
  updateSchema,
} from "cm6-graphql";
import { GraphQLError, NoUnusedFragmentsRule, parse, specifiedRules, validate } from "graphql";
import { useEffect, useState } from "preact/hooks";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { isBlank } from "./blank.ts";
import { showDocumentation, showPanel } from "./panel-state.ts";
import { requestKeys } from "./request-keys.ts";
import { query } from "./request-state.ts";
import { run } from "./run.ts";
import { schema } from "./schema.ts";

export function GraphqlEditor() {
  const [view, setView] = useState<EditorView | null>(null);
  const found = schema.value;
  useEffect(() => {
    if (!view) return;
    updateSchema(view, found ?? undefined);
    // Names that were typed before the schema was loaded are completed now.
    if (found && view.hasFocus && endsInName(view.state)) startCompletion(view);
  }, [view, found]);
  return (
    <CodeEditor
      label="GraphQL operation"
      value={query.value}
      onChange={(text) => {
        query.value = text;
      }}
      extensions={extensions}
      placeholder="query { … }   Ctrl+Space to complete, Ctrl+Enter to run"
      onSubmit={() => void run()}
      onReady={setView}
    />
  );
}

function endsInName({ doc, selection: { main } }: EditorState): boolean {
  return main.empty && /\w/.test(doc.sliceString(Math.max(0, main.head - 1), main.head));
}

// Validation. The linter of cm6-graphql also reports an empty document.

/** Fragments are completed before they are used. */
const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule);

function problemsOf(state: EditorState): readonly GraphQLError[] {
  const text = state.doc.toString();
  const known = getSchema(state);
  if (isBlank(text) || !known) return [];
  try {
    return validate(known, parse(text), rules);
  } catch (thrown) {
    return thrown instanceof GraphQLError ? [thrown] : [];
  }
}

function diagnosticOf(state: EditorState, { message, nodes, positions }: GraphQLError): Diagnostic {
  const { length } = state.doc;
  const location = nodes?.[0]?.loc;
  const start = Math.min(location?.start ?? positions?.[0] ?? 0, Math.max(0, length - 1));
  // Mark the first line of a node only: a marked selection set would hide what is wrong in it.
  const end = Math.min(location?.end ?? start + 1, state.doc.lineAt(start).to);
  return { from: start, to: Math.min(length, Math.max(end, start + 1)), severity: "error", message };
}

/** Opens the panel first: before the schema is loaded, the cursor is on no field. */
function openDocumentation(view: EditorView): boolean {
  showPanel("documentation");
  return showInDocsCommand(view);
}

const extensions: Extension = [
  graphqlLanguageSupport(),
  completion,
  linter(({ state }) => problemsOf(state).map((problem) => diagnosticOf(state, problem)), {
    needsRefresh: ({ state, startState }) => getSchema(state) !== getSchema(startState),
  }),
  stateExtensions(undefined, {
    onShowInDocs: (field, _type, parent) => {
      const type = parent ?? null;
      showDocumentation({ type, ...(field !== undefined && type !== null && { field }) });
    },
  }),
  keymap.of([{ key: "F1", run: openDocumentation, preventDefault: true }, ...requestKeys]),
];
