/** Formats the operation and its variables. A text with a syntax error stays as it is. */
import { messageOf } from "../../../values/message-of.ts";
import { notify } from "../../parts/toast.tsx";
import { formatDocument } from "./format-document.ts";
import { layOutJson } from "./json-layout.ts";
import { query, variables } from "./request-state.ts";

export function formatRequest(): void {
  query.value = formatted("the operation to format it", query.value, formatDocument);
  variables.value = formatted("the variables to format them", variables.value, (text) => {
    if (text.trim() === "") return text;
    JSON.parse(text);
    return layOutJson(text);
  });
}

function formatted(purpose: string, text: string, format: (text: string) => string): string {
  try {
    return format(text);
  } catch (error) {
    notify(`Correct ${purpose}: ${messageOf(error)}`);
    return text;
  }
}
