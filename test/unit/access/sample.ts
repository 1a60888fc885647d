/** Accesses of metadata about authors and articles, and their differences as lines. */
import type { Change } from "../../../compiler/access/change.ts";
import { compareAccess } from "../../../compiler/access/compare.ts";
import type { Access } from "../../../compiler/access/model.ts";
import { accessOfProgram } from "../../../runtime/control/access.ts";
import { compileAnalysis } from "../../../runtime/control/compile-analysis.ts";
import { sharedCode } from "../../support/shared-code.ts";
import { analysisOf, type MetadataInput, reasonsOf, type Setting } from "../analyze/sample.ts";

/** Results for metadata without settings, which many cases share. */
const known = new Map<string, Access>();

export function access(metadata: MetadataInput, setting?: Setting): Access {
  if (setting !== undefined) return compiled(metadata, setting);
  const key = JSON.stringify(metadata);
  const found = known.get(key) ?? compiled(metadata, {});
  known.set(key, found);
  return found;
}

function compiled(metadata: MetadataInput, setting: Setting): Access {
  const analysis = analysisOf(metadata, setting);
  const wrong = analysis.inconsistencies.filter(({ informational }) => informational !== true);
  if (wrong.length > 0) throw new Error(reasonsOf(analysis).join("; "));
  const planning = { stringifyNumbers: false, nullCollapse: false };
  return accessOfProgram(compileAnalysis({ analysis, planning, code: sharedCode }));
}

/** Prints a change as `role, subject: aspect name kind = effect`. */
function line({ role = "all", area, subject, aspect, name, kind, effect }: Change): string {
  const about = area === "role" ? "" : ` ${subject}:`;
  return `${role}${about} ${aspect}${name === undefined ? "" : ` ${name}`} ${kind} = ${effect}`;
}

/** Returns reported changes, without their consequences in the API and in SQL. */
export function lines(before: Access, after: Access): readonly string[] {
  const told = compareAccess(before, after).filter(
    ({ role, area, aspect }) => role !== "admin" && area !== "api" && !aspect.startsWith("SQL") && area !== "other",
  );
  return told.map(line);
}

const mirroredKinds = { added: "removed", removed: "added", changed: "changed" } as const;
const mirroredEffects = { widens: "narrows", narrows: "widens", "may widen": "may widen", none: "none" } as const;

/** Returns the same change in the other direction. */
export function mirrored({ kind, effect, before, after, ...change }: Change): Change {
  return {
    ...change,
    kind: mirroredKinds[kind],
    effect: mirroredEffects[effect],
    ...(after === undefined ? {} : { before: after }),
    ...(before === undefined ? {} : { after: before }),
  };
}
