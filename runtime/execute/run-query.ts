/** A planned query: binds its values, then asks all its sources at once and puts the answer together. */

import { Deadline } from "../databases/sources/deadline.ts";
import type { DatabaseSource, SqlValue } from "../databases/sources/source.ts";
import { type BindInput, bind, sessionText } from "../model/definitions/parameters.ts";
import type { AnswerHeaders, LongBody } from "../ports/graphql.ts";
import type { Caller } from "../values/caller.ts";
import { EnclosedText } from "../values/enclosed-text.ts";
import { invariant } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { inSpan, noSpan } from "../values/span.ts";
import { type OutsideValues, queryAnswer, type SchemaPart } from "./answer.ts";
import type { Basis } from "./basis.ts";
import type { Generation } from "./generation.ts";
import type { IntrospectionAnswer } from "./introspection.ts";
import type { JoinRun } from "./joins/join-texts.ts";
import { OutsideJoins } from "./joins/outside-joins.ts";
import { joinRun, joinValues } from "./joins/run-joins.ts";
import { fieldsOfStatement, spannedStatement } from "./operation-spans.ts";
import type { OutsideServices } from "./options.ts";
import { askAll, bindOutside, Outside } from "./outside.ts";
import type { CachedPlan, IntrospectionPart } from "./plan-cache.ts";
import type { PlannedOperation } from "./plan-operation.ts";
import { tellPlaces } from "./read-after.ts";
import { routedReader, routedSource } from "./route.ts";
import { isOneQuestion, prepareOutsideQuery } from "./run-outside-query.ts";
import { type TagStatement, tagStatements } from "./tag-statements.ts";

interface QueryOptions extends OutsideServices {
  /** Plans and runs it anew, where what it was planned on does not hold any more. */
  readonly again: (caller?: Caller, headers?: AnswerHeaders) => Promise<string>;
}

/**
 * All values are bound at once, so that a bad one runs nothing.
 * @returns runs it: the JSON text of `data`'s value
 * @throws EngineError for a bad value, and where the role may not ask for the schema
 */
export function prepareQuery(
  basis: Basis,
  planned: PlannedOperation,
  session: Session,
  services: QueryOptions,
): (caller?: Caller, headers?: AnswerHeaders) => Promise<string> {
  const { operation, schema, variables, plan } = planned;
  const { again } = services;
  const { generation } = basis;
  const tag = tagStatements(generation, planned, session);
  if (isOneQuestion(plan)) {
    const asked = bindOutside(planned, session, services);
    return prepareOutsideQuery({ basis, plan, asked, session, services, tag, again });
  }
  const { span = noSpan } = session;
  const timeLimit = generation.guard.timeLimitMilliseconds(session.role);
  const input = { variables, session: session.variables, elsewhere: session.elsewhere };
  const statements = bindStatements(generation, plan, { input, session, tag });
  const asked = bindOutside(planned, session, services);
  const asksOutside = asked.remotes.length + asked.actions.length > 0;
  const { introspections } = plan;
  const mayWrite = asked.actions.length > 0 || statements.some(({ user }) => user !== undefined);
  if (plan.describesSchema) generation.guard.checkIntrospection(session.role);
  const introspect = ({ nodes }: IntrospectionPart) =>
    generation.introspections.answer(schema, nodes, operation(), variables);
  const joined = plan.joined;
  const readRow = (i: number, bound: BoundStatement, caller?: Caller, deadline?: Deadline) => {
    const { source, statement } = bound;
    if (!span.isRecording) return oneRow(bound, { basis, session, caller, deadline });
    const asking = { source, statement, fields: fieldsOfStatement(plan.plan, i) };
    return spannedStatement(span, asking, () => oneRow(bound, { basis, session, caller, deadline }));
  };
  const readRows = (run: JoinRun, caller?: Caller, deadline?: Deadline) =>
    Promise.all(
      statements.map(async (statement, i) => {
        const row = await readRow(i, statement, caller, deadline);
        const columns = joined.get(i);
        return columns ? inSpan(span.child("Process remote joins"), () => joinValues(row, columns, run)) : row;
      }),
    );
  const read = async (caller?: Caller, deadline?: Deadline, headers?: AnswerHeaders): Promise<Read> => {
    const { remote, mostJoined } = services;
    const run = joinRun(plan.plan, {
      generation,
      remote,
      mostJoined,
      variables,
      session,
      caller,
      deadline,
      headers,
      asksCopies: true,
      tag,
    });
    if (!asksOutside) return { rows: await readRows(run, caller, deadline) };
    const options = { milliseconds: deadline?.timeoutMilliseconds(), headers, caller };
    const joins = new OutsideJoins(plan.plan.parts, run);
    const asking = askAll(new Outside(basis, session, services, tag), asked, options, joins);
    if (statements.length === 0) return { rows: [], outside: await asking };
    const [rows, outside] = await Promise.all([readRows(run, caller, deadline), asking]);
    return { rows, outside };
  };
  return async (caller, headers) => {
    const deadline = Deadline.of(timeLimit, caller);
    let found: Read;
    try {
      found = await (deadline ? deadline.race(read(deadline, deadline, headers)) : read(caller, undefined, headers));
    } catch (error) {
      if (basis.hasRefused && statements.length + asked.actions.length === 1) return again(caller, headers);
      throw error;
    }
    const holds = basis.holds();
    if (holds !== true && !(await holds)) {
      if (mayWrite) await basis.check();
      return again(caller, headers);
    }
    headers?.restOn?.(basis);
    const described = introspections.length === 0 ? [] : await Promise.all(introspections.map(introspect));
    if (mayWrite) await tellPlaces(writtenBy(statements), session, headers);
    const long = longDescription(plan, described) ?? longRow(plan, found.rows);
    if (long !== undefined && headers?.takeLong !== undefined) {
      headers.takeLong(long);
      return "";
    }
    const texts = described.length === 0 ? [] : await Promise.all(described.map(wholeText));
    const describe = (part: SchemaPart): string => {
      if (part.kind === "sdl") return JSON.stringify(generation.subgraphOf(session));
      return texts[introspections.indexOf(part)] ?? "null";
    };
    const encoding = span.child("Encode response");
    const answer = queryAnswer(plan.plan, found.rows, describe, found.outside);
    encoding.end();
    return answer;
  };
}

const wholeText = (text: IntrospectionAnswer) => (typeof text === "string" ? text : text.text());

/** The answer of a query that asks for nothing but the schema, where that is long. */
function longDescription(
  { plan: { parts } }: CachedPlan,
  [text = "null"]: readonly IntrospectionAnswer[],
): LongBody | undefined {
  const [part] = parts;
  if (parts.length !== 1 || part?.kind !== "introspection" || typeof text === "string") return undefined;
  return text.within(`{"${part.key}":`, "}");
}

/** In characters: what is shorter is joined to its key in less time than this saves. */
const longText = 1024 * 1024;

/** The answer of a query with one field, where a database gave a long text for it. */
function longRow({ plan: { parts } }: CachedPlan, rows: Read["rows"]): LongBody | undefined {
  const [part] = parts;
  if (parts.length !== 1 || part?.kind !== "column" || "protect" in part) return undefined;
  const text = rows[part.statement]?.[part.column];
  if (typeof text !== "string" || text.length < longText) return undefined;
  return EnclosedText.of(text).within(`{"${part.key}":`, "}");
}

/** What databases gave, and others. */
interface Read {
  readonly rows: readonly (readonly SqlValue[])[];
  readonly outside?: OutsideValues;
}

interface BoundStatement {
  readonly source: DatabaseSource;
  readonly statement: CachedPlan["statements"][number];
  readonly values: readonly SqlValue[];
  /** The session variables, for functions that it calls. */
  readonly user: string | undefined;
}

interface BindOptions {
  readonly input: BindInput;
  readonly session: Session;
  readonly tag: TagStatement;
}

function bindStatements(
  generation: Generation,
  { plan, statements }: CachedPlan,
  { input, session, tag }: BindOptions,
): readonly BoundStatement[] {
  return plan.statements.map(({ source: name, slots, callsFunctions }, i) => {
    const prepared = statements[i];
    invariant(prepared, "every planned statement is prepared");
    const statement = tag(name, prepared, () => fieldsOfStatement(plan, i));
    const user = callsFunctions ? sessionText(input.session) : undefined;
    return { source: routedSource(generation, name, session), statement, values: bind(slots, input), user };
  });
}

/** Functions may write. */
const writtenBy = (statements: readonly BoundStatement[]): readonly DatabaseSource[] =>
  statements.filter(({ user }) => user !== undefined).map(({ source }) => source);

interface RowOptions {
  readonly basis: Basis;
  readonly session: Session;
  readonly caller: Caller | undefined;
  readonly deadline: Deadline | undefined;
}

/** Functions may write, so what calls them is never run twice, and by no copy of the database. */
async function oneRow(
  { source, statement, values, user }: BoundStatement,
  { basis, session, caller, deadline }: RowOptions,
): Promise<readonly SqlValue[]> {
  const reader = user === undefined ? routedReader(basis.generation, source, session) : source;
  if (user === undefined && deadline === undefined) return (await reader.query(statement, values, caller))[0] ?? [];
  const timeoutMilliseconds = deadline?.timeoutMilliseconds();
  const beforeSending = user === undefined ? undefined : () => basis.check();
  const options = { readOnly: user === undefined, user, caller, timeoutMilliseconds, beforeSending };
  const [row] = await reader.executeAlone(options, statement, values);
  return row ?? [];
}
