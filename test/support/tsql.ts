/**
 * Checks T-SQL without a server: a grammar of T-SQL, and rules of SQL Server that the grammar lacks. A statement that
 * passes is plausible; `engine database check` runs it on a real server.
 */
import { init, MsSqlDialect, Parser } from "@guanmingchiu/sqlparser-ts";
import { aggregateRules } from "./tsql/aggregate-rules.ts";
import { batchRules } from "./tsql/batch-rules.ts";
import { columnRules } from "./tsql/column-rules.ts";
import { expressionRules } from "./tsql/expression-rules.ts";
import { queryRules } from "./tsql/query-rules.ts";
import { type Rule, withoutTexts } from "./tsql/rule.ts";
import { readSelects } from "./tsql/selects.ts";
import { textRules } from "./tsql/text-rules.ts";
import { typeRules } from "./tsql/type-rules.ts";

await init();

/** Greater than the default, so that rules about nesting see deeper statements. */
const recursionLimit = 200;
const parser = new Parser(new MsSqlDialect()).withOptions({ recursionLimit });

export const tsqlRules: readonly Rule[] = [
  ...textRules,
  ...queryRules,
  ...columnRules,
  ...aggregateRules,
  ...expressionRules,
  ...typeRules,
  ...batchRules,
];

interface CheckedDatabase {
  /** Compatibility level. Default: 150, SQL Server 2019. */
  readonly level?: number;
  /** Types of columns, by name. */
  readonly types?: ReadonlyMap<string, string>;
}

/** Returns the errors of a statement, or of a batch of them, on SQL Server 2019; empty if none is found. */
export const problemsOfTsql = (text: string): readonly string[] => problemsOn({}, text);

/** Returns the errors of a statement, or of a batch of them, on a database. */
export function problemsOn({ level = 150, types = new Map() }: CheckedDatabase, text: string): readonly string[] {
  const { trees, error } = parseTsql(text);
  const statement = { text, bare: withoutTexts(text), trees, level, types, ...readSelects(trees) };
  const broken = tsqlRules.flatMap(({ what, error: number, find }) =>
    find(statement).map((part) => `${what}${number === undefined ? "" : ` (error ${number})`}: ${part}`),
  );
  return [...broken, ...error];
}

/** Rewrites forms that SQL Server documents but the grammar lacks as forms that it has. */
const unknownForms: readonly (readonly [RegExp, string])[] = [
  [/\b(?:geography|geometry)::STGeomFromText\(/g, "dbo.geometry("],
  [/\bfetch next \(.*?\) rows only/gis, "fetch next 1 rows only"],
  [/\bdelete (t\d+) output ((?:(?! from ).)*?) from (.*? )(t\d+)\b/gis, "delete from $3$4"],
  [/\binsert into #\w+ \([^()]*\) exec\b/gi, "exec"],
  [/\boutput (?:(?!\binto\b)[^;])*\binto (?:[@#]\w+|\w+\.\w+) \([^()]*\)/gi, ""],
  [/\bdefault values\b/gi, "values (1)"],
  [/\badd constraint (\w+)\s+default .* for \w+$/gi, "add constraint $1 check (1 = 1)"],
  [/,\s*primary key \([^()]*\)(?=\s*\))/gi, ""],
  [/ with \(allow_page_locks = off\)/gi, ""],
];

function parseTsql(text: string): { readonly trees: unknown; readonly error: readonly string[] } {
  const known = unknownForms.reduce((written, [pattern, replacement]) => written.replace(pattern, replacement), text);
  try {
    return { trees: parser.parse(known), error: [] };
  } catch (error) {
    return { trees: [], error: [`${String(error)} in ${known}`] };
  }
}
