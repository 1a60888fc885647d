/** Finds each SELECT of a statement, with the tables that it can name. */
import { at, isTree, listAt, type Tree, visit } from "./tree.ts";

/** Where a SELECT occurs. */
type Place = "statement" | "insert" | "derived" | "cte" | "scalar" | "exists" | "in";

export interface SelectNode {
  readonly select: Tree;
  /** Its query, which has ORDER BY, OFFSET and FOR; null in the arms of UNION and similar. */
  readonly query: Tree | null;
  readonly place: Place;
  /** Set if names of its columns are listed after its alias. */
  readonly hasColumnList: boolean;
  /** Names in its FROM, in order; a derived table without an alias has an empty one. */
  readonly own: readonly string[];
  /** Number of SELECTs around it. */
  readonly depth: number;
}

interface QueryNode {
  readonly query: Tree;
  readonly place: Place;
}

export interface Selects {
  readonly selects: readonly SelectNode[];
  readonly queries: readonly QueryNode[];
  /** Qualifiers of columns that no enclosing FROM declares. */
  readonly unbound: readonly string[];
}

interface Context {
  readonly names: readonly string[];
  readonly depth: number;
}

/** Sides of a join that see the tables before them. */
const applies: ReadonlySet<unknown> = new Set(["CrossApply", "OuterApply"]);

const nameAt = (value: unknown, ...path: readonly string[]): string => String(at(value, ...path, "value") ?? "");

export function readSelects(statements: unknown): Selects {
  const selects: SelectNode[] = [];
  const queries: QueryNode[] = [];
  const unbound: string[] = [];

  function scan(value: unknown, context: Context): void {
    visit({ value }, (kind, below) => {
      const nested = { ...context, depth: context.depth + 1 };
      if (kind === "Subquery") readQuery(below, "scalar", nested);
      else if (kind === "Query") readQuery(below, "statement", context);
      else if (kind === "Exists") readQuery(at(below, "subquery"), "exists", nested);
      else if (kind === "InSubquery") {
        scan(at(below, "expr"), context);
        readQuery(at(below, "subquery"), "in", nested);
      } else if (kind === "Update") readUpdate(below, context);
      else if (kind === "Delete") readDelete(below, context);
      else if (kind === "Insert") {
        if (at(below, "source")) readQuery(at(below, "source"), "insert", context);
      } else {
        if (kind === "CompoundIdentifier") readReference(below, context);
        return true;
      }
      return false;
    });
  }

  function readReference(parts: unknown, { names }: Context): void {
    const [qualifier, , third] = Array.isArray(parts) ? parts : [];
    if (third === undefined && !names.includes(nameAt(qualifier))) unbound.push(nameAt(qualifier));
  }

  function readQuery(query: unknown, place: Place, context: Context, hasColumnList = false): void {
    if (!isTree(query)) return;
    queries.push({ query, place });
    for (const cte of listAt(query, "with", "cte_tables")) {
      const listed = listAt(cte, "alias", "columns").length > 0;
      readQuery(at(cte, "query"), "cte", { names: [], depth: context.depth + 1 }, listed);
    }
    const own = readBody(query.body, query, place, context, hasColumnList);
    scan([query.order_by, query.limit_clause, query.fetch], { ...context, names: [...context.names, ...own] });
  }

  /** Returns the names in the FROM of the body, if it is a SELECT. */
  function readBody(
    body: unknown,
    query: Tree | null,
    place: Place,
    context: Context,
    hasColumnList: boolean,
  ): readonly string[] {
    const select = at(body, "Select");
    if (isTree(select)) {
      const own = readFrom(listAt(select, "from"), context);
      selects.push({ select, query, place, hasColumnList, own, depth: context.depth });
      const { projection, selection, group_by, having, top } = select;
      scan([projection, selection, group_by, having, top], { ...context, names: [...context.names, ...own] });
      return own;
    }
    const union = at(body, "SetOperation");
    if (union) {
      for (const arm of [at(union, "left"), at(union, "right")]) readBody(arm, null, place, context, hasColumnList);
    } else if (at(body, "Query")) readQuery(at(body, "Query"), place, context, hasColumnList);
    else scan(body, context);
    return [];
  }

  /** Returns the names that a FROM declares. A table function or a derived table sees tables before it only in APPLY. */
  function readFrom(items: readonly unknown[], context: Context): readonly string[] {
    return items.flatMap((item) => {
      const names = [...readRelation(at(item, "relation"), context)];
      for (const join of listAt(item, "joins")) {
        const before = { ...context, names: [...context.names, ...names] };
        names.push(...readRelation(at(join, "relation"), applies.has(at(join, "join_operator")) ? before : context));
        scan(at(join, "join_operator"), { ...context, names: [...context.names, ...names] });
      }
      return names;
    });
  }

  function readRelation(relation: unknown, context: Context): readonly string[] {
    const [[kind = "", content] = []] = Object.entries(isTree(relation) ? relation : {});
    const alias = nameAt(content, "alias", "name");
    if (kind === "Derived") {
      const listed = listAt(content, "alias", "columns").length > 0;
      readQuery(at(content, "subquery"), "derived", { ...context, depth: context.depth + 1 }, listed);
    } else if (kind === "NestedJoin") return readFrom([at(content, "table_with_joins")], context);
    else scan(isTree(content) ? { ...content, name: undefined } : content, context);
    const name = alias || nameAt(listAt(content, "name").at(-1), "Identifier");
    return name !== "" || kind === "Derived" ? [name] : [];
  }

  function readUpdate(update: unknown, context: Context): void {
    const [from = []] = Object.values(isTree(at(update, "from")) ? (at(update, "from") as Tree) : {});
    const names = readFrom(Array.isArray(from) ? from : [], context);
    const all = [...context.names, ...names, ...readFrom([at(update, "table")], context)];
    scan([listAt(update, "assignments").map((set) => at(set, "value")), at(update, "selection")], {
      ...context,
      names: all,
    });
  }

  function readDelete(statement: unknown, context: Context): void {
    const items = listAt(statement, "from", "WithFromKeyword");
    const names = readFrom(items, context);
    scan(at(statement, "selection"), { ...context, names: [...context.names, ...names] });
  }

  scan(statements, { names: [], depth: 0 });
  return { selects, queries, unbound };
}

/** Returns the name of a column of a SELECT; `*` is a name too, and undefined means that it has none. */
export function columnName(item: unknown): string | undefined {
  if (at(item, "Wildcard") || at(item, "QualifiedWildcard")) return "*";
  const alias = at(item, "ExprWithAlias", "alias", "value");
  if (alias !== undefined) return String(alias);
  const expression = at(item, "UnnamedExpr");
  const name = at(expression, "Identifier", "value") ?? at(listAt(expression, "CompoundIdentifier").at(-1), "value");
  return typeof name === "string" && !name.startsWith("@") ? name : undefined;
}

export const columnExpression = (item: unknown): unknown =>
  at(item, "ExprWithAlias", "expr") ?? at(item, "UnnamedExpr");

/** Returns true if the SELECT assigns to variables. */
export const isAssignment = (item: unknown): boolean => columnName(item)?.startsWith("@") ?? false;

export const columnsOf = ({ select }: SelectNode): readonly unknown[] => listAt(select, "projection");

/** Returns a search of each SELECT. */
export const inSelects =
  (find: (node: SelectNode) => readonly (string | false | undefined)[]) =>
  ({ selects }: Selects): readonly string[] =>
    selects.flatMap((node) => find(node).filter((found) => typeof found === "string"));
