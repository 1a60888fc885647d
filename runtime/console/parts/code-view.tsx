/** Read-only code with syntax highlighting, search and marked lines. */
import { EditorState, type Extension } from "@codemirror/state";
import { Decoration, EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { type Language, languageOf, readOnlyKeys, theme } from "./editor-setup.ts";

interface CodeViewProps {
  readonly text: string;
  readonly language: Language;
  readonly label: string;
  /** Lines to mark, counted from 1. The view scrolls to the first. */
  readonly marked?: readonly number[];
  readonly hasLineNumbers?: boolean;
}

export function CodeView({ text, language, label, marked = [], hasLineNumbers = false }: CodeViewProps) {
  const container = useRef<HTMLDivElement>(null);
  const lines = marked.join(",");
  useEffect(() => {
    const parent = container.current;
    if (!parent) return;
    const markedLines = lines === "" ? [] : lines.split(",").map(Number);
    const state = EditorState.create({
      doc: text,
      extensions: [
        theme,
        languageOf(language),
        readOnlyKeys,
        hasLineNumbers ? lineNumbers() : [],
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.lineWrapping,
        markLines(markedLines),
      ],
    });
    const view = new EditorView({ state, parent });
    const first = markedLines.find((line) => line <= state.doc.lines);
    if (first !== undefined) {
      view.dispatch({ effects: EditorView.scrollIntoView(state.doc.line(first).from, { y: "center" }) });
    }
    return () => view.destroy();
  }, [text, language, label, lines, hasLineNumbers]);
  return <div class="code-view" ref={container} />;
}

const mark = Decoration.line({ class: "cm-marked" });

function markLines(lines: readonly number[]): Extension {
  return EditorView.decorations.of(({ state: { doc } }) => {
    const found = lines.filter((line) => line >= 1 && line <= doc.lines);
    return Decoration.set(
      found.map((line) => mark.range(doc.line(line).from)),
      true,
    );
  });
}
