/** Arguments of `run_sql`, and the rules that decide if it needs the metadata check. */

import type { z } from "zod";
import type { SourceKind } from "../../catalog/model.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { bool, text } from "../../catalog/schema/scalars.ts";
import { flag, inSource } from "../arguments.ts";
import { ioOperation } from "../operation.ts";

export interface RunSql {
  readonly sql: string;
  readonly source: string;
  readonly cascade: boolean;
  /** If absent, `changingWords` decides. */
  readonly check_metadata_consistency?: boolean;
  readonly read_only: boolean;
  readonly no_transaction: boolean;
}

const runSqlArguments: z.ZodType<RunSql> = object({
  about: {
    sql: "SQL statements to run.",
    source: "Source whose database runs them.",
    cascade:
      "Drops metadata objects that depend on dropped tables and columns; without it, they make the operation fail.",
    read_only: "Runs them in a read-only transaction, without the check of the metadata. PostgreSQL only.",
    no_transaction: "Runs them outside a transaction, for statements such as `VACUUM`.",
    check_metadata_consistency:
      "Compares the schema before and after, and adapts the metadata. Default: only if the SQL may change the schema.",
  },
  required: { sql: text },
  defaulted: { ...inSource, cascade: flag, read_only: flag, no_transaction: flag },
  optional: { check_metadata_consistency: bool },
});

interface RunSqlRules {
  /** Matches SQL that may change objects used by the metadata. Also matches inside strings and comments. */
  readonly changingWords: RegExp;
  /** Matches SQL that may end its transaction. Also matches inside strings, comments and function bodies. */
  readonly endingWords: RegExp;
  /** Values that replace arguments without effect on this kind of database. */
  readonly ignored: Partial<RunSql>;
}

const rules: Readonly<Record<SourceKind, RunSqlRules>> = {
  postgres: {
    changingWords: /\b(?:alter|drop|replace|create\s+function|comment\s+on)\b/i,
    endingWords: /\b(?:commit|end|rollback|abort|prepare\s+transaction)\b/i,
    ignored: {},
  },
  // Every statement matches `endingWords`, because procedures and dynamic SQL may also commit.
  mssql: {
    changingWords: /\b(?:alter|drop|sp_rename)\b/i,
    endingWords: /(?:)/,
    ignored: { read_only: false, no_transaction: false },
  },
};

/** Returns true if the metadata must be compared with the database before and after the SQL. */
export function needsMetadataCheck(kind: SourceKind, { sql, read_only, check_metadata_consistency }: RunSql): boolean {
  if (read_only) return false;
  return check_metadata_consistency ?? rules[kind].changingWords.test(sql);
}

/** Returns true if the SQL may have committed before it failed. */
export function mayEndTransaction(kind: SourceKind, sql: string): boolean {
  return rules[kind].endingWords.test(sql);
}

export const runSqlOperations = [
  ioOperation("run_sql", {
    about: "Runs SQL in the database of a source, and adapts the metadata to the changes of its schema.",
    endpoints: { query: [1], sql: true },
    input: (kind) => runSqlArguments.transform((input) => ({ ...input, ...rules[kind].ignored })),
    writes: ({ read_only }) => !read_only,
    changesSchema: (input, kind) => needsMetadataCheck(kind, input),
  }),
];
