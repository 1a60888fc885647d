/** The JSON data operations of `/v1/query` and `/v2/query`: planned and run like GraphQL's, with the role's permissions. */

import { Deadline } from "../../databases/sources/deadline.ts";
import type { PreparedStatement } from "../../databases/sources/source.ts";
import { bind } from "../../model/definitions/parameters.ts";
import { render, type Sql, sql } from "../../model/definitions/sql.ts";
import type { TableView } from "../../model/definitions/view.ts";
import type { WritePlan } from "../../model/planner/mutate/plan.ts";
import { buildContext, type PlanOptions } from "../../model/planner/select/context.ts";
import type { AnswerHeaders } from "../../ports/graphql.ts";
import type { AdmittedSession } from "../../values/admitted-session.ts";
import type { DataOperation } from "../../values/data-operation.ts";
import { assertNever, EngineError, invariant } from "../../values/errors.ts";
import { parseJson } from "../../values/parse-json.ts";
import type { Session } from "../../values/session.ts";
import { noSpan } from "../../values/span.ts";
import type { Basis } from "../basis.ts";
import { withElsewhere, withoutElsewhere } from "../elsewhere.ts";
import { elsewhereIn } from "../elsewhere-slots.ts";
import type { InputValidator } from "../input-validator.ts";
import { spannedStatement } from "../operation-spans.ts";
import { prepareWrites } from "../prepared-writes.ts";
import { routedForWriting, routedSource, withRouting } from "../route.ts";
import { type TagStatement, tagDataOperation } from "../tag-statements.ts";
import { bindWrites, runWrites } from "../write.ts";
import { planInsert } from "./insert.ts";
import { measureData } from "./measure.ts";
import { countSql, selectSql } from "./select.ts";
import { type DataContext, findTable } from "./tables.ts";
import { planDelete, planUpdate } from "./update.ts";

const variables: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null));

export interface DataRun {
  readonly basis: Basis;
  /** Takes what is read by. */
  readonly bases: Pick<AnswerHeaders, "restOn"> | undefined;
  readonly by: AdmittedSession;
  /** Of the operation's arguments. */
  readonly path: string;
  readonly options: DataOptions;
}

export interface DataOptions extends PlanOptions {
  readonly validator: InputValidator;
}

/**
 * Runs one operation.
 * @returns the JSON value of the answer
 * @throws EngineError
 */
export async function runDataOperation(operation: DataOperation, run: DataRun): Promise<unknown> {
  try {
    return await answer(operation, run);
  } catch (error) {
    throw located(error, run.path);
  }
}

async function answer(operation: DataOperation, run: DataRun): Promise<unknown> {
  const { path, options } = run;
  const { generation } = run.basis;
  const { session } = run.by;
  const { guard } = generation;
  guard.checkDataOperations(session.role);
  const context: DataContext = {
    role: session.role,
    schema: generation.schemaOf(session),
    everything: generation.schemaOf({ role: "admin", backendOnly: false }),
    path,
  };
  const view = findTable(context, operation);
  guard.checkSize(session.role, measureData(operation, view, session.role, path));
  const build = buildContext(view.table.source.dialect, options, variables);
  const isRead = operation.type === "select" || operation.type === "count";
  const asked: Asked = {
    ...run,
    session: withRouting(generation, session, () => ({ operation_type: isRead ? "query" : "mutation" })),
    view,
    tag: tagDataOperation(generation, { type: operation.type, table: view.table.type }, session),
  };
  switch (operation.type) {
    case "select":
      return read(selectSql(operation, view, context, build), asked);
    case "count": {
      const { aggregate } = (await read(countSql(operation, view, context, build), asked)) as {
        readonly aggregate: unknown;
      };
      return aggregate;
    }
    case "insert":
      return write(planInsert(operation, view, context, build), asked);
    case "update":
      return write(planUpdate(operation, view, context, build), asked);
    case "delete":
      return write(planDelete(operation, view, context, build), asked);
    default:
      return assertNever(operation);
  }
}

/** A run of an operation on a table. */
interface Asked extends DataRun {
  readonly session: Session;
  readonly view: TableView;
  readonly tag: TagStatement;
}

async function read(value: Sql, { basis, bases, session: asking, view, tag }: Asked): Promise<unknown> {
  const { generation } = basis;
  const { name, dialect } = view.table.source;
  const source = routedSource(generation, name, asking);
  const { text, slots } = render(sql`select ${dialect.asText(value)}`, dialect);
  const session = await withElsewhere(asking, elsewhereIn(slots), generation);
  const values = bind(slots, { variables, session: session.variables, elsewhere: session.elsewhere });
  const deadline = Deadline.of(generation.guard.timeLimitMilliseconds(session.role));
  const timeoutMilliseconds = deadline?.timeoutMilliseconds();
  const statement = tag(name, { text });
  const reading = { readOnly: true, errors: "dml", timeoutMilliseconds } as const;
  const rows = spannedStatement(session.span ?? noSpan, { source, statement, fields: [view.table.type] }, () =>
    source.executeAlone(reading, statement, values),
  );
  const found = deadline ? deadline.race(rows) : rows;
  const [row] = await (session.elsewhere ? found.catch(withoutElsewhere) : found);
  await basis.check();
  bases?.restOn?.(basis);
  return parseJson(row?.[0] ?? "null");
}

async function write(plan: WritePlan, { basis, session: asking, options, view, tag: tagged }: Asked): Promise<unknown> {
  const { generation } = basis;
  const source = routedForWriting(generation, plan.source, asking);
  const [prepared] = prepareWrites([plan], { named: false });
  invariant(prepared, "a plan is prepared as one transaction");
  const elsewhere = elsewhereIn(plan.steps.flatMap(({ slots }) => slots));
  const session = await withElsewhere(asking, elsewhere, generation);
  const bound = bindWrites(prepared, { variables, session: session.variables, elsewhere: session.elsewhere });
  const deadline = Deadline.of(generation.guard.timeLimitMilliseconds(session.role));
  await options.validator.validate(bound.validations, session);
  const tag = (statement: PreparedStatement): PreparedStatement => tagged(source.name, statement);
  const writing = spannedStatement(session.span ?? noSpan, { source, fields: [view.table.type] }, (span) =>
    runWrites(bound, source, { errors: "dml", basis, deadline, span, clientHeaders: session.clientHeaders, tag }),
  );
  const [text] = await (session.elsewhere ? writing.catch(withoutElsewhere) : writing);
  return parseJson(text ?? "null");
}

/** Errors of the database stand at the arguments; a session variable that is not there is told in words of its own. */
function located(error: unknown, path: string): unknown {
  if (!(error instanceof EngineError) || error.path !== "$") return error;
  const { fault } = error;
  if (fault?.kind !== "missing_session_variable") return error.at(path);
  return new EngineError("not-found", path, `"${fault.variable}" header is expected but not found`);
}
