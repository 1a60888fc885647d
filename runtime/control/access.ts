/** Who may do what, and what changes of it, for the server and for commands. */
import { type AccessInput, accessOf } from "../../compiler/access/access-of.ts";
import type { Change } from "../../compiler/access/change.ts";
import { compareAccess } from "../../compiler/access/compare.ts";
import type { Access } from "../../compiler/access/model.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import { type ApiLimits, limitOf } from "../execute/guard/api-limits.ts";
import { atOnce, type Interruptible } from "../values/interruptible.ts";
import { redactor } from "../values/redact-metadata.ts";
import type { Compiled } from "./compile-analysis.ts";

type Accessible = Pick<Compiled, "analysis" | "program" | "planned">;

/** Where nobody waits for anything else. */
export const accessOfProgram = (compiled: Accessible): Access => atOnce(readAccess(compiled));

/** @param wanted whose rights are read, and of which roles the schemas are left out; absent: all of all */
export function readAccess(
  { analysis, program, planned }: Accessible,
  wanted: Pick<AccessInput, "roles" | "sameSchemas"> = {},
): Interruptible<Access> {
  // Its shape was checked when it came in.
  const limits = analysis.catalog.api_limits as ApiLimits;
  const limitsOf = (role: string) =>
    Object.fromEntries(
      limitNames.flatMap((name): (readonly [string, Json])[] => {
        const limit = limitOf(limits, name, role);
        if (limit === undefined) return [];
        return [[name, typeof limit === "number" ? limit : { ...limit, unique_params: limit.unique_params ?? null }]];
      }),
    );
  return accessOf({ analysis, program, planned, limitsOf, ...wanted });
}

const limitNames = ["batch_limit", "depth_limit", "node_limit", "rate_limit", "time_limit"] as const;

/** What either may do that the other may not, without passwords. */
export function accessChanges(before: Access, after: Access): readonly Change[] {
  // Addresses of webhooks may have passwords in them.
  const redact = redactor();
  const shown = (access: Access) => redact(JSON.parse(JSON.stringify(access)) as Json) as unknown as Access;
  return compareAccess(shown(before), shown(after));
}

/** Changes that allow more, or may. */
export function widening(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ effect }) => effect === "widens" || effect === "may widen");
}

/** How many changes allow more, and how many may. */
export function wideningSummary(changes: readonly Change[]): { readonly widens: number; readonly mayWiden: number } {
  const count = (effect: Change["effect"]) => changes.filter((change) => change.effect === effect).length;
  return { widens: count("widens"), mayWiden: count("may widen") };
}
