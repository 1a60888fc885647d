/** Explains an operation of a role on a table, with its filters evaluated for a row. */
import type { AnalyzedTable } from "../../compiler/2-analyze/analyzed-table.ts";
import { explainTable, type TableExplanation } from "../../compiler/access/explain-table.ts";
import {
  type Check,
  failed,
  missingVariablesStep,
  passed,
  type Step,
  unknown,
} from "../../compiler/access/explanation.ts";
import { type FilterPart, readsTable } from "../../compiler/access/filter-parts.ts";
import { sourceKinds } from "../../compiler/catalog/schema/names.ts";
import { findConsistentTable } from "../../compiler/metadata/lookups.ts";
import type { State } from "../../compiler/metadata/operation.ts";
import type { Generation } from "../execute/generation.ts";
import { EngineError, invariant, pathTo } from "../values/errors.ts";
import { didYouMean } from "../values/nearest-name.ts";
import type { Session } from "../values/session.ts";
import { valueOrThrow } from "./diagnostic-errors.ts";
import { type Evaluation, evaluateFilters, type FilterInput, type Truths } from "./evaluate-filters.ts";
import type { PlanRequest } from "./explain-request.ts";
import { type Explained, shownFilters, unevaluatedSteps } from "./explanation.ts";
import type { IoCallOf } from "./io-handlers.ts";

export type ExplainInput = IoCallOf<"explain_access">["input"];

/** The version of the metadata that an explanation is about. */
export interface Explaining extends State {
  readonly generation: () => Generation;
  readonly plan: PlanRequest;
  /** False without databases: filters are then not evaluated. */
  readonly hasRows: boolean;
}

type OnTable = NonNullable<ExplainInput["on"]>;

/** @param path JSON path of `on` */
export async function explainOnTable(
  on: OnTable,
  path: string,
  session: Session,
  explaining: Explaining,
): Promise<Explained> {
  const { source, table } = tableOf(on, path, explaining);
  checkArguments(on, { displayName: table.displayName, columns: table.columns.map(({ name }) => name) }, path);
  const explanation = explainTable(explaining.analysis, source, table, {
    role: session.role,
    operation: on.operation,
    columns: [...(on.columns ?? []), ...Object.keys(on.values ?? {})],
    variant: session.backendOnly ? "backend" : "frontend",
  });
  const evaluation = await evaluate(
    { source, table, explanation, row: on.row, values: on.values, path },
    session,
    explaining,
  );
  const truths = evaluation?.kind === "evaluated" ? evaluation.truths : undefined;
  return {
    steps: [...explanation.steps, ...rowSteps(on, table, explanation, evaluation)],
    ...shownFilters(explanation, truths),
  };
}

function tableOf(on: OnTable, path: string, { catalog, analysis, context }: Explaining) {
  const kind = catalog.sources.find(({ name }) => name === on.source)?.kind ?? "postgres";
  const name = { ...on.table, schema: on.table.schema || sourceKinds[kind].defaultSchema };
  const found = valueOrThrow(findConsistentTable({ catalog, analysis, context, kind, path }, on.source, name));
  const source = analysis.sources.get(on.source);
  const table = [...(source?.tables.values() ?? [])].find((each) => each.table === found.table);
  invariant(source && table, `table ${name.name} is consistent`);
  return { source, table };
}

interface TableColumns {
  readonly displayName: string;
  readonly columns: readonly string[];
}

/** @throws EngineError for arguments that do not fit the operation, and for unknown columns */
export function checkArguments(
  { operation, row, values }: OnTable,
  { displayName, columns }: TableColumns,
  path: string,
): void {
  if (operation === "insert" && row !== undefined) {
    throw new EngineError("parse-failed", pathTo(path, "row"), "an insert has no existing row: give its `values`");
  }
  if (values !== undefined && operation !== "insert" && operation !== "update") {
    throw new EngineError("parse-failed", pathTo(path, "values"), `a ${operation} writes no values`);
  }
  for (const [member, object] of Object.entries({ row, values })) {
    for (const name of Object.keys(object ?? {})) {
      if (columns.includes(name)) continue;
      const message = `table ${displayName} has no column ${JSON.stringify(name)}`;
      throw new EngineError("not-exists", pathTo(path, member, name), message, {
        hint: () => didYouMean(name, columns),
      });
    }
  }
}

/** Evaluates the filters for the given row; resolves to `undefined` if there is nothing to evaluate. */
async function evaluate(
  input: FilterInput,
  session: Session,
  { generation, hasRows }: Pick<Explaining, "generation" | "hasRows">,
): Promise<Evaluation | undefined> {
  const { explanation, row, values } = input;
  const isPossible = row === undefined ? values !== undefined && explanation.rows === undefined : true;
  if (!hasRows || !isPossible || (explanation.rows ?? explanation.check) === undefined) return undefined;
  return await evaluateFilters(input, session, generation());
}

function rowSteps(
  { operation, row, columns = [] }: OnTable,
  { displayName, key }: AnalyzedTable,
  { rows, check, cells }: TableExplanation,
  evaluation: Evaluation | undefined,
): readonly Step[] {
  switch (evaluation?.kind) {
    case undefined:
      return unevaluatedSteps({ rows, check }, displayName);
    case "missing_variables":
      return [missingVariablesStep(evaluation.names)];
    case "invalid_value":
      return [failed("rows", `the database cannot compare the values: ${evaluation.message}`)];
    case "no_row":
      return [failed("row", `no row of ${displayName} has ${JSON.stringify(row)}`)];
    case "several_rows":
      return [failed("row", `several rows of ${displayName} have ${JSON.stringify(row)}: give the values of a key`)];
    case "evaluated":
      return [
        ...(rows ? [truthStep("rows", "the row filter", evaluation.truths.get(rows))] : []),
        ...(rows ? columns.flatMap((name) => hiddenCell(name, cells?.get(name), rows, evaluation.truths)) : []),
        ...(check && evaluation.truths.has(check)
          ? [checkStep(operation, { displayName, key }, { rows, check }, evaluation.truths)]
          : []),
      ];
  }
}

/**
 * Returns the truth of a check. Of merged update permissions, one must admit the row before the update and have a check
 * that is true after it.
 */
function checkStep(
  operation: string,
  { displayName, key }: Pick<AnalyzedTable, "displayName" | "key">,
  { rows, check }: { readonly rows: FilterPart | undefined; readonly check: FilterPart },
  truths: Truths,
): Step {
  // The written row is not in the table while the check is evaluated.
  if (readsTable(check.condition, key)) {
    return unknown("check", `the check reads rows of ${displayName}, to which the written row does not belong yet`);
  }
  const isMerged = rows !== undefined && check.parts.some(({ role }) => role !== undefined);
  if (!isMerged) return truthStep("check", `the check of the ${operation} permission`, truths.get(check));
  const admitting = new Set(rows.parts.filter((part) => truths.get(part) === true).map(({ role }) => role));
  const passing = check.parts.find((part) => admitting.has(part.role) && truths.get(part) === true);
  if (passing) return passed("check", `the check of ${passing.role}, which admits the row, is true for the row`);
  const roles =
    admitting.size === 0 ? "no role" : `none of the roles that admit the row (${[...admitting].join(", ")})`;
  return failed("check", `${roles} has a check that is true for the row after the ${operation}`);
}

/** Fails for a column that is null in the row because only parents that do not admit the row grant it. */
function hiddenCell(
  name: string,
  roles: readonly string[] | undefined,
  { parts }: FilterPart,
  truths: Truths,
): readonly Step[] {
  const isShown = parts.some((part) => roles?.includes(part.role ?? "") && truths.get(part) === true);
  if (roles === undefined || isShown) return [];
  return [failed("columns", `${name} is null in the row: only rows of ${roles.join(", ")} show it`)];
}

function truthStep(check: Check, subject: string, truth: boolean | null | undefined): Step {
  if (truth === true) return passed(check, `${subject} is true for the row`);
  const reason = truth === null ? "unknown (null) for the row, which counts as false" : "false for the row";
  return failed(check, `${subject} is ${reason}`);
}
