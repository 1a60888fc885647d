/** Input control for a value, by the editor of its column. Null is the absence of text. */
import { isTime } from "../typed-value.ts";
import type { Editor } from "./editors.ts";
import { type InputProps, ReferencePicker } from "./reference-picker.tsx";

interface ValueInputProps extends InputProps {
  readonly editor: Editor;
  /** SQL type. */
  readonly type: string;
}

const booleans = [
  { value: "true", label: "true" },
  { value: "false", label: "false" },
];

const plainDate = /^(?:\d{4}-\d\d-\d\d)?$/;

export function ValueInput({ editor, type, ...props }: ValueInputProps) {
  const { value, onInput, control } = props;
  const text = value ?? "";
  const input = (event: { readonly currentTarget: { readonly value: string } }): void =>
    onInput(event.currentTarget.value);
  switch (editor.kind) {
    case "boolean":
    case "choice": {
      const choices = editor.kind === "choice" ? editor.choices : booleans;
      const isKnown = text === "" || choices.some((choice) => choice.value === text);
      const { placeholder, ...rest } = control;
      return (
        <select {...rest} value={text} onChange={input}>
          {(value === null || text === "") && <option value="">{placeholder ?? ""}</option>}
          {!isKnown && <option value={text}>{text}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      );
    }
    case "reference":
      return <ReferencePicker {...props} reference={editor.reference} />;
    case "json":
    case "long":
      return <textarea {...control} rows={lines(text)} value={text} onInput={input} />;
    default: {
      const isDate = editor.kind === "date" && plainDate.test(text);
      const example = isTime(type) && control.placeholder === undefined ? { placeholder: exampleOf(type) } : {};
      return (
        <input
          {...control}
          {...example}
          type={(isDate ? "date" : "text") as "text"}
          autocomplete="off"
          value={text}
          {...(editor.kind === "number" && { inputMode: "decimal" as const })}
          onInput={input}
        />
      );
    }
  }
}

/** Returns the height of a text area in lines. */
const lines = (text: string): number => Math.min(12, Math.max(2, text.split("\n", 12).length));

function exampleOf(type: string): string {
  if (/^interval/i.test(type)) return "1 day 02:00:00";
  if (/^time(?!stamp)/i.test(type)) return "14:30:00";
  return /with time zone|offset|tz/i.test(type) ? "2030-12-31T14:30:00+00:00" : "2030-12-31T14:30:00";
}
