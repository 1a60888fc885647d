/** The role whose tools are shown, and its session variables, which the sections of the page share. */
import { signal } from "@preact/signals";
import type { EnteredSession } from "../../parts/session-fields.tsx";
import { roles } from "../../state/metadata.ts";

const chosen = signal<string | null>(null);

/** Session variables of the playground. They may be secret, so that the browser does not keep them. */
const variables = signal("");

/** Returns the chosen role, or the first role that is not an administrator. */
export const shownRole = (): string => chosen.value ?? roles.value[0] ?? "admin";

export function showRole(role: string): void {
  chosen.value = role;
}

export const roleChoices = (): readonly string[] => [...new Set([...roles.value, "admin", shownRole()])];

export const shownSession = (): EnteredSession => ({ role: shownRole(), text: variables.value });

export function showSession({ role, text }: EnteredSession): void {
  chosen.value = role;
  variables.value = text;
}
