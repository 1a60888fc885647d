/** The database of `engine database check` on PostgreSQL. Its metadata is in the same database. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { EngineError } from "../../values/errors.ts";
import type { ServerFacts, Target } from "./check-database.ts";
import { secretsOf, withoutSecrets } from "./secrets.ts";

export async function openPostgresTarget(url: URL): Promise<Target> {
  const hide = (text: string): string => withoutSecrets(text, secretsOf(url));
  const server = connection(url, hide);
  const name = `engine_check_${randomBytes(6).toString("hex")}`;
  const own = new URL(url);
  const isCreated = await server.run(`create database ${name}`).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === insufficientPrivilege) return false;
      throw unusable(hide(messageOf(error)));
    },
  );
  if (isCreated) own.pathname = `/${name}`;
  const database = connection(own, hide);
  try {
    if (!isCreated) await refuseContents(database.run);
    // Servers that speak the protocol may lack some settings.
    const found = (await database.run(factsStatement).catch(() => [])) as readonly ServerFacts[];
    const facts: ServerFacts = found[0] ?? {};
    return {
      kind: "postgres",
      url: own.href,
      metadataUrl: own.href,
      facts,
      reset: async ({ schema, unprivileged = schema }) => {
        const text = facts.is_superuser === false ? unprivileged : schema;
        await database.run(`drop schema if exists public cascade; create schema public; ${text}`);
      },
      sql: database.run,
      hold: database.hold,
      close: async () => {
        if (isCreated)
          await server
            .run(`drop database if exists ${name} with (force)`)
            .catch(() => server.run(`drop database if exists ${name}`));
        else
          await database.run(
            "drop schema if exists engine_catalog cascade; drop schema public cascade; create schema public",
          );
      },
    };
  } catch (error) {
    if (isCreated) await server.run(`drop database if exists ${name}`).catch(() => undefined);
    throw error;
  }
}

const insufficientPrivilege = "42501";

type Rows = readonly Readonly<Record<string, unknown>>[];

function connection(url: URL, hide: (text: string) => string) {
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url.href });
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

async function refuseContents(run: (text: string) => Promise<Rows>): Promise<void> {
  const [found] = await run(`select name from (
  select oid, oid::regclass::text as name, relnamespace as namespace from pg_class where relkind in ('r', 'v', 'm', 'p', 'f', 'S')
  union all select oid, oid::regprocedure::text, pronamespace from pg_proc
  union all select oid, oid::regtype::text, typnamespace from pg_type where typtype in ('e', 'd', 'r')
) as object join pg_namespace n on n.oid = namespace
where nspname <> 'information_schema' and nspname not like 'pg\\_%'
  and not exists (select from pg_depend where objid = object.oid and deptype = 'e') limit 1`);
  if (found === undefined) return;
  throw unusable(
    `the user may not create databases, and the database of the URL is not empty: it has ${String(found.name)}`,
  );
}

const unusable = (message: string): EngineError => new EngineError("not-supported", "$", message);

const codeOf = (error: unknown): unknown => Object(error).code;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const factsStatement = `select version() as version, current_setting('server_version_num')::int as version_number,
  current_setting('server_encoding') as encoding, current_setting('is_superuser') = 'on' as is_superuser,
  (select datcollate from pg_database where datname = current_database()) as collation,
  current_setting('default_transaction_isolation') as isolation, current_setting('max_connections')::int as max_connections,
  current_setting('statement_timeout') as statement_timeout, current_setting('TimeZone') as time_zone,
  (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as encrypted,
  (select string_agg(extname || ' ' || extversion, ', ' order by extname) from pg_extension) as extensions`;
