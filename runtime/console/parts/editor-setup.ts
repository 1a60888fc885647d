/** Setup that all editors share: theme, key bindings, languages. */
import { autocompletion, type Completion, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { Compartment, type Extension, StateEffect } from "@codemirror/state";
import { drawSelection, EditorView, keymap, ViewPlugin } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { configuration } from "../configuration.ts";

// Replaces a selection in the editor state before the browser does. By default, Chromium deletes the selection in the page
// and preserves its style: it inserts the text in an element with a style attribute, which violates the content security
// policy. Compositions stay with the browser, because a change of the page would end them.

const typedOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data, isComposing, cancelable } = event;
    if (inputType !== "insertText" || data === null || isComposing || !cancelable) return false;
    const selected = selectedIn(view);
    if (selected === undefined) return false;
    event.preventDefault();
    if (!view.state.readOnly) replace(view, selected, data);
    return true;
  },
});

interface Selected {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the selection of the editor or, if that is empty, of the page, because the editor detects selections made by
 * scripts only later.
 */
function selectedIn(view: EditorView): Selected | undefined {
  const { main } = view.state.selection;
  if (!main.empty) return main;
  const selection = document.getSelection();
  const [anchor, focus] = [selection?.anchorNode, selection?.focusNode];
  if (!selection || !anchor || !focus || selection.isCollapsed) return undefined;
  if (!view.contentDOM.contains(anchor) || !view.contentDOM.contains(focus)) return undefined;
  const ends = [view.posAtDOM(anchor, selection.anchorOffset), view.posAtDOM(focus, selection.focusOffset)];
  return { from: Math.min(...ends), to: Math.max(...ends) };
}

/** Replaces the selection through the input handlers, like typed text, so that closing brackets are inserted. */
function replace(view: EditorView, { from, to }: Selected, text: string): void {
  const { state } = view;
  const insert = () =>
    state.update({
      changes: { from, to, insert: text },
      selection: { anchor: from + text.length },
      userEvent: "input.type",
      scrollIntoView: true,
    });
  const isHandled = state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, text, insert));
  if (!isHandled) view.dispatch(insert());
}

export type Language = "json" | "sql" | "typescript" | "text";

/** Language support by name. Large grammars are loaded on first use. */
const languages: Readonly<Record<Language, () => Extension | Promise<Extension>>> = {
  json: () => json(),
  sql: async () => {
    const { PostgreSQL, sql } = await import("@codemirror/lang-sql");
    return sql({ dialect: PostgreSQL });
  },
  typescript: async () => (await import("@codemirror/lang-javascript")).javascript({ typescript: true }),
  text: () => [],
};

/** Returns an extension that highlights the language once its grammar is loaded. */
export function languageOf(language: Language): Extension {
  const found = languages[language]();
  if (!(found instanceof Promise)) return found;
  const compartment = new Compartment();
  const loader = ViewPlugin.define((view) => {
    let isDestroyed = false;
    const fill = (loaded: Extension): void => {
      if (!isDestroyed) view.dispatch({ effects: compartment.reconfigure(loaded) });
    };
    // If the grammar fails to load, the text stays unhighlighted.
    found.then(fill, () => undefined);
    return {
      destroy: () => {
        isDestroyed = true;
      },
    };
  });
  return [compartment.of([]), loader];
}

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.definitionKeyword], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-number)" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--code-comment)" },
  { tag: [tags.typeName, tags.className, tags.namespace], color: "var(--code-type)" },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], color: "var(--code-property)" },
  { tag: [tags.variableName, tags.special(tags.variableName)], color: "var(--code-variable)" },
]);

const look = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "transparent", fontSize: "12.5px", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-line": { padding: "0 12px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-marked": { backgroundColor: "var(--mark)" },
  ".cm-placeholder": { color: "var(--muted)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-code)", maxWidth: "min(560px, 92vw)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px", lineHeight: "1.5" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent-fill)",
    color: "var(--on-accent)",
  },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected] .cm-completionDetail": { color: "var(--on-accent)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-tooltip.cm-completionInfo": { padding: "6px 10px", maxWidth: "320px" },
  ".cm-diagnostic": { padding: "6px 10px" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-panels input, .cm-panels button": {
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    backgroundImage: "none",
  },
  ".cm-searchMatch": { backgroundColor: "var(--mark)" },
  ".cm-matchingBracket": { backgroundColor: "var(--mark)", outline: "none" },
});

export const theme: Extension = [
  EditorView.cspNonce.of(configuration.styleNonce),
  look,
  syntaxHighlighting(colors),
  drawSelection(),
  typedOver,
];

const searchable = new WeakSet<EditorView>();

/** Search and its key bindings, which are loaded when the editor first has the focus. */
const searchKeys: Extension = EditorView.domEventHandlers({
  focus: (_event, view) => {
    if (searchable.has(view)) return;
    searchable.add(view);
    import("@codemirror/search").then(
      ({ searchKeymap }) => view.dispatch({ effects: StateEffect.appendConfig.of(keymap.of(searchKeymap)) }),
      () => searchable.delete(view),
    );
  },
});

/** Key bindings of read-only editors: navigation, selection, search. */
export const readOnlyKeys: Extension = [keymap.of(defaultKeymap), searchKeys];

/** Names of GraphQL's own fields follow all others. */
const inOrder = ({ label: a }: Completion, { label: b }: Completion): number =>
  Number(a.startsWith("__")) - Number(b.startsWith("__")) || a.localeCompare(b);

/** Completion and key bindings of editors. Tab is not bound, so that it leaves the editor. */
export const writingKeys: Extension = [
  history(),
  // Binds its own keys. Without it, completion sources of languages have no effect.
  autocompletion({ icons: false, compareCompletions: inOrder }),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  keymap.of([...closeBracketsKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
  searchKeys,
];
