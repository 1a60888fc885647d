/** What all editors share: colours, keys, languages. */
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { Compartment, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, ViewPlugin } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { configuration } from "../configuration.ts";
import { typedOver } from "./typed-over.ts";

export type Language = "json" | "sql" | "typescript" | "text";

/** Grammars of whole languages are loaded when one is first shown. */
const languages: Readonly<Record<Language, () => Extension | Promise<Extension>>> = {
  json: () => json(),
  sql: async () => {
    const { PostgreSQL, sql } = await import("@codemirror/lang-sql");
    return sql({ dialect: PostgreSQL });
  },
  typescript: async () => (await import("@codemirror/lang-javascript")).javascript({ typescript: true }),
  text: () => [],
};

/** Highlights a language as soon as its grammar is there. */
export function languageOf(language: Language): Extension {
  const found = languages[language]();
  if (!(found instanceof Promise)) return found;
  const place = new Compartment();
  const loader = ViewPlugin.define((view) => {
    let isGone = false;
    const fill = (loaded: Extension): void => {
      if (!isGone) view.dispatch({ effects: place.reconfigure(loaded) });
    };
    // Without its grammar the text is shown in one colour.
    found.then(fill, () => undefined);
    return {
      destroy: () => {
        isGone = true;
      },
    };
  });
  return [place.of([]), loader];
}

const colours = HighlightStyle.define([
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
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent-fill)",
    color: "var(--on-accent)",
  },
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
  syntaxHighlighting(colours),
  drawSelection(),
  typedOver,
];

/** Reading: moving, selecting, searching. */
export const readOnlyKeys: Extension = keymap.of([...defaultKeymap, ...searchKeymap]);

/** Writing. Tab stays the key that leaves the editor. */
export const writingKeys: Extension = [
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...lintKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...defaultKeymap,
  ]),
];
