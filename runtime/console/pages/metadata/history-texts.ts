/** Texts of the changes in the history. */
import type { HistoryEntry } from "../../http/metadata-history-api.ts";
import { partName } from "./part-changes.tsx";

/** Returns the user and the role of a change. */
export function callerOf({ user, role }: HistoryEntry): string {
  return [user, role].filter((each) => each !== null).join(", ") || "The server";
}

/** Returns the names of the operations with their numbers. */
export function operationsOf({ operations }: HistoryEntry): string {
  const counts = new Map<string, number>();
  for (const name of operations) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count})`)).join(", ");
}

/** Returns the names of the changed parts. */
export function partsOf({ parts, part_count: count }: HistoryEntry): string {
  const more = count - parts.length;
  return [...parts.map(partName), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
