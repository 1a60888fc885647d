/** Changed parts of the metadata as diffs: tables, databases, and the rest. */
import { jsonText } from "../../http/json.ts";
import type { JsonObject } from "../../http/metadata-types.ts";
import type { PartChange } from "../../http/plan-api.ts";
import { FoldedDiff } from "../../parts/folded-diff.tsx";

/** Number of diffs that are initially expanded. */
const initiallyOpen = 3;

/** Maximum number of displayed parts. */
const maxShown = 100;

export function PartChanges({ changes }: { readonly changes: readonly PartChange[] }) {
  return (
    <>
      {changes.slice(0, maxShown).map((change, index) => (
        <FoldedDiff
          key={partName(change)}
          name={partName(change)}
          kind={change.before === null ? "added" : change.after === null ? "removed" : "changed"}
          before={textOf(change.before)}
          after={textOf(change.after)}
          isOpen={index < initiallyOpen}
        />
      ))}
      {changes.length > maxShown && <p class="muted">{`${(changes.length - maxShown).toLocaleString()} more`}</p>}
    </>
  );
}

export function partName({ source, table }: Pick<PartChange, "source" | "table">): string {
  if (source === null) return "Outside of databases";
  return table === null ? `Database ${source}` : `${source} · ${table.schema}.${table.name}`;
}

const textOf = (value: JsonObject | null | undefined): string | null | undefined => value && jsonText(value);
