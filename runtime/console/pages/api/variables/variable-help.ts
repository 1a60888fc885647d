/** Completion and validation for the editor of variables, loaded on first use. */
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { jsonParseLinter } from "@codemirror/lang-json";
import type { Diagnostic } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { operation } from "../request-state.ts";
import { schema } from "../schema.ts";
import { completionsAt, problemsOf, type VariableTypes, variableTypes } from "./variable-types.ts";

const currentTypes = (): VariableTypes | null =>
  schema.value && operation.value && variableTypes(schema.value, operation.value);

export function completeVariables({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const types = currentTypes();
  const text = state.doc.toString();
  const result = types && completionsAt(text, pos, types);
  return result && (explicit || result.from < pos) ? result : null;
}

const findSyntaxError = jsonParseLinter();

export function lintVariables(view: EditorView): readonly Diagnostic[] {
  const text = view.state.doc.toString();
  if (text.trim() === "") return [];
  const errors = findSyntaxError(view);
  const types = currentTypes();
  if (errors.length > 0 || !types) return errors;
  return problemsOf(text, types).map((problem) => ({ ...problem, severity: "error" as const }));
}
