/** Rules about expressions: conditions and values, and names. */
import { reservedWords } from "./functions.ts";
import type { Rule } from "./rule.ts";
import {
  argumentsOf,
  at,
  bareExpression,
  comparisons,
  findAll,
  functionName,
  isTree,
  listAt,
  type Tree,
  textOf,
  visit,
} from "./tree.ts";

const connectives: ReadonlySet<unknown> = new Set(["And", "Or"]);
const conditionKinds: readonly string[] = [
  ...["IsNull", "IsNotNull", "InList", "InSubquery", "Exists", "Between", "Like", "AnyOp", "AllOp"],
];
const conditionFunctions: ReadonlySet<string> = new Set(["update", "contains", "freetext", "regexp_like"]);
const expressionKinds: ReadonlySet<string> = new Set([
  ...conditionKinds,
  ...["BinaryOp", "UnaryOp", "Value", "Identifier", "CompoundIdentifier", "Function", "Cast", "Convert", "Case"],
  ...["Subquery", "Collate"],
]);

function isCondition(expression: unknown): boolean {
  const bare = bareExpression(expression);
  if (!isTree(bare)) return false;
  const operator = at(bare, "BinaryOp", "op");
  return (
    comparisons.has(operator) ||
    connectives.has(operator) ||
    at(bare, "UnaryOp", "op") === "Not" ||
    conditionKinds.some((kind) => kind in bare) ||
    conditionFunctions.has(functionName(bare.Function))
  );
}

/** Returns the expressions that must be conditions: those of WHERE, HAVING, ON, CASE, IF, `iif`, AND, OR and NOT. */
function conditionsOf(trees: unknown): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  const add = (...expressions: readonly unknown[]): void => {
    for (const expression of expressions) if (isTree(expression)) found.add(bareExpression(expression));
  };
  visit(trees, (kind, below) => {
    if (["selection", "having", "On", "predicate", "Check"].includes(kind)) add(at(below, "expr") ?? below);
    if (kind === "Case" && !at(below, "operand")) add(...listAt(below, "conditions").map((c) => at(c, "condition")));
    if (["if_block", "while_block"].includes(kind)) add(at(below, "condition"));
    if (kind === "Function" && functionName(below) === "iif") add(argumentsOf(below)[0]);
    if (kind === "BinaryOp" && connectives.has(at(below, "op"))) add(at(below, "left"), at(below, "right"));
    if (kind === "UnaryOp" && at(below, "op") === "Not") add(at(below, "expr"));
    return true;
  });
  return found;
}

/** Returns the expressions of a statement, without names of functions and tables. */
function expressionsOf(trees: unknown): readonly Tree[] {
  const found: Tree[] = [];
  visit(trees, (kind, _, holder) => {
    if (expressionKinds.has(kind) && Object.keys(holder).length === 1) found.push(holder);
    return kind !== "name" && kind !== "Execute";
  });
  return found;
}

/** Returns identifiers without brackets, except names of functions and variables. */
function plainNames(trees: unknown): readonly string[] {
  const found: string[] = [];
  visit(trees, (kind, below, holder) => {
    if (kind === "Value" || kind === "with_hints" || (kind === "name" && "uses_odbc_syntax" in holder)) return false;
    if (kind === "value" && typeof below === "string" && "span" in holder && !holder.quote_style) found.push(below);
    return true;
  });
  return found;
}

/** Returns the deepest nesting of CASE and `iif`. */
function deepestCase(value: unknown): number {
  let deepest = 0;
  visit(value, (kind, below) => {
    const isCase = kind === "Case" || (kind === "Function" && functionName(below) === "iif");
    if (!isCase) return true;
    deepest = Math.max(deepest, 1 + deepestCase(below));
    return false;
  });
  return deepest;
}

const isNull = (value: unknown): boolean => at(bareExpression(value), "Value", "value") === "Null";

export const expressionRules: readonly Rule[] = [
  {
    what: "a condition is no value",
    error: 102,
    fails: [
      "select a = 1 and b = 2 as x from t",
      "select iif(1 = 1, a is null, 0) as x from t",
      "select 1 as x from t order by not a = 1",
    ],
    passes: ["select iif(a = 1 and b = 2, 1, 0) as x from t", "select case when a is null then 1 end as x from t"],
    find: ({ trees }) => {
      const conditions = conditionsOf(trees);
      return expressionsOf(trees)
        .filter((expression) => isCondition(expression) && !conditions.has(expression))
        .map(textOf);
    },
  },
  {
    what: "a value is no condition",
    error: 4145,
    fails: [
      "select 1 as x from t where a",
      "select iif(a, 1, 0) as x from t",
      "select 1 as x from t where not @p1 or b = 1",
    ],
    passes: ["select 1 as x from t where a = 1 or exists (select 1 from u)"],
    find: ({ trees }) => [...conditionsOf(trees)].filter((expression) => !isCondition(expression)).map(textOf),
  },
  {
    what: "a list in parentheses is no value",
    error: 4145,
    fails: ["select 1 as x from t where (a, b) = (1, 2)"],
    passes: ["select 1 as x from t where a = 1 and b = 2"],
    find: ({ trees }) => findAll(trees, "Tuple").map(textOf),
  },
  {
    what: "CASE or iif nested more than 10 levels deep",
    error: 125,
    fails: [`select ${"iif(a = 1, ".repeat(11)}1${", 0)".repeat(11)} as x from t`],
    passes: [`select ${"iif(a = 1, ".repeat(10)}1${", 0)".repeat(10)} as x from t`],
    find: ({ trees }) => (deepestCase(trees) > 10 ? [String(deepestCase(trees))] : []),
  },
  {
    what: "CASE or coalesce whose results are all NULL",
    error: 8133,
    fails: [
      "select case when a = 1 then null end as x from t",
      "select coalesce(null, null) as x from t",
      "select iif(a = 1, null, null) as x from t",
    ],
    passes: ["select case when a = 1 then null else 0 end as x from t"],
    find: ({ trees }) =>
      [
        ...findAll(trees, "Case").filter((node) =>
          [...listAt(node, "conditions").map((c) => at(c, "result")), at(node, "else_result")]
            .filter((result) => result !== undefined && result !== null)
            .every(isNull),
        ),
        ...findAll(trees, "Function").filter((call) => {
          const values = functionName(call) === "iif" ? argumentsOf(call).slice(1) : argumentsOf(call);
          return ["coalesce", "iif"].includes(functionName(call)) && values.every(isNull);
        }),
      ].map(textOf),
  },
  {
    what: "a reserved word without brackets",
    error: 156,
    fails: ["select t.key from t", "select a as percent from t", "select a from t plan"],
    passes: ["select p.[key], a as [percent], left(b, 1) as c from t p"],
    find: ({ trees }) =>
      plainNames(trees).filter((name) => reservedWords.has(name.toLowerCase()) && name.toLowerCase() !== "default"),
  },
  {
    what: "a qualifier that no FROM declares",
    error: 4104,
    fails: ["select u.a from t", "select t.a from t join (select v.b from v where v.a = t.a) k on 1 = 1"],
    passes: ["select t.a from t cross apply (select v.b from v where v.a = t.a) k", "update k set a = 1 from t k"],
    find: ({ unbound }) => unbound,
  },
];
