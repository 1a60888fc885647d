/** Rules about words: mainly habits of PostgreSQL that the grammar accepts. */
import { type Rule, textRule } from "./rule.ts";

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

export const textRules: readonly Rule[] = [
  textRule({
    what: "|| joins no texts",
    error: 102,
    fails: ["select a || b as x from t"],
    passes: ["select concat(a, b) as x from t"],
    pattern: /\|\|/,
  }),
  textRule({
    what: ":: is no cast",
    error: 102,
    fails: ["select a::int as x from t"],
    passes: ["select geometry::STGeomFromText(@p1, 0) as x from t"],
    pattern: /::(?!STGeomFromText)/,
  }),
  textRule({
    what: "a quoted name of PostgreSQL",
    fails: ['select "a" from t'],
    passes: ["select [a] from t"],
    pattern: /"/,
  }),
  textRule({
    what: "a parameter of PostgreSQL",
    error: 126,
    fails: ["select 1 as x from t where a = $1"],
    passes: ["select 1 as x from t where a = @p1"],
    pattern: /\$\d/,
  }),
  textRule({
    what: "true and false are no values",
    error: 207,
    fails: ["select 1 as x from t where a = true"],
    passes: ["select 1 as x from t where a = 1"],
    pattern: /\b(?:true|false)\b/i,
  }),
  textRule({
    what: "a clause of PostgreSQL",
    error: 102,
    fails: [
      "select a from t limit 1",
      "select a from t order by a nulls first",
      "select a from t where a is distinct from b",
    ],
    passes: ["select top (1) a from t"],
    pattern:
      /\b(?:limit|lateral|returning|ilike|nulls (?:first|last)|distinct on|filter \(where|is (?:not )?distinct from)\b/i,
  }),
  textRule({
    what: "a clause that level 150 lacks",
    error: 102,
    fails: ["select trim(leading ' ' from a) as x from t", "select sum(a) over w as x from t window w as (order by b)"],
    passes: ["select ltrim(a) as x from t"],
    pattern: /\bwindow \w+ as \(|\btrim\s*\(\s*(?:leading|trailing|both)\b/i,
  }),
  textRule({
    what: "coalesce evaluates a sub-query twice",
    fails: ["select coalesce((select a from t for json path), N'[]') as x"],
    passes: ["select isnull((select a from t for json path), N'[]') as x"],
    pattern: /coalesce\s*\(\s*\(\s*select/i,
  }),
  textRule({
    what: "the key of OPENJSON, whose collation is binary, in a text with other columns",
    error: 451,
    fails: ["select concat(string_escape(i.[key], N'json'), i.[value]) as x from openjson(@p1) i"],
    passes: [
      "select concat(string_escape(i.[key] collate database_default, N'json'), i.[value]) as x from openjson(@p1) i",
    ],
    pattern: /string_escape\(\w+\.q_key\s*,/i,
  }),
  {
    what: "FETCH NEXT may be 0",
    error: 10744,
    fails: ["select a from t order by a offset 0 rows fetch next (@p1) rows only"],
    passes: [
      "select a from t order by a offset 0 rows fetch next (1) rows only",
      "select a from t order by a offset 0 rows fetch next (iif(@p1 = 0, 1, @p1)) rows only",
    ],
    find: ({ bare }) =>
      inParenthesesAfter(bare, /\bfetch next \(/gi).filter(
        (count) => !/^[1-9]\d*$/.test(count) && !/^iif\(.* = 0, 1, .*\)$/.test(count),
      ),
  },
];
