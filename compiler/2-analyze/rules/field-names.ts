/** Fields of one table must not share a name, nor take one from a column (`metadata-api.md` 6.1, 6.3). */
import type { AnalyzedColumn } from "../analyzed-table.ts";
import type { MetadataObject } from "../inconsistency.ts";
import { type Findings, reject } from "../rejection.ts";

/** A relationship or computed field that is consistent but for its name. */
export interface NamedField {
  readonly name: string;
  readonly object: () => MetadataObject;
}

/** The fields that can stand beside each other; entries for the others. */
export function withoutClashes<F extends NamedField>(
  fields: readonly F[],
  columns: readonly AnalyzedColumn[],
  findings: Findings,
): readonly F[] {
  const byName = new Map<string, F[]>();
  for (const field of fields) {
    const same = byName.get(field.name);
    if (same === undefined) byName.set(field.name, [field]);
    else same.push(field);
  }
  return [...byName].flatMap(([name, same]): readonly F[] => {
    const [field] = same;
    if (same.length > 1) {
      const objects = same.map(({ object }) => object());
      findings.addTogether("conflict", objects, `Conflicting objects: conflicting definitions for field "${name}"`);
      return [];
    }
    if (field === undefined) return [];
    const free = findings.attempt(field.object, "", () => {
      checkColumnNames(name, columns);
      return true;
    });
    return free ? [field] : [];
  });
}

function checkColumnNames(name: string, columns: readonly AnalyzedColumn[]): void {
  if (columns.some((column) => column.name === name)) reject("field definition conflicts with postgres column");
  const column = columns.find(({ field }) => field === name);
  if (column === undefined) return;
  reject(`field definition conflicts with custom field name for postgres column "${column.name}"`);
}
