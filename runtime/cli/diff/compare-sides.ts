/** Two sides → everything that a report tells. */
import { type Change, Changes } from "../../../compiler/access/change.ts";
import { accessChanges } from "../../control/access.ts";
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
  const changes = [...accessChanges(before.access, after.access), ...compareArtifacts(before, after)];
  const modules = await compareModules(before.modules, after.modules);
  const nameOf = ({ kind, name, product }: Side) => ({ kind, name, product });
  return { before: nameOf(before), after: nameOf(after), changes, modules };
}

export const isDifferent = ({ changes, modules }: Report): boolean => changes.length > 0 || modules.length > 0;

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
