/**
 * Checks T-SQL without a server: a grammar of T-SQL, and rules for what PostgreSQL-minded code slips in and SQL Server
 * rejects. A statement that passes is plausible; `npm run mssql:check` runs it on a real server.
 */
import { init, parse } from "@guanmingchiu/sqlparser-ts";

await init();

/** What is wrong with a statement, or with a batch of them; empty: nothing that can be seen. */
export function problemsOfTsql(text: string): readonly string[] {
  const bare = withoutTexts(text);
  return [
    ...rules.flatMap(({ what, pattern }) => (pattern.test(bare) ? [what] : [])),
    ...orderProblems(bare),
    ...derivedTables(bare).flatMap(columnProblems),
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

/** The text with its constants, comments and quoted names emptied, so that rules see SQL alone. */
function withoutTexts(text: string): string {
  return text
    .replace(/--[^\n]*/g, "")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\[(?:[^\]]|\]\])*\]/g, "[x]");
}

/** ORDER BY needs TOP, OFFSET, FOR JSON or FOR XML at its own level, except in the outermost SELECT, windows and INSERT … SELECT. */
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
    return problems;
  });
}

/** What stands in the parentheses of each derived table, with other parentheses in it emptied. */
function derivedTables(bare: string): readonly string[] {
  const marked = bare.replace(/\b(from|join|apply)\s*\(\s*(select\b)/gi, "$1 (derived $2");
  return levels(marked).flatMap(({ own }) => (own.startsWith("derived ") ? [own.slice("derived ".length)] : []));
}

/** Columns of a derived table have names, each its own. */
function columnProblems(table: string): readonly string[] {
  const [, list = ""] = /^select (?:top \(\) )?(.*?) (?:from|into) /is.exec(`${table} from `) ?? [];
  const names = list
    .split(",")
    .map((column) => /(?: as |\.|^\s*)(\w+|\*)\s*$/.exec(column.replaceAll("[x]", "x_"))?.[1]);
  const named = names.filter((name) => name !== undefined && name !== "*" && name !== "x_");
  return [
    ...(names.includes(undefined) ? [`an unnamed column of a derived table: ${table}`] : []),
    ...(new Set(named).size < named.length ? [`duplicate columns of a derived table: ${table}`] : []),
  ];
}

/** The text of each pair of parentheses without that of the pairs inside it, and the text outside of all. */
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

/** Forms that SQL Server documents and the grammar does not know, as forms that it knows. */
const unknownForms: readonly (readonly [RegExp, string])[] = [
  [/\b(?:geography|geometry)::STGeomFromText\(/g, "geometry("],
  [/\bfetch next \((?:[^()]|\([^()]*(?:\([^()]*\)[^()]*)*\))*\) rows only/gi, "fetch next 1 rows only"],
  [/\bdelete (t\d+) output ((?:(?! from ).)*?) from (.*? )(t\d+)\b/gis, "delete from $3"],
  [/\binsert into #\w+ \([^()]*\) exec\b/gi, "exec"],
  [
    /\boutput (?:(?:(?:inserted|deleted)\.\w+|cast\(hashbytes\('SHA2_256', inserted\.\w+\) as binary\(32\)\))(?:, )?)+\s+into (?:@\w+|\w+\.\w+) \([^()]*\)/gi,
    "",
  ],
  [/\bdefault values\b/gi, "values (1)"],
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
