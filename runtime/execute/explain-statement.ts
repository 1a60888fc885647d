/** How a database would go about a statement, and the statement as people can run it. */

import type { PreparedStatement } from "../databases/sources/source.ts";
import { type BindInput, bind } from "../model/definitions/parameters.ts";
import type { PlannedStatement } from "../model/planner/plan.ts";
import type { Session } from "../values/session.ts";
import type { Generation } from "./generation.ts";
import { routedSource } from "./route.ts";

export interface ExplainedStatement {
  readonly sql: string;
  readonly plan: readonly string[];
}

/**
 * @param tag of the statement that is sent, not of the one that is shown; absent: it has none
 * @throws EngineError
 */
export async function explainStatement(
  { generation, session }: { readonly generation: Generation; readonly session: Session },
  { source, text, slots }: Pick<PlannedStatement, "source" | "text" | "slots">,
  input: BindInput,
  tag: (source: string, statement: PreparedStatement) => PreparedStatement = (_, statement) => statement,
): Promise<ExplainedStatement> {
  const values = bind(slots, input);
  const plan = await routedSource(generation, source, session).explain(tag(source, { text }), values);
  return { sql: withValues(text, values), plan };
}

/** Quoted text, where a `$1` means nothing, and parameters. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g;

/** The statement as people can run it: with its values as literals. It is shown, never run. */
function withValues(text: string, values: readonly (string | null)[]): string {
  return text.replace(tokens, (token, number: string | undefined) => {
    if (number === undefined) return token;
    const value = values[Number(number) - 1] ?? null;
    return value === null ? "null" : `'${value.replaceAll("'", "''")}'`;
  });
}
