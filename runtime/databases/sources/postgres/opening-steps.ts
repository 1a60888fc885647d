/** Statements that begin and end transactions, with isolation level and transaction-local settings. */
import type { SqlValue, TransactionOptions } from "../source.ts";
import type { Step } from "./extended-query.ts";
import { type IsolationLevel, isolationLevel, isolationLevels, type PostgresSettings } from "./settings.ts";

/** A named statement with constant text, whose rows are discarded. */
interface OwnStatement {
  readonly text: string;
  readonly name: string;
}

function own(text: string): OwnStatement {
  return { text, name: `engine_${text.toLowerCase().replace(/[^a-z0-9]+/g, "_")}`.slice(0, 63) };
}

const step = ({ text, name }: OwnStatement, values: readonly SqlValue[]): Step => ({
  text,
  values,
  name,
  silent: true,
});

export const commit = step(own("COMMIT"), []);

const timeLimitText = "SELECT set_config('statement_timeout', $1, true)";
const timeLimit = own(timeLimitText);

/**
 * JIT compilation does not check the statement timeout. `jit` is off already, unless a pooler kept the server's
 * setting.
 */
const timeLimitWithoutJit = own(
  `${timeLimitText}, CASE current_setting('jit', true) WHEN 'on' THEN set_config('jit', 'off', true) END`,
);

const setUserText = "SELECT set_config('engine.user', $1, true)";
const setUser = own(setUserText);
const setBoth = own(`${setUserText}, set_config($2, $1, true)`);
const setUserAndTrace = own(`${setUserText}, set_config('engine.tracecontext', $2, true)`);
const setTrace = own("SELECT set_config('engine.tracecontext', $1, true)");

const begin = (level: IsolationLevel) => ({
  reading: step(own(`BEGIN ISOLATION LEVEL ${isolationLevels[level]} READ ONLY`), []),
  writing: step(own(`BEGIN ISOLATION LEVEL ${isolationLevels[level]} READ WRITE`), []),
});
const begins: Readonly<Record<IsolationLevel, ReturnType<typeof begin>>> = {
  "read-committed": begin("read-committed"),
  "repeatable-read": begin("repeatable-read"),
  serializable: begin("serializable"),
};

/** Returns true if the transaction is read-only. */
export function isReadOnly(settings: PostgresSettings, { readOnly = false }: TransactionOptions): boolean {
  return readOnly || settings.readOnly;
}

/** Returns the silent steps that begin a transaction. */
export function openingSteps(settings: PostgresSettings, options: TransactionOptions): readonly Step[] {
  const { isolation } = options;
  const { reading, writing } = begins[isolation === undefined ? settings.isolation : isolationLevel(isolation)];
  return [isReadOnly(settings, options) ? reading : writing, ...settingSteps(settings, options)];
}

/** Returns the silent steps that set transaction-local settings. */
export function settingSteps(
  settings: PostgresSettings,
  { user, traceContext, timeoutMilliseconds }: TransactionOptions,
): readonly Step[] {
  const limit =
    timeoutMilliseconds === undefined
      ? []
      : [step(settings.jit ? timeLimit : timeLimitWithoutJit, [String(timeoutMilliseconds)])];
  const steps: Step[] = [];
  if (user !== undefined) {
    const other = settings.otherUserSetting;
    if (other === undefined && traceContext !== undefined)
      return [step(setUserAndTrace, [user, traceContext]), ...limit];
    steps.push(other === undefined ? step(setUser, [user]) : step(setBoth, [user, other]));
  }
  if (traceContext !== undefined) steps.push(step(setTrace, [traceContext]));
  return [...steps, ...limit];
}
