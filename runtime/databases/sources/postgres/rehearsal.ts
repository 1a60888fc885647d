/**
 * Runs requests in one transaction that is rolled back. Each statement or transaction of a request is a savepoint, so
 * that a failed one leaves the others intact, as if they were committed one after the other.
 */
import { randomBytes } from "node:crypto";
import { DatabaseError } from "pg";
import type { DatabaseFact, Definitions, EnumTable } from "../../../values/database-fact.ts";
import { EngineError } from "../../../values/errors.ts";
import type {
  DatabaseSource,
  PreparedStatement,
  Rehearsal,
  RunSqlOptions,
  RunSqlResult,
  SourceTransaction,
  SqlValue,
  TableChanges,
  TextRow,
  TransactionOptions,
} from "../source.ts";
import { settingSteps } from "./opening-steps.ts";
import type { PostgresSettings } from "./settings.ts";

interface RehearsalParts {
  readonly source: DatabaseSource;
  readonly settings: PostgresSettings;
  /** Rolled back by the caller. */
  readonly transaction: SourceTransaction;
}

/** @throws EngineError `not-supported` if SQL of `work` has ended the transaction */
export async function rehearse<T>(
  { source, settings, transaction }: RehearsalParts,
  work: (rehearsal: Rehearsal) => Promise<T>,
): Promise<T> {
  // Only the transaction that begins here has this savepoint, whose name the SQL cannot guess.
  const savepoint = `engine_rehearsal_${randomBytes(8).toString("hex")}`;
  await transaction.runSql(`SAVEPOINT ${savepoint}`);
  try {
    return await work(new RehearsalSource(source, settings, transaction));
  } finally {
    await transaction.runSql(`ROLLBACK TO SAVEPOINT ${savepoint}`).catch(refuseEnded);
  }
}

/** SQLSTATEs of `ROLLBACK TO SAVEPOINT` outside of a transaction, and in another one. */
const endedStates: ReadonlySet<string | undefined> = new Set(["25P01", "3B001"]);

function refuseEnded(error: unknown): never {
  const { cause } = error as { readonly cause?: unknown };
  if (!(cause instanceof DatabaseError) || !endedStates.has(cause.code)) throw error;
  const message = "the SQL ended its transaction, so its writes may be committed: remove COMMIT and ROLLBACK";
  throw new EngineError("not-supported", "$", message, { cause: error });
}

/** Limit of a statement without one of its own, which would otherwise block the rollback. */
const maxStatementMilliseconds = 30_000;

/** Begins a savepoint with the settings and the role of a new session, whatever SQL before it has set. */
const begin = "SAVEPOINT engine_request; RESET SESSION AUTHORIZATION; RESET ALL";
const end = "RELEASE SAVEPOINT engine_request";
const undo = `ROLLBACK TO SAVEPOINT engine_request; ${end}`;

/**
 * Reads the changed rows by table that the statistics views do not contain yet: those of this transaction, and recent
 * ones of the connection. Without `track_counts`, the only row is null.
 */
const countChanges = `select n.nspname, c.relname, sum(s.n_tup_ins), sum(s.n_tup_upd), sum(s.n_tup_del)
from pg_catalog.pg_stat_xact_user_tables s
join pg_catalog.pg_class c on c.oid = coalesce((
  with recursive up(relation) as (
    select i.inhparent from pg_catalog.pg_inherits i where i.inhrelid = s.relid
    union all select i.inhparent from up join pg_catalog.pg_inherits i on i.inhrelid = up.relation
  ) select relation from up join pg_catalog.pg_class p on p.oid = up.relation
  where p.relkind = 'p' and not p.relispartition limit 1
), s.relid)
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where s.n_tup_ins + s.n_tup_upd + s.n_tup_del > 0 and n.nspname <> 'engine_catalog'
group by n.nspname, c.relname
union all select null, null, 0, 0, 0 where pg_catalog.current_setting('track_counts') <> 'on'`;

class RehearsalSource implements Rehearsal {
  readonly name: string;
  readonly readsOtherUserSetting: boolean;
  readonly isUnbatched = true;
  readonly #source: DatabaseSource;
  readonly #settings: PostgresSettings;
  readonly #transaction: SourceTransaction;
  /** The last statement or transaction; the next one starts when it ends. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: DatabaseSource, settings: PostgresSettings, transaction: SourceTransaction) {
    this.name = source.name;
    this.readsOtherUserSetting = source.readsOtherUserSetting === true;
    this.#source = source;
    this.#settings = settings;
    this.#transaction = transaction;
  }

  query(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]> {
    const readOnly = this.#settings.readOnly || statement.onlyReads === true;
    return this.executeAlone({ readOnly }, statement, values);
  }

  execute(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly TextRow[]> {
    return this.executeAlone({}, statement, values);
  }

  executeAlone(
    options: TransactionOptions,
    statement: PreparedStatement,
    values: readonly SqlValue[],
  ): Promise<readonly TextRow[]> {
    return this.transaction(options, async (transaction) => {
      await options.beforeSending?.();
      return transaction.query(statement, values);
    });
  }

  transaction<T>(options: TransactionOptions, work: (transaction: SourceTransaction) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#inSavepoint(options, work));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #inSavepoint<T>(options: TransactionOptions, work: (transaction: SourceTransaction) => Promise<T>): Promise<T> {
    const transaction = this.#transaction;
    await transaction.runSql(begin);
    try {
      await this.#applySettings(options);
      const result = await work(withoutCommit(transaction));
      if (options.readOnly) await transaction.runSql(undo);
      else {
        await this.#checkDeferred();
        await transaction.runSql(end);
      }
      return result;
    } catch (error) {
      // the first error is more informative; without the savepoint, the transaction has ended, which is found at its end
      await transaction.runSql(undo).catch(() => undefined);
      throw error;
    }
  }

  async #applySettings({ readOnly, ...options }: TransactionOptions): Promise<void> {
    const { timeoutMilliseconds = maxStatementMilliseconds } = options;
    for (const { text, values } of settingSteps(this.#settings, { ...options, timeoutMilliseconds })) {
      await this.#transaction.query({ text }, values);
    }
    if (readOnly) await this.#transaction.query({ text: "SET TRANSACTION READ ONLY" }, []);
  }

  /** Checks deferred constraints, as a commit does. The rollback restores their deferral for the next savepoint. */
  async #checkDeferred(): Promise<void> {
    await this.#transaction.runSql("SAVEPOINT engine_deferred");
    await this.#transaction.query({ text: "SET CONSTRAINTS ALL IMMEDIATE" }, []);
    await this.#transaction.runSql("ROLLBACK TO SAVEPOINT engine_deferred");
  }

  async counted<T>(work: () => Promise<T>): Promise<readonly [result: T, changes: readonly TableChanges[] | null]> {
    const before = await this.#changes();
    const result = await work();
    const after = await this.#changes();
    return [result, before && after && difference(before, after)];
  }

  async #changes(): Promise<readonly TableChanges[] | null> {
    const rows = await this.query({ text: countChanges, onlyReads: true }, []);
    const changes = rows.map(([schema, table, inserted, updated, deleted]) => ({
      schema: schema ?? "",
      table: table ?? "",
      inserted: Number(inserted),
      updated: Number(updated),
      deleted: Number(deleted),
    }));
    return rows.some(([schema]) => schema === null) ? null : changes;
  }

  runSql(sql: string, { readOnly, user }: RunSqlOptions): Promise<RunSqlResult> {
    return this.transaction({ readOnly, ...(user !== undefined && { user }) }, (transaction) =>
      transaction.runSql(sql),
    );
  }

  async runSqlWithoutTransaction(): Promise<RunSqlResult> {
    throw new EngineError("not-supported", "$", "SQL outside a transaction cannot be rolled back");
  }

  async explain({ text }: PreparedStatement, values: readonly SqlValue[]): Promise<readonly string[]> {
    const rows = await this.query({ text: `explain ${text}` }, values);
    return rows.map(([line]) => line ?? "");
  }

  facts(enums: readonly EnumTable[]): Promise<readonly DatabaseFact[]> {
    return this.#source.facts(enums);
  }

  definitions(): Promise<Definitions> {
    return this.#source.definitions();
  }

  async cancelAll(): Promise<number> {
    return 0;
  }

  completed(): number {
    return this.#source.completed();
  }

  /** Waits for the last statement. The transaction is rolled back by its owner. */
  async close(): Promise<void> {
    await this.#last;
  }
}

function difference(before: readonly TableChanges[], after: readonly TableChanges[]): readonly TableChanges[] {
  return after.flatMap((now) => {
    const then = before.find(({ schema, table }) => schema === now.schema && table === now.table);
    const inserted = now.inserted - (then?.inserted ?? 0);
    const updated = now.updated - (then?.updated ?? 0);
    const deleted = now.deleted - (then?.deleted ?? 0);
    return inserted + updated + deleted === 0 ? [] : [{ ...now, inserted, updated, deleted }];
  });
}

/** Returns the transaction for one savepoint, whose last statement must not commit. */
function withoutCommit(transaction: SourceTransaction): SourceTransaction {
  return {
    query: (statement, values) => transaction.query(statement, values),
    queryLast: (statement, values) => transaction.query(statement, values),
    runSql: (sql) => transaction.runSql(sql),
    probe: (statement) => transaction.probe(statement),
    get isEnded() {
      return transaction.isEnded;
    },
  };
}
