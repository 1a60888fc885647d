/** Accesses of metadata about authors and articles, and their differences as lines. */
import type { Change } from "../../../compiler/access/change.ts";
import { compareAccess } from "../../../compiler/access/compare.ts";
import type { Access } from "../../../compiler/access/model.ts";
import { accessOfProgram } from "../../../runtime/control/access.ts";
import { compileAnalysis } from "../../../runtime/control/compile-analysis.ts";
import { sharedCode } from "../../support/shared-code.ts";
import { analysisOf, type MetadataInput, reasonsOf, type Setting } from "../analyze/sample.ts";

/** Of metadata without settings, of which many cases have the same. */
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

/** `role, subject: aspect name kind = effect` */
function line({ role = "all", area, subject, aspect, name, kind, effect }: Change): string {
  const about = area === "role" ? "" : ` ${subject}:`;
  return `${role}${about} ${aspect}${name === undefined ? "" : ` ${name}`} ${kind} = ${effect}`;
}

/** Changes that are told of, without what follows from them in the API and in SQL. */
export function lines(before: Access, after: Access): readonly string[] {
  const told = compareAccess(before, after).filter(
    ({ role, area, aspect }) => role !== "admin" && area !== "api" && !aspect.startsWith("SQL") && area !== "other",
  );
  return told.map(line);
}

const mirroredKinds = { added: "removed", removed: "added", changed: "changed" } as const;
const mirroredEffects = { widens: "narrows", narrows: "widens", "may widen": "may widen", none: "none" } as const;

/** The same change the other way round. */
export function mirrored({ kind, effect, before, after, ...change }: Change): Change {
  return {
    ...change,
    kind: mirroredKinds[kind],
    effect: mirroredEffects[effect],
    ...(after === undefined ? {} : { before: after }),
    ...(before === undefined ? {} : { after: before }),
  };
}
