/** Fields for a role and its session variables. */
import { useState } from "preact/hooks";
import type { ReadingSession } from "../http/data-api.ts";
import { SelectField, TextField } from "./field.tsx";

/** The entered session. */
export interface EnteredSession {
  readonly role: string;
  readonly text: string;
}

/** A session variable: its name, and its value. */
const variableLine = /^\s*(x-engine-[\w-]+)\s*[:=]\s*(.*?)\s*$/i;

const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line.trim() !== "");

/** @param otherwise role without a session */
export function useEnteredSession(session: ReadingSession | null, otherwise: string) {
  return useState<EnteredSession>({
    role: session?.role ?? otherwise,
    text: Object.entries(session?.variables ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n"),
  });
}

/** Returns the session of valid lines. */
export function sessionOf({ role, text }: EnteredSession): ReadingSession {
  const variables = linesOf(text).map((line): [string, string] => {
    const [, name = "", value = ""] = variableLine.exec(line) ?? [];
    return [name.toLowerCase(), value];
  });
  return { role, variables: Object.fromEntries(variables) };
}

interface SessionFieldsProps {
  readonly entered: EnteredSession;
  readonly roles: readonly string[];
  readonly hint: string;
  readonly onChange: (entered: EnteredSession) => void;
}

export function SessionFields({ entered, roles, hint, onChange }: SessionFieldsProps) {
  const wrong = linesOf(entered.text).find((line) => !variableLine.test(line));
  return (
    <>
      <SelectField
        label="Role"
        value={entered.role}
        choices={roles.map((each) => ({ value: each, label: each }))}
        onChange={(role) => onChange({ ...entered, role })}
      />
      <TextField
        label="Session variables"
        rows={4}
        isCode
        value={entered.text}
        onInput={(text) => onChange({ ...entered, text })}
        placeholder="X-Engine-User-Id: 1"
        error={wrong === undefined ? null : `Enter one variable per line, such as X-Engine-User-Id: 1. Wrong: ${wrong}`}
        hint={hint}
      />
    </>
  );
}
