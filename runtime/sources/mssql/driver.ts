/**
 * What this source uses of the driver (`mssql` on `tedious`), which is loaded when the first statement is sent: half
 * of all servers never need it, and it is large.
 */
import type { ConnectionPool, config as DriverConfig, IIsolationLevel, Transaction } from "mssql";
import { EngineError } from "../../support/errors.ts";
import type { IsolationLevel, MssqlSettings } from "./settings.ts";
import { typeOfText } from "./values.ts";

/** The rows of one result set, as lists of values, and the names of its columns. */
export interface ResultSet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface DriverSession {
  /** Runs a statement with parameters `@p1`, `@p2`, … through `sp_executesql`; all its result sets. */
  execute(text: string, values: readonly (string | null)[]): Promise<readonly ResultSet[]>;
  /** Runs a batch as it stands. */
  batch(text: string): Promise<readonly ResultSet[]>;
}

export interface DriverTransaction extends DriverSession {
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export interface Driver extends DriverSession {
  /** @param timeoutMilliseconds each statement that takes longer is cancelled; none is unless given */
  begin(isolation: IsolationLevel, timeoutMilliseconds?: number): Promise<DriverTransaction>;
  close(): Promise<void>;
}

/** Milliseconds that an unused connection is kept when there is no pool. */
const atOnce = 1;

/** @throws EngineError `invalid-configuration` for a connection string that cannot be read */
export async function connectDriver(settings: MssqlSettings): Promise<Driver> {
  const { default: sql } = await import("mssql");
  const pool = new sql.ConnectionPool(
    configuration(settings, (text) => sql.ConnectionPool.parseConnectionString(text)),
  );
  // Without a listener the loss of an idle connection ends the process; the pool replaces it.
  pool.on("error", () => undefined);
  await pool.connect();

  const types = { varchar: sql.VarChar, nvarchar: sql.NVarChar };
  const levels: Readonly<Record<IsolationLevel, IIsolationLevel>> = {
    "read-uncommitted": sql.ISOLATION_LEVEL.READ_UNCOMMITTED,
    "read-committed": sql.ISOLATION_LEVEL.READ_COMMITTED,
    "repeatable-read": sql.ISOLATION_LEVEL.REPEATABLE_READ,
    snapshot: sql.ISOLATION_LEVEL.SNAPSHOT,
    serializable: sql.ISOLATION_LEVEL.SERIALIZABLE,
  };
  const sessionOn = (request: () => InstanceType<typeof sql.Request>): DriverSession => ({
    async execute(text, values) {
      const prepared = request();
      for (const [i, value] of values.entries()) {
        const { name, length } = typeOfText(value);
        prepared.input(`p${i + 1}`, types[name](length === 0 ? sql.MAX : length), value);
      }
      return resultSets(await asRows(prepared).query(text));
    },
    async batch(text) {
      return resultSets(await asRows(request()).batch(text));
    },
  });
  // The types leave out what the requests of a transaction take over from it.
  const newTransaction: (limits?: { readonly requestTimeout: number }) => Transaction = pool.transaction.bind(pool);
  return {
    ...sessionOn(() => pool.request()),
    async begin(isolation, timeoutMilliseconds) {
      const transaction = newTransaction(
        timeoutMilliseconds === undefined ? undefined : { requestTimeout: timeoutMilliseconds },
      );
      await transaction.begin(levels[isolation]);
      return {
        ...sessionOn(() => transaction.request()),
        commit: () => transaction.commit(),
        rollback: () => transaction.rollback(),
      };
    },
    close: () => pool.close(),
  };
}

function asRows<Request extends { arrayRowMode?: boolean }>(request: Request): Request {
  request.arrayRowMode = true;
  return request;
}

/** What the driver answers in array mode: its types describe the other mode only. */
interface ArrayResult {
  readonly recordsets: readonly (readonly (readonly unknown[])[])[];
  readonly columns?: readonly (readonly { readonly name: string }[])[];
}

function resultSets(result: unknown): readonly ResultSet[] {
  const { recordsets, columns = [] } = result as ArrayResult;
  return recordsets.map((rows, i) => ({ rows, columns: (columns[i] ?? []).map(({ name }) => name) }));
}

/** ADO.NET and ODBC connection strings, and `mssql://user:password@host:port/database`. */
function configuration(
  { connection, maxConnections, idleTimeoutSeconds }: MssqlSettings,
  parse: typeof ConnectionPool.parseConnectionString,
): DriverConfig {
  const text = connection.reveal();
  const parsed = /^(?:mssql|sqlserver):\/\//i.test(text) ? fromUrl(text) : fromString(text, parse);
  return {
    ...parsed,
    // The driver's own limit is 15 seconds; 0 is none.
    requestTimeout: parsed.requestTimeout ?? 0,
    options: { ...parsed.options, useUTC: true, abortTransactionOnError: true },
    pool: { max: maxConnections, min: 0, idleTimeoutMillis: idleTimeoutSeconds * 1000 || atOnce },
  };
}

function fromString(text: string, parse: typeof ConnectionPool.parseConnectionString): DriverConfig {
  try {
    return parse(text);
  } catch (cause) {
    throw new EngineError("invalid-configuration", "$", "the connection string cannot be read", { cause });
  }
}

function fromUrl(text: string): DriverConfig {
  if (!URL.canParse(text)) {
    throw new EngineError("invalid-configuration", "$", "the connection URL cannot be read");
  }
  const url = new URL(text);
  const option = (name: string): boolean | undefined => {
    const value = url.searchParams.get(name);
    return value === null ? undefined : value === "true" || value === "yes";
  };
  const encrypt = option("encrypt");
  const trustServerCertificate = option("trustServerCertificate");
  return {
    server: url.hostname,
    ...(url.port === "" ? {} : { port: Number(url.port) }),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    ...(url.pathname.length > 1 ? { database: decodeURIComponent(url.pathname.slice(1)) } : {}),
    options: {
      ...(encrypt === undefined ? {} : { encrypt }),
      ...(trustServerCertificate === undefined ? {} : { trustServerCertificate }),
    },
  };
}
