/** Reads the access of roles and compares it between programs, for the server and for commands. */
import { type AccessInput, accessOf } from "../../compiler/access/access-of.ts";
import type { Change } from "../../compiler/access/change.ts";
import { compareAccess } from "../../compiler/access/compare.ts";
import type { Access } from "../../compiler/access/model.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import { type ApiLimits, limitOf } from "../execute/guard/api-limits.ts";
import { type Interruptible, runToCompletion } from "../values/interruptible.ts";
import { redactor } from "../values/redact-metadata.ts";
import type { Compiled } from "./compile-analysis.ts";

type Accessible = Pick<Compiled, "analysis" | "program" | "planned">;

/** Returns the access of all roles, computed without interruption. */
export const accessOfProgram = (compiled: Accessible): Access => runToCompletion(readAccess(compiled));

/** @param selection roles whose access is read, and roles whose schemas are left out; by default, everything is read */
export function readAccess(
  { analysis, program, planned }: Accessible,
  selection: Pick<AccessInput, "roles" | "sameSchemas"> = {},
): Interruptible<Access> {
  // Validated when the metadata was read.
  const limits = analysis.catalog.api_limits as ApiLimits;
  const limitsOf = (role: string) =>
    Object.fromEntries(
      limitNames.flatMap((name): (readonly [string, Json])[] => {
        const limit = limitOf(limits, name, role);
        if (limit === undefined) return [];
        return [[name, typeof limit === "number" ? limit : { ...limit, unique_params: limit.unique_params ?? null }]];
      }),
    );
  return accessOf({ analysis, program, planned, limitsOf, ...selection });
}

const limitNames = ["batch_limit", "depth_limit", "node_limit", "rate_limit", "time_limit"] as const;

/** Returns the changes of access between two programs, with passwords redacted. */
export function accessChanges(before: Access, after: Access): readonly Change[] {
  // URLs of webhooks may contain passwords.
  const redact = redactor();
  const shown = (access: Access) => redact(JSON.parse(JSON.stringify(access)) as Json) as unknown as Access;
  return compareAccess(shown(before), shown(after));
}

/** Returns the changes that widen or may widen access. */
export function widening(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ effect }) => effect === "widens" || effect === "may widen");
}

/** Counts the changes that widen access and the changes that may widen it. */
export function wideningSummary(changes: readonly Change[]): { readonly widens: number; readonly mayWiden: number } {
  const count = (effect: Change["effect"]) => changes.filter((change) => change.effect === effect).length;
  return { widens: count("widens"), mayWiden: count("may widen") };
}
