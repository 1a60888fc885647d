/** Editor of actions and custom types as SDL, with completion of type names and diagnostics. */
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { linter } from "@codemirror/lint";
import { graphqlLanguage, graphqlLanguageSupport } from "cm6-graphql";
import { useMemo, useRef } from "preact/hooks";
import type { JsonObject } from "../../http/metadata-types.ts";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { builtInTypes, objectsIn, type SdlProblem } from "./action-sdl.ts";

interface SdlEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly customTypes: JsonObject;
  readonly problems: readonly SdlProblem[];
}

export function SdlEditor({ label, value, onChange, customTypes, problems }: SdlEditorProps) {
  const latest = useRef({ customTypes, problems });
  latest.current = { customTypes, problems };
  const extensions = useMemo(
    () => [
      graphqlLanguageSupport(),
      graphqlLanguage.data.of({
        autocomplete: (context: CompletionContext) => completionsAt(context, latest.current.customTypes),
      }),
      linter(
        ({ state }) => {
          const { length } = state.doc;
          return latest.current.problems.map(({ from, to, ...rest }) => {
            const start = Math.min(from, Math.max(0, length - 1));
            // Only the first line of a definition is marked.
            const end = Math.min(to, state.doc.lineAt(start).to);
            return { ...rest, from: start, to: Math.min(length, Math.max(end, start + 1)) };
          });
        },
        // After the next rendering, which has the problems of the new text.
        { delay: 300 },
      ),
    ],
    [],
  );
  const errors = problems.filter(({ severity }) => severity === "error");
  return (
    <div class="stack">
      <div class="definition-text">
        <CodeEditor
          label={label}
          value={value}
          onChange={onChange}
          extensions={extensions}
          isInvalid={errors.length > 0}
          placeholder="type Mutation { login(name: String!): Token }   Ctrl+Space to complete"
        />
      </div>
      {problems.length > 0 && (
        <ul class="sdl-problems" aria-live="polite">
          {problems.slice(0, 5).map(({ from, message, severity }) => (
            <li key={`${from} ${message}`} class={severity === "error" ? "field-error" : "field-hint"}>
              {`Line ${value.slice(0, from).split("\n").length}: ${message}`}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Frequent scalars of databases. */
const databaseScalars = ["bigint", "date", "json", "jsonb", "numeric", "timestamptz", "uuid"];
const keywords = ["enum", "input", "scalar", "type"];

function completionsAt(context: CompletionContext, customTypes: JsonObject): CompletionResult | null {
  const word = context.matchBefore(/\w*/);
  if (!word || (word.from === word.to && !context.explicit)) return null;
  const before = context.state.doc.sliceString(0, word.from).replace(/#.*|"(?:[^"\\\n]|\\.)*"/g, "");
  const options = optionsAfter(before, context.state.doc.toString(), customTypes);
  return options.length === 0 ? null : { from: word.from, options, validFor: /^\w*$/ };
}

function optionsAfter(before: string, text: string, customTypes: JsonObject) {
  if (!/[:[]\s*$/.test(before)) {
    const isTopLevel = before.split("{").length === before.split("}").length;
    return isTopLevel && /(?:^|[\s}])$/.test(before) ? keywords.map((label) => ({ label, type: "keyword" })) : [];
  }
  const isArgument = before.lastIndexOf("(") > before.lastIndexOf(")");
  const opening = before.match(/\b(?:type|input)\s+\w+\s*\{[^{}]*$/)?.[0] ?? "";
  const isInput = isArgument || opening.startsWith("input");
  const namesOf = (list: string) => objectsIn(customTypes[list]).map(({ name }) => String(name));
  const definedAs = (keyword: string) =>
    Array.from(text.matchAll(new RegExp(`\\b${keyword}\\s+(\\w+)`, "g")), ([, name = ""]) => name);
  const [list, keyword, detail] = isInput
    ? ["input_objects", "input", "input type"]
    : ["objects", "type", "object type"];
  const entries: readonly (readonly [readonly string[], string])[] = [
    [[...namesOf(list), ...definedAs(keyword)].filter((name) => name !== "Query" && name !== "Mutation"), detail],
    [[...namesOf("enums"), ...definedAs("enum")], "enum"],
    [[...namesOf("scalars"), ...definedAs("scalar"), ...builtInTypes, ...databaseScalars], "scalar"],
  ];
  return entries.flatMap(([names, kind]) =>
    [...new Set(names)].map((label) => ({ label, detail: kind, type: "type" })),
  );
}
