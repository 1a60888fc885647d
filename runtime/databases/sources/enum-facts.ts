/** Reads the values of enum tables as facts. */
import type { DatabaseFact, EnumTable } from "../../values/database-fact.ts";
import type { TextRow } from "./source.ts";

/**
 * Reads the values of enum tables.
 * @param found facts about the tables; enum tables without their column are skipped
 * @param read returns one row per value
 */
export async function enumFacts(
  enums: readonly EnumTable[],
  found: readonly DatabaseFact[],
  read: (each: EnumTable) => Promise<readonly TextRow[]>,
): Promise<readonly DatabaseFact[]> {
  const columns = new Set(found.map(({ object, part }) => JSON.stringify([object, part])));
  const facts: DatabaseFact[] = [];
  for (const each of enums) {
    if (!columns.has(JSON.stringify([each.table, ["column", each.column]]))) continue;
    for (const [value] of await read(each)) {
      facts.push({ object: each.table, part: ["value", value ?? ""], value: "a value" });
    }
  }
  return facts;
}
