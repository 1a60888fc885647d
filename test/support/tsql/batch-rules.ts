/** Rules about statements that change rows, and about batches: variables, temporary tables, parameters, calls. */
import { type Rule, textRule, withoutTexts } from "./rule.ts";
import { at, findAll, listAt, textOf } from "./tree.ts";

const mostParameters = 2100;
const mostRows = 1000;
const longestName = 128;

const words = (values: readonly unknown[]): readonly string[] => values.map((value) => String(at(value, "value")));
const repeated = (names: readonly string[]): readonly string[] => names.filter((name, i) => names.indexOf(name) < i);

const insertColumns = (insert: unknown): readonly unknown[] => listAt(insert, "columns");
const rowsOf = (insert: unknown): readonly (readonly unknown[])[] =>
  listAt(insert, "source", "body", "Values", "rows").map((row) => listAt(row, "content"));

/** Returns the numbers of values that an INSERT gives its columns; none if it inserts `*`. */
function insertedCounts(insert: unknown): readonly number[] {
  const projection = listAt(insert, "source", "body", "Select", "projection");
  const hasStar = projection.some((column) => at(column, "Wildcard") || at(column, "QualifiedWildcard"));
  return [
    ...rowsOf(insert).map(({ length }) => length),
    ...(projection.length > 0 && !hasStar ? [projection.length] : []),
  ];
}

/** Returns true if a procedure or THROW takes the expression: a constant or a variable. */
function isPlain(argument: unknown): boolean {
  const value = at(argument, "UnaryOp", "expr") ?? argument;
  const name = String(at(value, "Identifier", "value") ?? "");
  return at(value, "Value") !== undefined || name.startsWith("@") || /^\w+$/.test(name);
}

const isNamed = (argument: unknown): boolean =>
  String(at(argument, "BinaryOp", "left", "Identifier", "value")).startsWith("@");

/** Returns the names of parameters in calls, which are no variables. */
const namedArguments = (trees: unknown): readonly unknown[] =>
  findAll(trees, "Execute").flatMap((call) =>
    listAt(call, "parameters")
      .filter(isNamed)
      .map((argument) => at(argument, "BinaryOp", "left", "Identifier")),
  );

function undeclared(trees: unknown): readonly string[] {
  const declared = new Set(
    findAll(trees, "Declare").flatMap((node) => listAt(node, "stmts").flatMap((s) => words(listAt(s, "names")))),
  );
  const named = namedArguments(trees);
  const used = findAll(trees, "Identifier").filter((name) => !named.includes(name));
  return words(used).filter((name) => /^@(?!@|p\d+$)/.test(name) && !declared.has(name));
}

/** Splits a list at commas outside parentheses. */
function partsOf(list: string): readonly string[] {
  let depth = 0;
  const parts = [""];
  for (const character of list) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

const outputs = /\boutput ((?:(?!\binto\b|\boutput\b)[^;])*)\binto (?:[@#]\w+|\w+\.\w+) \(([^()]*)\)/gi;

export const batchRules: readonly Rule[] = [
  {
    what: "an INSERT whose columns and values differ in number",
    error: 109,
    fails: ["insert into t (a, b) values (1)", "insert into t (a) select 1, 2"],
    passes: ["insert into t (a, b) values (1, 2), (3, default)", "insert into t (a) select 1"],
    find: ({ trees }) =>
      findAll(trees, "Insert").flatMap((insert) => {
        const columns = insertColumns(insert).length;
        return columns === 0
          ? []
          : insertedCounts(insert)
              .filter((count) => count !== columns)
              .map(String);
      }),
  },
  {
    what: "a column that is set twice",
    error: 264,
    fails: ["insert into t (a, a) values (1, 2)", "update t set a = 1, a = 2"],
    passes: ["insert into t (a, b) values (1, 2)", "update t set a = 1, b = 2"],
    find: ({ trees }) => [
      ...findAll(trees, "Insert").flatMap((insert) => repeated(insertColumns(insert).map(textOf))),
      ...findAll(trees, "assignments").flatMap((sets) =>
        repeated((Array.isArray(sets) ? sets : []).map((set) => textOf(listAt(set, "target", "ColumnName").at(-1)))),
      ),
    ],
  },
  {
    what: "an INSERT of more than 1,000 rows of VALUES",
    error: 10738,
    fails: [`insert into t (a) values ${Array.from({ length: mostRows + 1 }, () => "(1)").join(", ")}`],
    passes: ["insert into t (a) values (1)"],
    find: ({ trees }) =>
      findAll(trees, "Insert").flatMap((insert) =>
        rowsOf(insert).length > mostRows ? [`${rowsOf(insert).length}`] : [],
      ),
  },
  {
    what: "OUTPUT INTO whose columns and values differ in number",
    error: 121,
    fails: ["update t set a = 1 output inserted.a into #w (a, b)"],
    passes: ["update t set a = 1 output inserted.a, isnull(deleted.b, 1) into #w (a, b)"],
    find: ({ bare }) =>
      [...bare.matchAll(outputs)].flatMap(([, values = "", columns = ""]) =>
        partsOf(values).length === partsOf(columns).length ? [] : [`${values.trim()} into (${columns})`],
      ),
  },
  {
    what: "OUTPUT with a sub-query or an aggregate",
    error: 158,
    fails: [
      "update t set a = 1 output (select 1) into #w (a)",
      "update t set a = 1 output max(inserted.a) into #w (a)",
    ],
    passes: ["update t set a = 1 output isnull(inserted.a, 1) into #w (a)"],
    find: ({ bare }) =>
      [...bare.matchAll(outputs)].flatMap(([, values = ""]) =>
        /\bselect\b|\b(?:count|sum|avg|min|max|string_agg)\s*\(/i.test(values) ? [values.trim()] : [],
      ),
  },
  textRule({
    what: "OUTPUT without INTO fails where there are triggers",
    error: 334,
    fails: ["insert into t (a) output inserted.a values (1)"],
    passes: ["insert into t (a) output inserted.a into #w (a) values (1)"],
    pattern: /\boutput (?:(?!\binto\b)[^;])*(?:;|$)/i,
  }),
  textRule({
    what: "MERGE has races",
    fails: ["merge into t using u on t.a = u.a when matched then update set b = 1;"],
    passes: ["update k set b = 1 from t k join u on k.a = u.a"],
    pattern: /\bmerge\b/i,
  }),
  {
    what: "a variable that is not declared",
    error: 137,
    fails: ["select @x as x", "set @x = 1"],
    passes: ["declare @x int = 1; select @x + @p1 as x, @@rowcount as y"],
    find: ({ trees }) => undeclared(trees),
  },
  {
    what: "a variable that is declared twice",
    error: 134,
    fails: ["declare @x int; declare @x int"],
    passes: ["declare @x int, @y int"],
    find: ({ trees }) =>
      repeated(
        findAll(trees, "Declare").flatMap((node) => listAt(node, "stmts").flatMap((s) => words(listAt(s, "names")))),
      ),
  },
  {
    what: "a temporary table that is created twice in a batch",
    error: 2714,
    fails: ["select 1 as a into #w from t; drop table #w; select 1 as a into #w from t"],
    passes: ["select 1 as a into #w from t; update t set a = 1 output inserted.a into #w from t"],
    find: ({ selects, trees }) =>
      repeated(
        [...selects.map(({ select }) => at(select, "into")), ...findAll(trees, "CreateTable")].flatMap((table) =>
          words(listAt(table, "name").map((name) => at(name, "Identifier"))).filter((name) => name.startsWith("#")),
        ),
      ),
  },
  {
    what: "more than 2,100 parameters",
    error: 8003,
    fails: [
      `select 1 as x from t where a in (${Array.from({ length: mostParameters + 1 }, (_, i) => `@p${i + 1}`).join(", ")})`,
    ],
    passes: ["select 1 as x from t where a = @p2100"],
    find: ({ bare }) => {
      const { size } = new Set(Array.from(bare.matchAll(/@p\d+/g), ([name]) => name));
      return size > mostParameters ? [`${size}`] : [];
    },
  },
  {
    what: "an argument of a procedure or of THROW that is an expression",
    error: 102,
    fails: ["exec dbo.p @a = @p1, @b = isnull(@p2, 1)", "begin throw 50001, concat(N'a', N'b'), 1; end"],
    passes: ["exec dbo.p @a = @p1, @b = N'x', @c = default", "begin throw 50001, N'a', 1; end"],
    find: ({ trees }) => [
      ...findAll(trees, "Execute").flatMap((call) =>
        listAt(call, "parameters")
          .map((argument) => (isNamed(argument) ? at(argument, "BinaryOp", "right") : argument))
          .filter((argument) => !isPlain(argument))
          .map(textOf),
      ),
      ...findAll(trees, "Throw").flatMap((node) =>
        [at(node, "error_number"), at(node, "message"), at(node, "state")]
          .filter((argument) => argument !== undefined && argument !== null && !isPlain(argument))
          .map(textOf),
      ),
    ],
  },
  {
    what: "THROW with a number below 50000 or a message longer than 2,048 characters",
    error: 35100,
    fails: ["begin throw 40001, N'a', 1; end"],
    passes: ["begin throw 50001, N'a', 1; end"],
    find: ({ trees }) =>
      findAll(trees, "Throw").flatMap((node) => {
        const number = Number(listAt(node, "error_number", "Value", "value", "Number")[0] ?? 50_000);
        const message = String(at(node, "message", "Value", "value", "NationalStringLiteral") ?? "");
        return number < 50_000 || message.length > 2048 ? [`${number} ${message}`] : [];
      }),
  },
  textRule({
    what: "THROW needs a ; or BEGIN before it",
    error: 102,
    fails: ["if 1 = 1 throw 50001, N'a', 1"],
    passes: ["if 1 = 1 begin throw 50001, N'a', 1; end"],
    pattern: /(?<!begin )\bthrow\b/i,
  }),
  textRule({
    what: "WITH needs a ; before it",
    error: 319,
    fails: ["declare @x int = 1 with k as (select 1 as a) select k.a from k"],
    passes: ["declare @x int = 1; with k as (select 1 as a) select k.a from k"],
    pattern: /(?:^|[^;(\s,])\s+with \w+ as \(/i,
  }),
  {
    what: "INSERT … EXEC in INSERT … EXEC",
    error: 8164,
    fails: ["insert into #a (x) exec sp_executesql N'insert into #b (x) exec dbo.p; select x from #b'"],
    passes: ["insert into #a (x) exec sp_executesql N'exec dbo.p'"],
    find: ({ text, bare }) =>
      /\binsert into \S+ \([^()]*\) exec\b/i.test(bare)
        ? Array.from(text.matchAll(/'((?:[^']|'')*)'/g), ([, inner = ""]) => inner.replaceAll("''", "'")).filter(
            (inner) => /\binsert into \S+ \([^()]*\) exec\b/i.test(withoutTexts(inner)),
          )
        : [],
  },
  {
    what: "a name longer than 128 characters",
    error: 103,
    fails: [`select a as [${"x".repeat(longestName + 1)}] from t`],
    passes: [`select a as [${"x".repeat(longestName)}] from t`],
    find: ({ text }) =>
      Array.from(text.replace(/'(?:[^']|'')*'/g, "''").matchAll(/\[((?:[^\]]|\]\])*)\]/g), ([, name = ""]) =>
        name.replaceAll("]]", "]"),
      ).filter((name) => name.length > longestName),
  },
];
