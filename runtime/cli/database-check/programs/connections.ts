/** Cases with lost connections, time limits and cancelled requests. */

import { setTimeout } from "node:timers/promises";
import type { SourceKind } from "../../../../compiler/catalog/model.ts";
import { messageOf } from "../../../values/message-of.ts";
import { type CheckContext, CheckFailure, dataOf, expectEqual, type Program, Skipped } from "../context.ts";

const killOthers: Readonly<Record<SourceKind, string>> = {
  postgres:
    "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  mssql: `declare @kill nvarchar(max) = (select string_agg(cast(concat(N'kill ', session_id) as nvarchar(max)), N'; ')
  from sys.dm_exec_sessions where database_id = db_id() and session_id <> @@spid and program_name <> N'');
if @kill is not null exec sys.sp_executesql @kill;`,
};

const books = "{ book(order_by: {id: asc}) { id } }";
const expected = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }];

async function killed({ kind, post, target }: CheckContext): Promise<void> {
  expectEqual((await dataOf(post, books)).book, expected, "books before");
  await target.sql(killOthers[kind]).catch((error: unknown) => {
    throw new Skipped(`the user may not end other sessions: ${messageOf(error)}`);
  });
  expectEqual((await dataOf(post, books)).book, expected, "books after the connections were ended");
}

const tableName: Readonly<Record<SourceKind, string>> = { postgres: "author", mssql: "dbo.author" };

const hold = ({ kind, target }: CheckContext): Promise<() => Promise<void>> =>
  target.hold(`update ${tableName[kind]} set born = '1900-01-01' where id = 1`);

const update = 'mutation { update_author(where: {}, _set: {born: "2000-01-01"}) { affected_rows } }';

/** A role that API limits apply to, and that may update author 1. */
const limited = { "x-engine-role": "agent", "x-engine-user": "Ada" };

async function timeLimit(context: CheckContext): Promise<void> {
  const { post } = context;
  const commit = await hold(context);
  try {
    await post("/v1/metadata", { type: "set_api_limits", args: { disabled: false, time_limit: { global: 1 } } });
    const began = performance.now();
    const sent = post("/v1/graphql", { query: update }, limited) as Promise<{ readonly errors?: unknown }>;
    const { errors } = await Promise.race([sent, setTimeout(patience, { errors: undefined }, { ref: false })]);
    sent.catch(() => undefined);
    const seconds = Math.round((performance.now() - began) / 1000);
    if (!errors) throw new CheckFailure(`a statement with a time limit of 1 s did not end within ${seconds} s`, update);
  } finally {
    await commit();
    await post("/v1/metadata", { type: "remove_api_limits", args: {} });
  }
  const { author } = await dataOf(post, "{ author(where: {id: {_eq: 1}}) { born } }");
  expectEqual(author, [{ born: "1900-01-01" }], "the row of a statement that was cancelled");
}

/** Maximum wait in milliseconds for the end of a statement. */
const patience = 15_000;

async function cancelled(context: CheckContext): Promise<void> {
  const { engine } = context;
  const commit = await hold(context);
  try {
    const init = { method: "POST", body: JSON.stringify({ query: update }), signal: AbortSignal.timeout(500) };
    const headers = { "content-type": "application/json", ...limited };
    await fetch(`${engine}/v1/graphql`, { ...init, headers }).then(
      () => undefined,
      () => undefined,
    );
    await setTimeout(1000);
  } finally {
    await commit();
  }
  const sent = context.post("/v1/graphql", { query: update }, limited);
  const expected = { data: { update_author: { affected_rows: 3 } } };
  expectEqual(await sent, expected, "an update after the one of the disconnected client");
}

/** Settings of TLS; a server need not have them, nor a certificate that this machine trusts. */
const encryption: Readonly<Record<SourceKind, Readonly<Record<string, string>>>> = {
  postgres: {},
  mssql: {
    "a connection with TLS": "encrypt=true&trustServerCertificate=true",
    "a connection with TLS and a trusted certificate": "encrypt=true&trustServerCertificate=false",
    "a connection with TLS from the first byte": "encrypt=strict&trustServerCertificate=true",
  },
};

async function encrypted(context: CheckContext, settings: string): Promise<void> {
  const url = new URL(context.target.url);
  for (const [name, value] of new URLSearchParams(settings)) url.searchParams.set(name, value);
  await context.track({ connection_string: url.href }).catch(() => {
    throw new Skipped(`the server accepts no connection with ${settings}`);
  });
  try {
    expectEqual((await dataOf(context.post, books)).book, expected, "books");
  } finally {
    await context.track();
  }
}

export const connections: Program = (context) => [
  { name: "a query after the server ended all connections", run: () => killed(context) },
  { name: "a time limit ends a statement", run: () => timeLimit(context) },
  { name: "a disconnected client", run: () => cancelled(context) },
  ...Object.entries(encryption[context.kind]).map(([name, settings]) => ({
    name,
    run: () => encrypted(context, settings),
  })),
];
