/** Runs the JSON data operations of `/v1/query` and `/v2/query` with the planner and permissions of GraphQL. */

import { Deadline } from "../../databases/sources/deadline.ts";
import type { PreparedStatement } from "../../databases/sources/source.ts";
import { bind } from "../../model/definitions/parameters.ts";
import { render, type Sql, sql } from "../../model/definitions/sql.ts";
import type { TableView } from "../../model/definitions/view.ts";
import type { WritePlan } from "../../model/planner/mutate/plan.ts";
import { buildContext, type PlanOptions } from "../../model/planner/select/context.ts";
import type { ResponseBuilder } from "../../ports/graphql.ts";
import type { AdmittedSession } from "../../values/admitted-session.ts";
import type { DataOperation } from "../../values/data-operation.ts";
import { assertNever, EngineError, invariant } from "../../values/errors.ts";
import { parseJson } from "../../values/json/parse.ts";
import type { Session } from "../../values/session.ts";
import { noSpan } from "../../values/span.ts";
import { crossSourceSlotsIn } from "../cross-source-slots.ts";
import { bindCrossSourceValues, hideCrossSourceValues } from "../cross-source-values.ts";
import type { InputValidator } from "../input-validator.ts";
import { spannedStatement } from "../operation-spans.ts";
import type { PinnedGeneration } from "../pinned-generation.ts";
import { prepareWrites } from "../prepared-writes.ts";
import { routedForWriting, routedSource, withRouting } from "../route.ts";
import { type TagStatement, tagDataOperation } from "../tag-statements.ts";
import { bindWrites, runWrites } from "../write.ts";
import { planInsert } from "./insert.ts";
import { measureData } from "./measure.ts";
import { countSql, selectSql } from "./select.ts";
import { type DataContext, findTable } from "./tables.ts";
import { planDelete, planUpdate, planUpdateRows } from "./update.ts";

const variables: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null));

export interface DataRun {
  readonly pinned: PinnedGeneration;
  /** Receives a check to run before rows are sent. */
  readonly validity: Pick<ResponseBuilder, "validWhile"> | undefined;
  readonly by: AdmittedSession;
  /** Path of the operation's arguments. */
  readonly path: string;
  readonly options: DataOptions;
}

export interface DataOptions extends PlanOptions {
  readonly validator: InputValidator;
}

/**
 * Runs one operation.
 * @returns the JSON value of the response
 * @throws EngineError
 */
export async function runDataOperation(operation: DataOperation, run: DataRun): Promise<unknown> {
  try {
    return await execute(operation, run);
  } catch (error) {
    throw withPath(error, run.path);
  }
}

async function execute(operation: DataOperation, run: DataRun): Promise<unknown> {
  const { path, options } = run;
  const { generation } = run.pinned;
  const { session } = run.by;
  const { guard } = generation;
  guard.checkDataOperations(session.role);
  const context: DataContext = {
    role: session.role,
    schema: generation.schemaOf(session),
    adminSchema: generation.schemaOf({ role: "admin", backendOnly: false }),
    path,
  };
  const view = findTable(context, operation);
  guard.checkSize(session.role, measureData(operation, view, session.role, path));
  const build = buildContext(view.table.source.dialect, options, variables);
  const isRead = operation.type === "select" || operation.type === "count";
  const tableRun: TableRun = {
    ...run,
    session: withRouting(generation, session, () => ({ operation_type: isRead ? "query" : "mutation" })),
    view,
    tag: tagDataOperation(generation, { type: operation.type, table: view.table.type }, session),
  };
  switch (operation.type) {
    case "select":
      return read(selectSql(operation, view, context, build), tableRun);
    case "count": {
      const { aggregate } = (await read(countSql(operation, view, context, build), tableRun)) as {
        readonly aggregate: unknown;
      };
      return aggregate;
    }
    case "insert":
      return write(planInsert(operation, view, context, build), tableRun);
    case "update":
      return write(planUpdate(operation, view, context, build), tableRun);
    case "update_rows":
      return together(await writeAll(planUpdateRows(operation, view, context, build), tableRun));
    case "delete":
      return write(planDelete(operation, view, context, build), tableRun);
    default:
      return assertNever(operation);
  }
}

interface TableRun extends DataRun {
  readonly session: Session;
  readonly view: TableView;
  readonly tag: TagStatement;
}

async function read(value: Sql, { pinned, validity, session: requestSession, view, tag }: TableRun): Promise<unknown> {
  const { generation } = pinned;
  const { name, dialect } = view.table.source;
  const source = routedSource(generation, name, requestSession);
  const { text, slots } = render(sql`select ${dialect.asText(value)}`, dialect);
  const session = await bindCrossSourceValues(requestSession, crossSourceSlotsIn(slots), generation);
  const values = bind(slots, { variables, session: session.variables, crossSourceValues: session.crossSourceValues });
  const deadline = Deadline.of(generation.guard.timeLimitMilliseconds(session.role));
  const timeoutMilliseconds = deadline?.timeoutMilliseconds();
  const statement = tag(name, { text });
  const reading = { readOnly: true, errors: "dml", timeoutMilliseconds } as const;
  const rows = spannedStatement(session.span ?? noSpan, { source, statement, fields: [view.table.type] }, () =>
    source.executeAlone(reading, statement, values),
  );
  const found = deadline ? deadline.race(rows) : rows;
  const [row] = await (session.crossSourceValues ? found.catch(hideCrossSourceValues) : found);
  await pinned.assertCurrent();
  validity?.validWhile?.(pinned);
  return parseJson(row?.[0] ?? "null");
}

async function write(plan: WritePlan, run: TableRun): Promise<unknown> {
  const [result] = await writeAll([plan], run);
  return result;
}

interface WriteResult {
  readonly affected_rows: number;
  readonly returning?: readonly unknown[];
}

/** Combines the responses of writes on the same table. */
function together(results: readonly unknown[]): WriteResult {
  const all = results as readonly WriteResult[];
  const affected_rows = all.reduce((sum, each) => sum + each.affected_rows, 0);
  if (all.some(({ returning }) => returning === undefined)) return { affected_rows };
  return { affected_rows, returning: all.flatMap(({ returning = [] }) => returning) };
}

/** Runs writes on one table in one transaction. Resolves to the response of each. */
async function writeAll(
  plans: readonly WritePlan[],
  { pinned, session: requestSession, options, view, tag: tagStatement }: TableRun,
): Promise<readonly unknown[]> {
  const { generation } = pinned;
  const source = routedForWriting(generation, view.table.source.name, requestSession);
  const [prepared, other] = prepareWrites(plans, { named: false });
  invariant(prepared && !other, "plans of one table are prepared as one transaction");
  const slots = crossSourceSlotsIn(plans.flatMap(({ steps }) => steps.flatMap(({ slots }) => slots)));
  const session = await bindCrossSourceValues(requestSession, slots, generation);
  const bound = bindWrites(prepared, {
    variables,
    session: session.variables,
    crossSourceValues: session.crossSourceValues,
  });
  const deadline = Deadline.of(generation.guard.timeLimitMilliseconds(session.role));
  await options.validator.validate(bound.validations, session);
  const tag = (statement: PreparedStatement): PreparedStatement => tagStatement(source.name, statement);
  const writing = spannedStatement(session.span ?? noSpan, { source, fields: [view.table.type] }, (span) =>
    runWrites(bound, source, { errors: "dml", pinned, deadline, span, clientHeaders: session.clientHeaders, tag }),
  );
  const texts = await (session.crossSourceValues ? writing.catch(hideCrossSourceValues) : writing);
  return texts.map(parseJson);
}

/** Sets the path of errors to the arguments, and rewords errors about missing session variables. */
function withPath(error: unknown, path: string): unknown {
  if (!(error instanceof EngineError) || error.path !== "$") return error;
  const { fault } = error;
  if (fault?.kind !== "missing_session_variable") return error.at(path);
  return new EngineError("not-found", path, `"${fault.variable}" header is expected but not found`);
}
