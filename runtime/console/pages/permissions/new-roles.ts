/** Roles that have a column in the matrix and no permission yet: a role is there once something names it. */
import { signal } from "@preact/signals";

export const newRoles = signal<readonly string[]>([]);
