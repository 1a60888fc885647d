/** Field for one argument of a tool, by the schema of its value. */
import { useId } from "preact/hooks";
import { CodeEditor } from "../../parts/code-editor.tsx";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { type Argument, type Entered, problemOf } from "./arguments.ts";

interface ArgumentFieldProps {
  readonly argument: Argument;
  readonly value: Entered;
  readonly onChange: (value: Entered) => void;
}

export function ArgumentField({ argument, value, onChange }: ArgumentFieldProps) {
  const { name, isNullable } = argument;
  return (
    <div class={argument.kind === "json" ? "tool-argument wide" : "tool-argument"}>
      <ValueField argument={argument} value={value} onChange={onChange} />
      {isNullable && (
        <CheckField
          label={
            <>
              Null<span class="visually-hidden">{` for ${name}`}</span>
            </>
          }
          checked={value.isNull}
          onChange={(isNull) => onChange({ ...value, isNull })}
        />
      )}
    </div>
  );
}

function ValueField({ argument, value: { text, isNull }, onChange }: ArgumentFieldProps) {
  const { name, kind, choices, isRequired } = argument;
  const input = (next: string): void => onChange({ text: next, isNull: false });
  const problem = text === "" ? null : problemOf(argument, { text, isNull });
  const about = { label: isRequired ? name : `${name} (optional)`, hint: hintOf(argument), error: problem };
  if (kind === "json")
    return <JsonArgument {...about} text={text} isInvalid={isUnusable(argument, text, isNull)} onInput={input} />;
  if (kind === "boolean" || kind === "enum") {
    const values = kind === "boolean" ? ["true", "false"] : choices;
    const isMissing = isRequired && text === "" && !isNull;
    return (
      <SelectField
        {...about}
        error={isMissing ? "Choose a value." : null}
        value={text}
        disabled={isNull}
        choices={["", ...values].map((each) => ({ value: each, label: each === "" ? "Not sent" : each }))}
        onChange={input}
      />
    );
  }
  return (
    <TextField
      {...about}
      value={text}
      disabled={isNull}
      // An empty text is a value.
      required={isRequired && kind !== "text"}
      isCode={kind !== "text"}
      {...(kind === "date" && { type: "date" as const })}
      {...(kind === "datetime" && { placeholder: "2026-01-31T12:00:00Z" })}
      onInput={input}
    />
  );
}

const isUnusable = (argument: Argument, text: string, isNull: boolean): boolean =>
  problemOf(argument, { text, isNull }) !== null;

function hintOf({ description, standard, minimum, maximum, kind }: Argument): string | undefined {
  // Integers have the bounds of their type, which are of no interest.
  const isBounded = kind === "number" || (kind === "integer" && minimum !== null && minimum > -(2 ** 15));
  const parts = [
    description,
    isBounded && minimum !== null ? `Minimum: ${minimum}` : "",
    isBounded && maximum !== null && maximum < 2 ** 31 - 1 ? `Maximum: ${maximum}` : "",
    standard === null ? "" : `Default: ${standard}`,
  ];
  const text = parts.filter((part) => part !== "").join(" · ");
  return text === "" ? undefined : text;
}

interface JsonArgumentProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | null;
  readonly text: string;
  readonly isInvalid: boolean;
  readonly onInput: (text: string) => void;
}

function JsonArgument({ label, hint, error, text, isInvalid, onInput }: JsonArgumentProps) {
  const id = useId();
  return (
    <div class="field">
      <span id={id} class="field-label">
        {label}
      </span>
      <div class="tool-json">
        <CodeEditor
          value={text}
          onChange={onInput}
          label={label}
          language="json"
          placeholder="JSON"
          isInvalid={isInvalid}
        />
      </div>
      {(error ?? hint) !== undefined && (
        <div class={error === null ? "field-hint" : "field-error"}>{error ?? hint}</div>
      )}
    </div>
  );
}
