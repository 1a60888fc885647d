/** How transactions begin and end: their isolation, and what holds until their end. */
import type { TransactionOptions } from "../source.ts";
import type { Step } from "./extended-query.ts";
import type { PreparePolicy } from "./prepare-policy.ts";
import { isolationLevel, isolationLevels, type PostgresSettings } from "./settings.ts";

const timeLimit = "SELECT set_config('statement_timeout', $1, true)";

/** A compiling server does not look at the time. Off already, unless a pooler kept the setting from the server. */
const timeLimitWithoutJit = `${timeLimit}, CASE current_setting('jit', true) WHEN 'on' THEN set_config('jit', 'off', true) END`;

const setUser = "SELECT set_config('engine.user', $1, true)";
const setBoth = `${setUser}, set_config($2, $1, true)`;
const setTrace = "SELECT set_config('engine.tracecontext', $1, true)";

export const commit: Step = { text: "COMMIT", values: [], silent: true };

/** By a name of its own: a step whose text is always the same, which can be repeated when the server refuses the name. */
export function named(policy: PreparePolicy, { text, values, silent }: Step): Step {
  const name = `engine_${text.toLowerCase().replace(/[^a-z0-9]+/g, "_")}`.slice(0, 63);
  return { ...policy.step({ text, name }, values, true), ...(silent && { silent }) };
}

/** Whether the transaction may not write. */
export function isReadOnly(settings: PostgresSettings, { readOnly = false }: TransactionOptions): boolean {
  return readOnly || settings.readOnly;
}

/** What begins a transaction, without answers. */
export function openingSteps(settings: PostgresSettings, options: TransactionOptions): readonly Step[] {
  const { user, traceContext, isolation, timeoutMilliseconds } = options;
  const level = isolationLevels[isolation === undefined ? settings.isolation : isolationLevel(isolation)];
  const begin: Step = {
    text: `BEGIN ISOLATION LEVEL ${level} ${isReadOnly(settings, options) ? "READ ONLY" : "READ WRITE"}`,
    values: [],
    silent: true,
  };
  const more: Step[] = [];
  if (user !== undefined) {
    const other = settings.otherUserSetting;
    const step = other === undefined ? { text: setUser, values: [user] } : { text: setBoth, values: [user, other] };
    more.push({ ...step, silent: true });
  }
  if (traceContext !== undefined) {
    more.push({ text: setTrace, values: [traceContext], silent: true });
  }
  if (timeoutMilliseconds !== undefined) {
    const values = [String(timeoutMilliseconds)];
    more.push({ text: settings.jit ? timeLimit : timeLimitWithoutJit, values, silent: true });
  }
  return [begin, ...more];
}
