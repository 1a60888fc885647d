/** Code editor for JSON, SQL, and languages that a page adds as extensions. */
import { closeCompletion } from "@codemirror/autocomplete";
import { isolateHistory } from "@codemirror/commands";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, placeholder as placeholderText } from "@codemirror/view";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Language, languageOf, theme, writingKeys } from "./editor-setup.ts";
import { submitFormOf } from "./form.tsx";

interface CodeEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  readonly language?: Language;
  /** Language support, completion and linting. Read once, when the editor is created. */
  readonly extensions?: Extension;
  readonly placeholder?: string;
  /** True if the text is not usable: its form is then not submitted. */
  readonly isInvalid?: boolean;
  /** Runs on Ctrl+Enter or Cmd+Enter. Without it these keys submit the form of the editor. */
  readonly onSubmit?: () => void;
  /** Receives the editor for direct access; `null` when it is destroyed. */
  readonly onReady?: (view: EditorView | null) => void;
}

const external = Annotation.define<true>();

export function CodeEditor(props: CodeEditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const parent = container.current;
    if (!parent) return;
    const view = new EditorView({ parent, state: stateOf(latest) });
    editor.current = view;
    latest.current.onReady?.(view);
    return () => {
      latest.current.onReady?.(null);
      view.destroy();
    };
  }, []);
  const { value } = props;
  // A layout effect, because after the next keystroke this value would be older than the editor's text.
  useLayoutEffect(() => {
    const view = editor.current;
    if (!view || view.state.doc.toString() === value) return;
    view.dispatch({
      changes: differenceOf(view.state.doc.toString(), value),
      // Undo reverts this change without the keystrokes before it.
      annotations: [external.of(true), isolateHistory.of("full")],
    });
  }, [value]);
  const { isInvalid = false } = props;
  // The editor reads its attributes again only when it is updated.
  useLayoutEffect(() => editor.current?.dispatch({}), [isInvalid]);
  return <div class="code-editor" ref={container} />;
}

/** Returns the change of the part that differs, so that the cursor stays where it is in the rest of the text. */
function differenceOf(before: string, after: string): { from: number; to: number; insert: string } {
  const max = Math.min(before.length, after.length);
  let start = 0;
  while (start < max && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < max - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

function stateOf(latest: { readonly current: CodeEditorProps }): EditorState {
  const { value, label, language = "text", extensions = [], placeholder = "" } = latest.current;
  const submit = (view: EditorView): boolean => {
    const { onSubmit } = latest.current;
    // The list would cover the result.
    closeCompletion(view);
    if (!onSubmit) return submitFormOf(view.dom);
    onSubmit();
    return true;
  };
  return EditorState.create({
    doc: value,
    extensions: [
      keymap.of([{ key: "Mod-Enter", run: submit }]),
      theme,
      languageOf(language),
      extensions,
      writingKeys,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      EditorView.contentAttributes.of((): Record<string, string> => {
        return latest.current.isInvalid ? { "aria-invalid": "true" } : {};
      }),
      placeholderText(placeholder),
      EditorView.updateListener.of((update) => {
        const isOwn = update.transactions.every((transaction) => transaction.annotation(external) !== true);
        if (update.docChanged && isOwn) latest.current.onChange(update.state.doc.toString());
      }),
    ],
  });
}
