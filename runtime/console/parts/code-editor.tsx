/** An editor of code: JSON, SQL, or a language that the page brings along. */
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, placeholder as placeholderText } from "@codemirror/view";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Language, languageOf, theme, writingKeys } from "./editor-setup.ts";

interface CodeEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  readonly language?: Language;
  /** Read when the editor is made: another language, completion, errors. */
  readonly extensions?: Extension;
  readonly placeholder?: string;
  /** Control or Command with Enter. */
  readonly onSubmit?: () => void;
  /** The editor itself, for pages that mark places in it. */
  readonly onReady?: (view: EditorView | null) => void;
}

const fromOutside = Annotation.define<true>();

export function CodeEditor(props: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const parent = place.current;
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
  // Before the next letter is typed: later, this value would be an older one than the editor's.
  useLayoutEffect(() => {
    const view = editor.current;
    if (!view || view.state.doc.toString() === value) return;
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: value },
      annotations: fromOutside.of(true),
    });
  }, [value]);
  return <div class="code-editor" ref={place} />;
}

function stateOf(latest: { readonly current: CodeEditorProps }): EditorState {
  const { value, label, language = "text", extensions = [], placeholder = "" } = latest.current;
  const submit = (): boolean => {
    latest.current.onSubmit?.();
    return latest.current.onSubmit !== undefined;
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
      placeholderText(placeholder),
      EditorView.updateListener.of((update) => {
        const isOwn = update.transactions.every((transaction) => transaction.annotation(fromOutside) !== true);
        if (update.docChanged && isOwn) latest.current.onChange(update.state.doc.toString());
      }),
    ],
  });
}
