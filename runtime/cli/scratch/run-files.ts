/** Runs SQL of files on a scratch database: each in a transaction of its own, as a server runs migrations. */
import pg from "pg";
import { EngineError } from "../../values/errors.ts";
import { locateSqlFailure } from "../migrations/sql-failure.ts";
import type { SqlFile } from "../migrations/sql-file.ts";

/** @throws EngineError with file, line and column of what failed; files before it stay applied */
export async function runFiles(url: string, files: readonly SqlFile[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // A connection that is lost between two statements fails the next one.
  client.on("error", () => undefined);
  await client.connect();
  try {
    for (const file of files) await runFile(client, file);
  } finally {
    await client.end();
  }
}

async function runFile(client: pg.Client, file: SqlFile): Promise<void> {
  await client.query("begin");
  try {
    if (file.sql.trim() !== "") await client.query(file.sql);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw locateSqlFailure(asServerSays(error, file), file);
  }
}

/** The error as a server answers it, which `locateSqlFailure` reads. */
function asServerSays(error: unknown, { sql }: SqlFile): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const { message, detail = null, hint = null, code = null, position } = error;
  const details = {
    message,
    description: detail,
    hint,
    status_code: code,
    ...(position !== undefined && { position: Number(position) }),
  };
  return new EngineError("postgres-error", "$", message, {
    internal: { statement: sql, error: details },
    cause: error,
  });
}
