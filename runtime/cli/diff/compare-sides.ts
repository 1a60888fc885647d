/** Two sides → everything that a report tells. */
import { type Change, Changes } from "../../../compiler/access/change.ts";
import { compareAccess } from "../../../compiler/access/compare.ts";
import type { Access } from "../../../compiler/access/model.ts";
import type { Json } from "../../../compiler/catalog/model.ts";
import { redactor } from "../../values/redact-metadata.ts";
import { compareModules, type ModuleChange } from "./declarations.ts";
import type { Side } from "./side.ts";

export interface Report {
  readonly before: Pick<Side, "kind" | "name" | "product">;
  readonly after: Pick<Side, "kind" | "name" | "product">;
  readonly changes: readonly Change[];
  /** Generated modules that differ. */
  readonly modules: readonly ModuleChange[];
}

export async function compareSides(before: Side, after: Side): Promise<Report> {
  const changes = [...accessChanges(before, after), ...compareArtifacts(before, after)];
  const modules = await compareModules(before.modules, after.modules);
  const nameOf = ({ kind, name, product }: Side) => ({ kind, name, product });
  return { before: nameOf(before), after: nameOf(after), changes, modules };
}

/** What either may do that the other may not, without passwords. */
export function accessChanges(before: Pick<Side, "access">, after: Pick<Side, "access">): readonly Change[] {
  // Addresses of webhooks may have passwords in them.
  const redact = redactor();
  const shown = ({ access }: Pick<Side, "access">) =>
    redact(JSON.parse(JSON.stringify(access)) as Json) as unknown as Access;
  return compareAccess(shown(before), shown(after));
}

export const isDifferent = ({ changes, modules }: Report): boolean => changes.length > 0 || modules.length > 0;

/** Changes that allow more, or may. */
export function widening({ changes }: Pick<Report, "changes">): readonly Change[] {
  return changes.filter(({ effect }) => effect === "widens" || effect === "may widen");
}

/** What an artifact is, besides what is compiled into it. */
function compareArtifacts(before: Side, after: Side): readonly Change[] {
  const changes = new Changes({ area: "other", subject: "artifact" });
  if (before.product !== after.product) {
    changes.changed({ aspect: "version", before: before.product, after: after.product, effect: "none" });
  }
  if (before.closed !== undefined && after.closed !== undefined && before.closed !== after.closed) {
    const mode = { aspect: "closed mode", effect: "narrows" } as const;
    if (after.closed) changes.added(mode);
    else changes.removed(mode);
  }
  return changes.list();
}
