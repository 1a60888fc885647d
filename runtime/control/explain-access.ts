/** `explain_access`: explains why a role may or may not do something (`docs/how-to/explain-access.md`). */

import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import { ruleSteps } from "../../compiler/access/explain-limits.ts";
import { explainRoot } from "../../compiler/access/explain-root.ts";
import type { Step } from "../../compiler/access/explanation.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import type { Generation } from "../execute/generation.ts";
import { EngineError, invariant, pathTo } from "../values/errors.ts";
import { type Session, sessionPrefix } from "../values/session.ts";
import { type ExplainInput, type Explaining, explainOnTable } from "./explain-on-table.ts";
import { explainRequest } from "./explain-request.ts";
import { type AccessExplanation, withVerdict } from "./explanation.ts";
import type { IoHandlers } from "./io-handlers.ts";
import { requestRules, schemaFacts } from "./schema-facts.ts";

export const explainAccessHandlers: IoHandlers<"explain_access"> = {
  explain_access: async ({ input, path }, { draft, environment, generation, planRequest: plan }) => {
    const { catalog, analysis } = draft;
    const explaining = { catalog, analysis, context: environment.context, generation, plan, hasRows: true };
    return (await explainAccess(input, path, explaining)) as unknown as Json;
  },
};

/**
 * @param path JSON path of the arguments
 * @throws EngineError for names that do not exist, and for values that do not fit
 */
export async function explainAccess(
  input: ExplainInput,
  path: string,
  explaining: Explaining,
): Promise<AccessExplanation> {
  const session = sessionOf(input, path);
  const { on, request, root_field: root } = input;
  const { analysis, generation, plan } = explaining;
  if (on) return withVerdict(await explainOnTable(on, pathTo(path, "on"), session, explaining));
  if (root) {
    checkLength(root, pathTo(path, "root_field"));
    return withVerdict({ steps: explainRootField(root, session, analysis, generation()) });
  }
  invariant(request, "the arguments have `on`, `root_field` or `request`");
  const { query, variables = null, operation_name: operationName = null } = request;
  const sent = { query, variables, operationName };
  return withVerdict({ steps: explainRequest({ request: sent, session, analysis, generation: generation(), plan }) });
}

type RootField = NonNullable<ExplainInput["root_field"]>;

/** Maximum number of names in a path: types such as filters contain themselves. */
const maxNames = 50;

/** @throws EngineError for a path of too many names */
export function checkLength({ name, argument = "" }: RootField, path: string): void {
  for (const [member, text] of Object.entries({ name, argument })) {
    if (text.split(".").length <= maxNames) continue;
    throw new EngineError("parse-failed", pathTo(path, member), `the path has more than ${maxNames} names`);
  }
}

function explainRootField(
  root: RootField,
  session: Session,
  analysis: Analysis,
  generation: Generation,
): readonly Step[] {
  const facts = schemaFacts(analysis, generation, session);
  return [...ruleSteps(requestRules(analysis, generation, session.role), session.role), ...explainRoot(facts, root)];
}

/** @throws EngineError for a name that is no session variable */
function sessionOf({ role, session = {}, backend }: ExplainInput, path: string): Session {
  const variables = Object.entries(session).map(([name, value]) => {
    const lower = name.toLowerCase();
    if (lower.startsWith(sessionPrefix)) return [lower, value] as const;
    const message = `${JSON.stringify(name)} is not a session variable: the names begin with ${sessionPrefix}`;
    throw new EngineError("parse-failed", pathTo(path, "session", name), message);
  });
  return { role, variables: new Map([...variables, [`${sessionPrefix}role`, role]]), backendOnly: backend };
}
