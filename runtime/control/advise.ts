/** `advise`: findings about permissions, limits and indexes (`docs/how-to/advise.md`). */
import type { Analysis, AnalyzedSource } from "../../compiler/2-analyze/analysis.ts";
import { adviceOf } from "../../compiler/advice/advice.ts";
import type { Advice, AdviceInput, Finding } from "../../compiler/advice/model.ts";
import type { VerifiedUses } from "../../compiler/advice/verified-uses.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import type { ReviewFacts } from "../../compiler/shape/review-facts.ts";
import { EngineError } from "../values/errors.ts";
import { runInSlices } from "../values/interruptible.ts";
import type { IoContext, IoHandlers } from "./io-handlers.ts";
import { limitsOf } from "./role-limits.ts";
import { verifyIndexes } from "./verify-indexes.ts";

export const adviseHandlers: IoHandlers<"advise"> = {
  advise: async ({ input }, context) => {
    const { draft, environment, unauthorizedRole } = context;
    const role = input.authenticated_only ? null : (input.unauthorized_role ?? unauthorizedRole);
    const { findings, skipped } = await readAdvice(draft.analysis, await factsOf(context), role);
    const { resourceVersion } = environment.context;
    const result = input.counts ? { counts: countsOf(findings) } : { findings };
    return { resource_version: resourceVersion, ...result, skipped } as unknown as Json;
  },
};

interface FindingCounts {
  /** JSONPath of a table or a permission in the metadata document. */
  readonly path: string;
  error: number;
  warning: number;
  note: number;
}

const countedPath = /^\$\.sources\[\d+\]\.tables\[\d+\](?:\.(?:select|insert|update|delete)_permissions\[\d+\])?/;

/** Counts the findings of each table and permission that has one. Others have no row to show them in. */
function countsOf(findings: readonly Finding[]): readonly FindingCounts[] {
  const counts = new Map<string, FindingCounts>();
  for (const { path, severity } of findings) {
    const [counted] = countedPath.exec(path) ?? [];
    if (counted === undefined) continue;
    const found = counts.get(counted) ?? { path: counted, error: 0, warning: 0, note: 0 };
    found[severity] += 1;
    counts.set(counted, found);
  }
  return [...counts.values()];
}

type DatabaseFacts = Pick<AdviceInput, "facts" | "verified">;

/** @param unauthorizedRole `null` if requests without credentials are refused, `undefined` if it is not known */
export function readAdvice(
  analysis: Analysis,
  facts: DatabaseFacts,
  unauthorizedRole: string | null | undefined,
): Promise<Advice> {
  return runInSlices(
    adviceOf({ analysis, ...facts, unauthorizedRole, limitsOf: (role) => limitsOf(analysis.catalog, role) }),
  );
}

/**
 * Reads the facts of all consistent sources, in parallel, because an unresponsive database takes many seconds. Sources
 * that cannot be read have none, which the advice reports.
 */
async function factsOf({ draft, environment: { sources } }: IoContext): Promise<DatabaseFacts> {
  const facts = new Map<string, ReviewFacts>();
  const verified = new Map<string, VerifiedUses>();
  const read = async (analyzed: AnalyzedSource): Promise<void> => {
    const { name, source } = analyzed;
    try {
      const found = await sources.readReviewFacts(source);
      facts.set(name, found);
      const uses = await verifyIndexes(analyzed, found, sources.database(source));
      if (uses !== undefined) verified.set(name, uses);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    }
  };
  await Promise.all([...draft.analysis.sources.values()].map(read));
  return { facts, verified };
}
