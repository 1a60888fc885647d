/**
 * Checks T-SQL without a server: a grammar of T-SQL, and rules for PostgreSQL habits that SQL Server rejects. A
 * statement that passes is plausible; `engine database check` runs it on a real server.
 */
import { init, parse } from "@guanmingchiu/sqlparser-ts";

await init();

/** Returns the errors of a statement, or of a batch of them; empty if none is found. */
export function problemsOfTsql(text: string): readonly string[] {
  const bare = withoutTexts(text);
  return [
    ...rules.flatMap(({ what, pattern }) => (pattern.test(bare) ? [what] : [])),
    ...orderProblems(bare),
    ...fetchProblems(bare),
    ...aggregateProblems(bare),
    ...namedColumns(bare).flatMap(columnProblems),
    ...longNames(text),
    ...parameterProblems(bare),
    ...grammarProblems(text),
  ];
}

interface Rule {
  readonly what: string;
  readonly pattern: RegExp;
}

const rules: readonly Rule[] = [
  { what: "|| joins no texts", pattern: /\|\|/ },
  { what: ":: is no cast", pattern: /::(?!STGeomFromText)/ },
  { what: "a quoted name of PostgreSQL", pattern: /"/ },
  { what: "a parameter of PostgreSQL", pattern: /\$\d/ },
  { what: "true and false are no values", pattern: /\b(?:true|false)\b/i },
  {
    what: "a function of PostgreSQL",
    pattern: /\b(?:json_agg|json_build_object|row_to_json|unnest|least|greatest|now)\s*\(/i,
  },
  {
    what: "not in SQL Server 2019",
    pattern:
      /\b(?:json_object|json_array|json_objectagg|json_arrayagg|json_path_exists|json_contains|generate_series|date_bucket|datetrunc|bit_count|getbit)\s*\(|\bwindow \w+ as \(|\btrim\s*\(\s*(?:leading|trailing|both)\b/i,
  },
  { what: "a condition is no value", pattern: /(?:\bselect|,|=|\bthen|\belse)\s+(?:not\s+)?exists\s*\(/i },
  {
    what: "a value is no condition",
    pattern: /\b(?:where|on|not|or|having)\s+\(*(?:[01]|@\w+)\)*\s*(?:$|;|\b(?:and|or|then)\b)/i,
  },
  { what: "a window has no order by a constant", pattern: /\bover\s*\((?:[^()]*\s)?order by\s+(?:\d|'|null\b)/i },
  { what: "GROUP BY takes no constant", pattern: /\bgroup by\s+(?:\d|'|null\b)/i },
  { what: "coalesce over FOR JSON is read twice", pattern: /coalesce\s*\(\s*\(\s*select/i },
  {
    what: "a clause of PostgreSQL",
    pattern:
      /\b(?:limit|lateral|returning|ilike|nulls (?:first|last)|distinct on|filter \(where|is (?:not )?distinct from)\b/i,
  },
  { what: "MERGE has races", pattern: /\bmerge\b/i },
  { what: "OUTPUT without INTO fails where there are triggers", pattern: /\boutput (?:(?!\binto\b)[^;])*(?:;|$)/i },
  { what: "THROW needs a ; or BEGIN before it", pattern: /(?<!begin )\bthrow\b/i },
  { what: "WITH needs a ; before it", pattern: /(?:^|[^;(\s,])\s+with \w+ as \(/i },
];

/** Empties constants and comments and turns each quoted name into one word, so that rules see only SQL. */
function withoutTexts(text: string): string {
  return text
    .replace(/--[^\n]*/g, "")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\[((?:[^\]]|\]\])*)\]/g, (_, name: string) => `q_${name.replace(/\W/g, (c) => `_${c.charCodeAt(0)}_`)}`);
}

/**
 * Reports ORDER BY without TOP, OFFSET, FOR JSON or FOR XML at its level, except in the outermost SELECT, windows and
 * INSERT … SELECT.
 */
function orderProblems(bare: string): readonly string[] {
  return levels(bare).flatMap(({ own, isNested }) => {
    const select = own.toLowerCase();
    const problems: string[] = [];
    if (isNested && /^\s*select\b/.test(select) && /\border by\b/.test(select)) {
      if (!/\btop\b|\boffset\b|\bfor (?:json|xml)\b/.test(select))
        problems.push(`ORDER BY in a derived table: ${own.trim()}`);
    }
    if (/\btop\b/.test(select) && /\boffset\b/.test(select)) problems.push(`TOP together with OFFSET: ${own.trim()}`);
    if (/\boffset\b/.test(select) && !/\border by\b/.test(select))
      problems.push(`OFFSET without ORDER BY: ${own.trim()}`);
    return [...problems, ...repeatedOrder(select)];
  });
}

/**
 * Returns columns that occur twice in ORDER BY, which is error 169, even with different directions. Expressions in
 * parentheses are not compared.
 */
function repeatedOrder(level: string): readonly string[] {
  return [...level.matchAll(/\border by (.*?)(?=\boffset\b|\bfor json\b|\bfor xml\b|;|$)/gs)].flatMap(
    ([, list = ""]) => {
      const columns = list.split(",").map((item) => item.replace(/\b(?:asc|desc)\b/, "").trim());
      const compared = columns.filter((column) => !column.includes("("));
      return new Set(compared).size < compared.length ? [`a column twice in ORDER BY: ${list.trim()}`] : [];
    },
  );
}

/** Reports FETCH with a number that could be 0 (error 10744): it must be a literal, or 1 instead of 0. */
function fetchProblems(bare: string): readonly string[] {
  return inParenthesesAfter(bare, /\bfetch next \(/gi).flatMap((count) =>
    /^[1-9]\d*$/.test(count) || /^iif\(.* = 0, 1, .*\)$/.test(count) ? [] : [`FETCH NEXT may be 0: ${count}`],
  );
}

/** Reports aggregates that contain a sub-select or another aggregate (error 130). */
function aggregateProblems(bare: string): readonly string[] {
  const aggregate = /\b(?:count|sum|avg|min|max|stdevp?|varp?|string_agg)\s*\(/gi;
  return inParenthesesAfter(bare, aggregate).flatMap((value) =>
    /\bselect\b/i.test(value) || new RegExp(aggregate.source, "i").test(value)
      ? [`an aggregate over a sub-select or an aggregate: ${value}`]
      : [],
  );
}

/** Returns the text after each match, up to its closing parenthesis. */
function inParenthesesAfter(text: string, opening: RegExp): readonly string[] {
  return [...text.matchAll(opening)].map(({ 0: { length }, index }) => {
    const start = index + length;
    let depth = 1;
    let end = start;
    while (end < text.length && depth > 0) {
      if (text[end] === "(") depth++;
      if (text[end] === ")") depth--;
      end++;
    }
    return text.slice(start, depth === 0 ? end - 1 : end);
  });
}

/**
 * Returns each SELECT whose columns need names, with the contents of its parentheses removed: derived tables, FOR JSON,
 * SELECT … INTO.
 */
function namedColumns(bare: string): readonly string[] {
  const marked = bare.replace(/\b(from|join|apply)\s*\(\s*(select\b)/gi, "$1 (derived $2");
  return levels(marked).flatMap(({ own }) =>
    own
      .split(/;|\bunion all\b/i)
      .map((statement) => statement.trim())
      .filter((statement) => /^derived |^select .*(?:\bfor json path\b| into #)/is.test(statement))
      .map((statement) => statement.replace(/^derived /, "")),
  );
}

/** Reports duplicate column names, ignoring case as most collations do. */
function columnProblems(select: string): readonly string[] {
  const [, list = ""] = /^select (?:top \(\) )?(.*?) (?:from|into|for json) /is.exec(`${select} from `) ?? [];
  const names = list.split(",").map((column) => /(?: as |\.|^\s*)(\w+|\*)\s*$/.exec(column)?.[1]?.toLowerCase());
  const named = names.filter((name) => name !== undefined && name !== "*");
  return [
    ...(names.includes(undefined) ? [`an unnamed column: ${select}`] : []),
    ...(new Set(named).size < named.length
      ? [`columns of the same name, or of names that differ in case: ${select}`]
      : []),
  ];
}

/** Returns the text of each pair of parentheses without nested pairs, and the text outside all pairs. */
function levels(text: string): readonly { readonly own: string; readonly isNested: boolean }[] {
  const open: string[] = [""];
  const found: { own: string; isNested: boolean }[] = [];
  for (const character of text) {
    if (character === "(") open.push("");
    else if (character === ")" && open.length > 1) {
      found.push({ own: open.pop() ?? "", isNested: true });
      open[open.length - 1] += "()";
    } else open[open.length - 1] += character;
  }
  return [...found, { own: open[0] ?? "", isNested: false }];
}

const longestName = 128;
const mostParameters = 2100;
const mostValues = 1000;

function longNames(text: string): readonly string[] {
  const names = [...text.replace(/'(?:[^']|'')*'/g, "''").matchAll(/\[((?:[^\]]|\]\])*)\]/g)];
  return names.flatMap(([, name = ""]) =>
    name.replaceAll("]]", "]").length > longestName ? [`a name longer than ${longestName} characters: ${name}`] : [],
  );
}

function parameterProblems(bare: string): readonly string[] {
  const parameters = new Set(Array.from(bare.matchAll(/@p\d+/g), ([name]) => name));
  const rows = [...bare.matchAll(/\bvalues\b((?:\s*\([^()]*\)\s*,?)+)/gi)].map(
    ([, list = ""]) => list.split("(").length - 1,
  );
  return [
    ...(parameters.size > mostParameters ? [`${parameters.size} parameters, of ${mostParameters} at most`] : []),
    ...rows.flatMap((count) => (count > mostValues ? [`${count} rows of VALUES, of ${mostValues} at most`] : [])),
  ];
}

/** Rewrites forms that SQL Server documents but the grammar lacks as forms that it has. */
const unknownForms: readonly (readonly [RegExp, string])[] = [
  [/\b(?:geography|geometry)::STGeomFromText\(/g, "geometry("],
  [/\bfetch next \(.*?\) rows only/gis, "fetch next 1 rows only"],
  [/\bdelete (t\d+) output ((?:(?! from ).)*?) from (.*? )(t\d+)\b/gis, "delete from $3"],
  [/\binsert into #\w+ \([^()]*\) exec\b/gi, "exec"],
  [/\boutput (?:(?!\binto\b)[^;])*\binto (?:[@#]\w+|\w+\.\w+) \([^()]*\)/gi, ""],
  [/\bdefault values\b/gi, "values (1)"],
  [/\badd constraint (\w+)\s+default .* for \w+$/gi, "add constraint $1 check (1 = 1)"],
  [/ with \(allow_page_locks = off\)/gi, ""],
];

function grammarProblems(text: string): readonly string[] {
  const known = unknownForms.reduce((written, [pattern, replacement]) => written.replace(pattern, replacement), text);
  try {
    parse(known, "mssql");
    return [];
  } catch (error) {
    return [`${String(error)} in ${known}`];
  }
}
