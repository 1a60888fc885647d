import { expect, it } from "vitest";
import { levelOfServerLine } from "../../../../runtime/server/live/databases.ts";

it.each([
  ["debug", "LOG:  database system is ready to accept connections"],
  ["debug", 'ERROR:  duplicate key value violates unique constraint "a"'],
  ["debug", "FATAL:  terminating connection due to administrator command"],
  ["warn", 'FATAL:  could not write to file "pg_wal/x": No space left on device'],
  ["warn", "PANIC:  could not locate a valid checkpoint record"],
  ["warn", "WARNING:  out of shared memory"],
])("The log level of a PostgreSQL server line is %s: %s", (level, text) => {
  expect(levelOfServerLine(`2026-01-31 12:00:00.000 UTC [7] ${text}`)).toBe(level);
});
