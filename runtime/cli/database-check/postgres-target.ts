/** The database of `engine database check` on PostgreSQL. Its metadata is in the same database. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import type { ServerFacts, Target } from "./check-database.ts";
import { type EmbeddedMetadata, startEmbeddedMetadata } from "./embedded-metadata.ts";
import { empty, refill } from "./empty-database.ts";
import { secretsOf, withoutSecrets } from "./secrets.ts";

export async function openPostgresTarget(url: URL): Promise<Target> {
  const hide = (text: string): string => withoutSecrets(text, secretsOf(url));
  const server = connection(url, hide);
  const name = `engine_check_${randomBytes(6).toString("hex")}`;
  const own = new URL(url);
  const refusal = await server.run(`create database ${name}`).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof EngineError) throw error;
      return codeOf(error) === insufficientPrivilege
        ? "the user may not create databases"
        : `no database could be created (${hide(messageOf(error))})`;
    },
  );
  const isCreated = refusal === undefined;
  if (isCreated) own.pathname = `/${name}`;
  const database = connection(own, hide);
  try {
    if (!isCreated) await refuseContents(database.run, refusal, hide);
    const facts = await factsOf(database.run);
    let metadata: EmbeddedMetadata | undefined;
    return {
      kind: "postgres",
      url: own.href,
      metadataUrl: own.href,
      facts,
      otherMetadata: async () => {
        metadata = await startEmbeddedMetadata();
        return metadata.url;
      },
      reset: ({ schema, unprivileged = schema }) =>
        refill(database.run, facts.is_superuser === false ? unprivileged : schema),
      sql: database.run,
      hold: database.hold,
      close: async () => {
        await metadata?.stop();
        if (isCreated)
          await server
            .run(`drop database if exists ${name} with (force)`)
            .catch(() => server.run(`drop database if exists ${name}`));
        else {
          const dropped = database.run("drop schema if exists engine_catalog cascade");
          await dropped.catch(() => undefined); // thrown after the rest is removed
          await empty(database.run);
          await dropped;
        }
      },
    };
  } catch (error) {
    if (isCreated) await server.run(`drop database if exists ${name}`).catch(() => undefined);
    throw error;
  }
}

const insufficientPrivilege = "42501";

/** Time limit of a statement in milliseconds, for servers that do not respond. */
const patience = 120_000;

type Rows = readonly Readonly<Record<string, unknown>>[];

function connection(url: URL, hide: (text: string) => string) {
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url.href, query_timeout: patience });
    client.on("error", () => undefined);
    try {
      await client.connect();
    } catch (error) {
      throw new EngineError("connection error", "$", `no connection to PostgreSQL: ${hide(messageOf(error))}`);
    }
    return client;
  };
  const run = async (text: string): Promise<Rows> => {
    const client = await open();
    try {
      const result: pg.QueryResult | readonly pg.QueryResult[] = await client.query(text);
      return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? [];
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const hold = async (text: string): Promise<() => Promise<void>> => {
    const client = await open();
    await client.query(`begin; ${text}`);
    return async () => {
      await client.query("commit").finally(() => client.end());
    };
  };
  return { run, hold };
}

/** Returns the properties of the server. Servers that speak the protocol may lack some settings. */
async function factsOf(run: (text: string) => Promise<Rows>): Promise<ServerFacts> {
  for (const text of [factsStatement, "select version() as version"]) {
    const [found] = await run(text).catch(() => []);
    if (found !== undefined) return found as ServerFacts;
  }
  return {};
}

/** @throws EngineError unless the database is empty */
async function refuseContents(
  run: (text: string) => Promise<Rows>,
  refusal: string,
  hide: (text: string) => string,
): Promise<void> {
  const [found] = await run(`select name from (
  select oid, oid::regclass::text as name, relnamespace as namespace from pg_class where relkind in ('r', 'v', 'm', 'p', 'f', 'S')
  union all select oid, oid::regprocedure::text, pronamespace from pg_proc
  union all select oid, oid::regtype::text, typnamespace from pg_type where typtype in ('e', 'd', 'r')
) as object join pg_namespace n on n.oid = namespace
where nspname <> 'information_schema' and nspname not like 'pg\\_%'
  and not exists (select from pg_depend where objid = object.oid and deptype = 'e') limit 1`).catch(
    (error: unknown) => {
      throw unusable(`${refusal}, and the contents of the database of the URL are unknown: ${hide(messageOf(error))}`);
    },
  );
  if (found === undefined) return;
  throw unusable(`${refusal}, and the database of the URL is not empty: it has ${String(found.name)}`);
}

const unusable = (message: string): EngineError => new EngineError("not-supported", "$", message);

const codeOf = (error: unknown): unknown => Object(error).code;

const factsStatement = `select version() as version, current_setting('server_version_num')::int as version_number,
  current_setting('server_encoding') as encoding, current_setting('is_superuser') = 'on' as is_superuser,
  (select datcollate from pg_database where datname = current_database()) as collation,
  current_setting('default_transaction_isolation') as isolation, current_setting('max_connections')::int as max_connections,
  current_setting('statement_timeout') as statement_timeout, current_setting('TimeZone') as time_zone,
  (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as encrypted,
  (select string_agg(extname || ' ' || extversion, ', ' order by extname) from pg_extension) as extensions`;
