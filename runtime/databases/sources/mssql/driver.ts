/**
 * Wraps the driver (`mssql` on `tedious`). The driver is loaded on first use, because it is large and many servers
 * never need it.
 */
import type { IIsolationLevel, Transaction } from "mssql";
import type { Caller } from "../../../values/caller.ts";
import { EngineError } from "../../../values/errors.ts";
import { cancelledError } from "../cancelled-error.ts";
import { driverConfiguration } from "./connection-string.ts";
import type { IsolationLevel, MssqlSettings } from "./settings.ts";
import { cellValue, typeOfText } from "./values.ts";

/** The rows of one result set as arrays, and its column names. */
export interface ResultSet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface DriverSession {
  /**
   * Runs a statement with parameters `@p1`, `@p2`, … through `sp_executesql` and returns all result sets.
   * @param caller if it disconnects, the server cancels the statement; absent: the statement runs to completion
   * @throws EngineError if the statement was cancelled for its caller
   */
  execute(text: string, values: readonly (string | null)[], caller?: Caller): Promise<readonly ResultSet[]>;
  /** Runs a batch unchanged. */
  batch(text: string): Promise<readonly ResultSet[]>;
}

export interface DriverTransaction extends DriverSession {
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export interface Driver extends DriverSession {
  /**
   * Begins a transaction.
   * @param timeoutMilliseconds timeout of each statement; absent: none
   */
  begin(isolation: IsolationLevel, timeoutMilliseconds?: number): Promise<DriverTransaction>;
  /**
   * Cancels all running statements.
   * @param reason the error of the cancelled statements; absent: the driver's error
   * @returns the number of statements
   */
  cancelAll(reason?: EngineError): number;
  close(): Promise<void>;
}

/** Maximum number of values of a statement. SQL Server accepts 2,100 parameters; `sp_executesql` uses two. */
const maxValues = 2098;

function tooManyValues(count: number): EngineError {
  const message = `the request has ${count} values to compare or write, and SQL Server takes ${maxValues} in one statement: compare with lists (_in), or send several requests`;
  return new EngineError("not-supported", "$", message);
}

/** Loads the driver when a source is opened, so that no request has to wait for it. */
export function loadDriver() {
  loading ??= load();
  return loading;
}

const load = () => import("mssql");

let loading: ReturnType<typeof load> | undefined;

/**
 * Connects to the server.
 * @throws EngineError `invalid-configuration` for an invalid connection string
 */
export async function connectDriver(settings: MssqlSettings): Promise<Driver> {
  const { default: sql } = await loadDriver();
  const levels: Readonly<Record<IsolationLevel, IIsolationLevel>> = {
    "read-uncommitted": sql.ISOLATION_LEVEL.READ_UNCOMMITTED,
    "read-committed": sql.ISOLATION_LEVEL.READ_COMMITTED,
    "repeatable-read": sql.ISOLATION_LEVEL.REPEATABLE_READ,
    snapshot: sql.ISOLATION_LEVEL.SNAPSHOT,
    serializable: sql.ISOLATION_LEVEL.SERIALIZABLE,
  };
  const configured = driverConfiguration(settings, (text) => sql.ConnectionPool.parseConnectionString(text));
  const options = { ...configured.options, connectionIsolationLevel: levels[settings.isolation] };
  const pool = new sql.ConnectionPool({ ...configured, options });
  // Without a listener, the loss of an idle connection would end the process. The pool replaces the connection.
  pool.on("error", () => undefined);
  await pool.connect();

  const running = new Map<InstanceType<typeof sql.Request>, Caller | undefined>();
  const watch = watchCallers(running);
  let cancelReason: EngineError | undefined;
  const run = async (
    request: InstanceType<typeof sql.Request>,
    send: () => Promise<unknown>,
    caller?: Caller,
  ): Promise<readonly ResultSet[]> => {
    if (caller?.aborted) throw cancelledError();
    running.set(request, caller);
    if (caller !== undefined) watch();
    try {
      return resultSets(await send());
    } catch (error) {
      const isCancelled = error instanceof sql.RequestError && error.code === "ECANCEL";
      if (isCancelled && caller?.aborted) throw cancelledError();
      throw isCancelled && cancelReason !== undefined ? cancelReason : error;
    } finally {
      running.delete(request);
    }
  };
  const types = { varchar: sql.VarChar, nvarchar: sql.NVarChar };
  const sessionOn = (request: () => InstanceType<typeof sql.Request>): DriverSession => ({
    async execute(text, values, caller) {
      if (values.length > maxValues) throw tooManyValues(values.length);
      const prepared = request();
      for (const [i, value] of values.entries()) {
        const { name, length } = typeOfText(value);
        prepared.input(`p${i + 1}`, types[name](length === 0 ? sql.MAX : length), value);
      }
      return run(prepared, () => asRows(prepared).query(text), caller);
    },
    async batch(text) {
      const prepared = request();
      return run(prepared, () => asRows(prepared).batch(text));
    },
  });
  // The driver's types omit the options that requests inherit from a transaction.
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
    cancelAll(reason) {
      cancelReason = reason;
      for (const request of running.keys()) request.cancel();
      return running.size;
    },
    close: () => pool.close(),
  };
}

/** Interval in milliseconds at which callers are checked. */
const checkInterval = 100;

/** Returns a function that starts watching callers. Watching ends when no statement with a caller is running. */
function watchCallers(running: ReadonlyMap<{ cancel(): void }, Caller | undefined>): () => void {
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    const watched = [...running].filter(([, caller]) => caller !== undefined);
    for (const [request, caller] of watched) if (caller?.aborted) request.cancel();
    if (watched.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return () => {
    // Sockets already keep the process alive.
    timer ??= setInterval(check, checkInterval).unref();
  };
}

function asRows<Request extends { arrayRowMode?: boolean }>(request: Request): Request {
  request.arrayRowMode = true;
  return request;
}

interface ArrayColumn {
  readonly name: string;
  /** `declaration` is the name of the type in SQL. */
  readonly type?: { readonly declaration?: string };
}

/** Results of the driver in array mode, which its types do not describe. */
interface ArrayResult {
  readonly recordsets: readonly (readonly (readonly unknown[] | Readonly<Record<string, unknown>>)[])[];
  readonly columns?: readonly (readonly ArrayColumn[])[];
}

function resultSets(result: unknown): readonly ResultSet[] {
  const { recordsets, columns = [] } = result as ArrayResult;
  return recordsets.map((rows, i) => {
    const named = columns[i] ?? [];
    // The driver assembles results of FOR JSON and FOR XML and returns them as objects.
    const lists = rows.map((row) => (Array.isArray(row) ? row : Object.values(row)));
    return {
      columns: named.map(({ name }) => name),
      rows: lists.map((row) => row.map((value, at) => cellValue(value, named[at]?.type?.declaration))),
    };
  });
}
