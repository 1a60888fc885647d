/** Maps golden cases to their statements, by the permissions of a role on compiled metadata. */
import type { RoleDefinition } from "../../runtime/model/definitions/roots.ts";
import { planQuery } from "../../runtime/model/planner/plan.ts";
import { planMutation } from "../../runtime/model/planner/plan-mutation.ts";
import { planSubscription } from "../../runtime/model/planner/plan-subscription.ts";
import { readOperation } from "../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../runtime/model/schema/role-schema.ts";
import type { CaseKind, GoldenCase } from "../golden/cases.ts";

const makers = { query: planQuery, mutation: planMutation, subscription: planSubscription };

export function planCase(role: RoleDefinition, kind: CaseKind, { query, variables }: GoldenCase) {
  const options = { stringifyNumbers: false, nullCollapse: false };
  return makers[kind](readOperation(query, null), roleSchema(role), variables ?? {}, options).plan;
}
