/**
 * Verifies with plans of a database that its indexes serve row filters and joins. The statements are planned and never
 * run, and their number and the time for them are limited.
 */
import { type AnalyzedSource, qualifiedKey } from "../../compiler/2-analyze/analysis.ts";
import { type IndexQuestion, indexQuestions, questionAlias } from "../../compiler/advice/index-uses.ts";
import { smallTableRows } from "../../compiler/advice/indexes.ts";
import type { VerifiedUses } from "../../compiler/advice/verified-uses.ts";
import type { IndexPlans, IndexScan, Query } from "../../compiler/dialects/dialect.ts";
import { dialectOf } from "../../compiler/dialects/index.ts";
import type { ReviewFacts } from "../../compiler/shape/review-facts.ts";
import type { DatabaseSource } from "../databases/sources/source.ts";
import { EngineError } from "../values/errors.ts";

/** Maximum number of plans of a database. */
const maxPlans = 500;
/** Time after which no further plan is requested. */
const maxMilliseconds = 10_000;
/** Maximum time of a statement, which also waits for locks. */
const timeoutMilliseconds = 2_000;

/** Resolves to `undefined` if the kind of database does not support it. */
export async function verifyIndexes(
  source: AnalyzedSource,
  { indexes }: Pick<ReviewFacts, "indexes">,
  database: DatabaseSource,
): Promise<VerifiedUses | undefined> {
  const plans = dialectOf(source.source.kind).indexPlans;
  if (plans === undefined) return undefined;
  const planning = { plans, database, firstColumns: firstColumnsOf(indexes) };
  const planned = await readPlans(source.name, [...indexQuestions(source, plans)], planning);
  return { ...planned, smallTables: await smallTables(planning) };
}

interface Planning extends Pick<IndexScan, "firstColumns"> {
  readonly plans: IndexPlans;
  readonly database: DatabaseSource;
}

/** Plans name indexes without their schemas. */
function firstColumnsOf(indexes: ReviewFacts["indexes"]): IndexScan["firstColumns"] {
  const byName = new Map<string, string[]>();
  for (const { name, columns } of indexes) byName.set(name, [...(byName.get(name) ?? []), ...columns.slice(0, 1)]);
  return (name) => byName.get(name) ?? [];
}

/** Runs statements in a read-only transaction. */
function reading<T>({ database }: Planning, work: (query: Query) => Promise<T>): Promise<T> {
  return database.transaction({ readOnly: true, timeoutMilliseconds }, (transaction) =>
    work((text) => transaction.query({ text }, [])),
  );
}

async function smallTables(planning: Planning): Promise<ReadonlyMap<string, number>> {
  const tables = await reading(planning, (query) => planning.plans.readSmallTables(query, smallTableRows));
  return new Map(tables.map(({ rows, ...name }) => [qualifiedKey(name), rows]));
}

async function readPlans(
  name: string,
  questions: readonly IndexQuestion[],
  planning: Planning,
): Promise<Pick<VerifiedUses, "served" | "incomplete">> {
  const answers = new PlanAnswers(planning);
  const served = new Map<IndexQuestion["use"], boolean>();
  let open = questions;
  // A failed plan ends its transaction. Its use keeps the answer of the indexes' structure.
  while (open.length > 0 && !answers.isExhausted) {
    open = await answers.readInOneTransaction(open, served);
  }
  const incomplete = `the database of source ${name} planned only ${questions.length - open.length} of ${questions.length} comparisons and joins: the others are checked by the columns of the indexes`;
  return { served, ...(open.length > 0 && { incomplete }) };
}

class PlanAnswers {
  readonly #planning: Planning;
  readonly #deadline = performance.now() + maxMilliseconds;
  /** Equal statements of several permissions are planned once. */
  readonly #known = new Map<string, boolean | undefined>();

  constructor(planning: Planning) {
    this.#planning = planning;
  }

  get isExhausted(): boolean {
    return this.#known.size >= maxPlans || performance.now() > this.#deadline;
  }

  /** Returns the remaining questions. @throws EngineError if the database is unreachable */
  async readInOneTransaction(
    questions: readonly IndexQuestion[],
    served: Map<IndexQuestion["use"], boolean>,
  ): Promise<readonly IndexQuestion[]> {
    const { plans } = this.#planning;
    let position = 0;
    try {
      await reading(this.#planning, async (query) => {
        await plans.prepare(query);
        for (const question of questions) {
          if (this.isExhausted) return;
          const answer = await this.#answer(query, question);
          if (answer !== undefined) served.set(question.use, answer);
          position++;
        }
      });
    } catch (error) {
      if (!(error instanceof EngineError) || error.code === "connection error") throw error;
      position++;
    }
    return questions.slice(position);
  }

  async #answer(query: Query, { columns, statements }: IndexQuestion): Promise<boolean | undefined> {
    let answer: boolean | undefined;
    for (const statement of statements) {
      const found = await this.#plan(query, statement, columns);
      if (found === true) return true;
      answer = found ?? answer;
    }
    return answer;
  }

  async #plan(query: Query, statement: string, columns: readonly string[]): Promise<boolean | undefined> {
    const key = JSON.stringify([statement, columns]);
    if (this.#known.has(key)) return this.#known.get(key);
    // Stored before, so that a failing statement is planned once.
    this.#known.set(key, undefined);
    const { plans, firstColumns } = this.#planning;
    const answer = await plans.usesIndex(query, statement, { alias: questionAlias, columns, firstColumns });
    this.#known.set(key, answer);
    return answer;
  }
}
