/**
 * What this source uses of the driver (`mssql` on `tedious`), which is loaded when the first statement is sent: half
 * of all servers never need it, and it is large.
 */
import type { IIsolationLevel, Transaction } from "mssql";
import type { Caller } from "../../../values/caller.ts";
import { EngineError } from "../../../values/errors.ts";
import { cancelledError } from "../cancelled-error.ts";
import { driverConfiguration } from "./connection-string.ts";
import type { IsolationLevel, MssqlSettings } from "./settings.ts";
import { cellValue, typeOfText } from "./values.ts";

/** The rows of one result set, as lists of values, and the names of its columns. */
export interface ResultSet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface DriverSession {
  /**
   * Runs a statement with parameters `@p1`, `@p2`, … through `sp_executesql`; all its result sets.
   * @param caller when it is gone, the server cancels the statement; absent: it runs to its end
   * @throws EngineError when it was cancelled for its caller
   */
  execute(text: string, values: readonly (string | null)[], caller?: Caller): Promise<readonly ResultSet[]>;
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
  /**
   * Has the server cancel what runs now.
   * @param reason the error of what is cancelled; absent: the driver's
   * @returns how many statements
   */
  cancelAll(reason?: EngineError): number;
  close(): Promise<void>;
}

/** The server takes 2,100 parameters; `sp_executesql` has two of its own. */
const mostValues = 2098;

function tooManyValues(count: number): EngineError {
  const message = `the request has ${count} values to compare or write, and SQL Server takes ${mostValues} in one statement: compare with lists (_in), or send several requests`;
  return new EngineError("not-supported", "$", message);
}

/** Loads the library, once a source is opened: no request has to. Servers without such a source never do. */
export function loadDriver() {
  loading ??= load();
  return loading;
}

const load = () => import("mssql");

let loading: ReturnType<typeof load> | undefined;

/** @throws EngineError `invalid-configuration` for a connection string that cannot be read */
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
  // Without a listener the loss of an idle connection ends the process; the pool replaces it.
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
      if (values.length > mostValues) throw tooManyValues(values.length);
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
    cancelAll(reason) {
      cancelReason = reason;
      for (const request of running.keys()) request.cancel();
      return running.size;
    },
    close: () => pool.close(),
  };
}

/** In milliseconds: how often callers are looked at. */
const lookEvery = 100;

/** @returns what has the callers watched until nothing that has one runs any more */
function watchCallers(running: ReadonlyMap<{ cancel(): void }, Caller | undefined>): () => void {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const watched = [...running].filter(([, caller]) => caller !== undefined);
    for (const [request, caller] of watched) if (caller?.aborted) request.cancel();
    if (watched.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return () => {
    // Sockets keep the process alive.
    timer ??= setInterval(look, lookEvery).unref();
  };
}

function asRows<Request extends { arrayRowMode?: boolean }>(request: Request): Request {
  request.arrayRowMode = true;
  return request;
}

interface ArrayColumn {
  readonly name: string;
  /** `declaration`: the type's name in SQL. */
  readonly type?: { readonly declaration?: string };
}

/** What the driver answers in array mode: its types describe the other mode only. */
interface ArrayResult {
  readonly recordsets: readonly (readonly (readonly unknown[] | Readonly<Record<string, unknown>>)[])[];
  readonly columns?: readonly (readonly ArrayColumn[])[];
}

function resultSets(result: unknown): readonly ResultSet[] {
  const { recordsets, columns = [] } = result as ArrayResult;
  return recordsets.map((rows, i) => {
    const named = columns[i] ?? [];
    // What FOR JSON and FOR XML answer by themselves, the driver puts together and gives as an object.
    const lists = rows.map((row) => (Array.isArray(row) ? row : Object.values(row)));
    return {
      columns: named.map(({ name }) => name),
      rows: lists.map((row) => row.map((value, at) => cellValue(value, named[at]?.type?.declaration))),
    };
  });
}
