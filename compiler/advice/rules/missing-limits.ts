/** Finds API limits that do not apply to requests without credentials. */
import { escapePart } from "../../2-analyze/analysis.ts";
import { englishList } from "../../2-analyze/rules/english.ts";
import type { Rule } from "../model.ts";

/** Limits without which a request can use any amount of resources. Most requests contain one operation. */
const required = ["depth_limit", "node_limit", "rate_limit", "time_limit"] as const;

export const missingLimits: Rule = {
  id: "missing-limits",
  title: "Missing API limits",
  about: "Requests without credentials have no limit of their depth, size, rate or duration.",
  severity: "warning",
  needs: "unauthorized role",
  *find({ analysis, unauthorizedRole: role, limitsOf }) {
    if (role == null || !analysis.roles.includes(role)) return;
    const limits = limitsOf(role);
    const missing = required.filter((name) => limits[name] === undefined);
    if (missing.length === 0) return;
    const names = englishList(missing, "and");
    const isDisabled = analysis.catalog.api_limits.disabled === true;
    yield {
      rule: missingLimits.id,
      severity: "warning",
      place: `api_limits.${escapePart(role)}`,
      path: "$.api_limits",
      reason: isDisabled
        ? `the API limits are disabled, and requests without credentials run as role ${role}`
        : `${names} ${missing.length === 1 ? "does" : "do"} not apply to role ${role}, as which requests without credentials run`,
      fix: isDisabled
        ? "remove `disabled` from api_limits"
        : `set ${names} in api_limits, for all roles or for ${role}`,
    };
  },
};
