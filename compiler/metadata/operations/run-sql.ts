/** `run_sql`: its arguments, and when it goes through the metadata check (`metadata-api.md` 4.1, 4.3). */

import type { z } from "zod";
import type { SourceKind } from "../../catalog/model.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { bool, text } from "../../catalog/schema/scalars.ts";
import { flag, inSource } from "../arguments.ts";
import type { RunSql } from "../io.ts";
import { operation } from "../operation.ts";

const runSqlArguments: z.ZodType<RunSql> = object({
  required: { sql: text },
  defaulted: { ...inSource, cascade: flag, read_only: flag, no_transaction: flag },
  optional: { check_metadata_consistency: bool },
});

interface RunSqlRules {
  /** Tell that a text may change what metadata depends on; also found inside strings and comments. */
  readonly changingWords: RegExp;
  /** Matches a text that may end its own transaction; also found inside strings, comments and function bodies. */
  readonly endingWords: RegExp;
  /** Arguments that are about other databases; they count as not given. */
  readonly ignored: Partial<RunSql>;
}

const rules: Readonly<Record<SourceKind, RunSqlRules>> = {
  postgres: {
    changingWords: /\b(?:alter|drop|replace|create\s+function|comment\s+on)\b/i,
    endingWords: /\b(?:commit|end|rollback|abort|prepare\s+transaction)\b/i,
    ignored: {},
  },
  // A procedure or dynamic SQL may commit, too.
  mssql: {
    changingWords: /\b(?:alter|drop|sp_rename)\b/i,
    endingWords: /(?:)/,
    ignored: { read_only: false, no_transaction: false },
  },
};

/** Whether the metadata is compared with the database before and after the SQL. */
export function needsMetadataCheck(kind: SourceKind, { sql, read_only, check_metadata_consistency }: RunSql): boolean {
  if (read_only) return false;
  return check_metadata_consistency ?? rules[kind].changingWords.test(sql);
}

/** Returns true if the SQL may have committed before it failed. */
export function mayEndTransaction(kind: SourceKind, sql: string): boolean {
  return rules[kind].endingWords.test(sql);
}

export const runSqlOperations = [
  operation("run_sql", {
    effect: "io",
    endpoints: { query: [1], sql: true },
    input: runSqlArguments,
    call: (input, { kind, path }) => ({
      effect: "io",
      operation: "run_sql",
      kind,
      input: { ...input, ...rules[kind].ignored },
      path,
    }),
  }),
];
