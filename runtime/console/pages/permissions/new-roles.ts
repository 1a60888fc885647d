/** Roles added on this page that have no permissions yet. The metadata stores a role only with its permissions. */
import { computed, signal } from "@preact/signals";
import { roles } from "../../state/metadata.ts";

const added = signal<readonly string[]>([]);

/** Roles that exist only on this page. */
export const unsavedRoles = computed<readonly string[]>(() =>
  added.value.filter((role) => !roles.value.includes(role)),
);

/** Roles of the metadata, then roles that exist only on this page. */
export const allRoles = computed<readonly string[]>(() => [...roles.value, ...unsavedRoles.value]);

/** Returns the reason why a new role cannot have a name, or `null`. */
export function roleProblem(name: string): string | null {
  if (name === "") return "Enter a name.";
  if (name === "admin") return "The role admin has access to everything and no permissions.";
  return allRoles.value.includes(name) ? "A role with this name exists." : null;
}

export function addRole(name: string): void {
  added.value = [...unsavedRoles.value, name];
}

export function renameRole(before: string, after: string): void {
  added.value = unsavedRoles.value.map((role) => (role === before ? after : role));
}

export function removeRole(name: string): void {
  added.value = unsavedRoles.value.filter((role) => role !== name);
}
