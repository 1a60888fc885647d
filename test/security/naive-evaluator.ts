/** Select permissions, filters and queries evaluated on plain objects, as slowly and plainly as possible. */

export type Row = Readonly<Record<string, unknown>>;
/** Rows of each table; row `i` of table `t` may refer to a row of table `t - 1` by its `up`. */
export type Model = readonly (readonly Row[])[];
export type Filter = Readonly<Record<string, unknown>>;

export interface Permission {
  readonly columns: readonly string[];
  readonly filter: Filter;
  readonly limit: number | undefined;
  readonly aggregations: boolean;
}

export interface Question {
  readonly columns: readonly string[];
  readonly where: Filter;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly aggregate: boolean;
  readonly nested: Readonly<Record<string, Question>>;
}

/** What a role may read of a table: by a permission of its own, or by those of its parents. */
export type Grant = Permission | { readonly parents: readonly Grant[] };

export interface World {
  readonly model: Model;
  readonly granted: readonly (Grant | undefined)[];
  readonly session: Readonly<Record<string, string>>;
}

/** True, false, or unknown. */
type Truth = boolean | null;

const not = (a: Truth): Truth => (a === null ? null : !a);
const and = (all: readonly Truth[]): Truth => (all.includes(false) ? false : all.includes(null) ? null : true);
const or = (all: readonly Truth[]): Truth => not(and(all.map(not)));

/** Permission expressions see every row; filters of requests see what the role sees. */
type Sight = "everything" | "granted";

function holds(world: World, table: number, row: Row, filter: Filter, sight: Sight): Truth {
  return and(
    Object.entries(filter).map(([key, inner]): Truth => {
      const items = Array.isArray(inner) ? (inner as Filter[]) : [inner as Filter];
      switch (key) {
        case "_and":
          return and(items.map((item) => holds(world, table, row, item, sight)));
        case "_or":
          return or(items.map((item) => holds(world, table, row, item, sight)));
        case "_not":
          return not(holds(world, table, row, inner as Filter, sight));
        case "parent":
        case "children": {
          const [other, rows] = related(world, table, row, key);
          return rows.some(
            (candidate) =>
              (sight === "everything" || isVisible(world, other, candidate)) &&
              holds(world, other, candidate, inner as Filter, sight) === true,
          );
        }
        default:
          return and(
            Object.entries(inner as object).map(([operator, operand]) =>
              compare(
                sight === "everything" ? row[key] : cell(world, table, row, key),
                operator,
                sessionValue(world, key, operand),
              ),
            ),
          );
      }
    }),
  );
}

function sessionValue({ session }: World, column: string, operand: unknown): unknown {
  if (typeof operand !== "string" || !operand.startsWith("x-engine-")) return operand;
  return column === "n" ? Number(session[operand]) : session[operand];
}

function compare(left: unknown, operator: string, right: unknown): Truth {
  if (operator === "_is_null") return (left === null) === right;
  if (operator === "_in")
    return (right as unknown[]).length === 0 ? false : left === null ? null : (right as unknown[]).includes(left);
  if (operator === "_nin") return not(compare(left, "_in", right));
  if (left === null) return null;
  switch (operator) {
    case "_eq":
      return left === right;
    case "_neq":
      return left !== right;
    case "_gt":
      return order(left, right) > 0;
    case "_lte":
      return order(left, right) <= 0;
    default:
      throw new Error(`no such operator: ${operator}`);
  }
}

/** Text compares by bytes, as in a database with the locale C. */
function order(left: unknown, right: unknown): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
}

function related({ model }: World, table: number, row: Row, key: string): readonly [number, readonly Row[]] {
  if (key === "parent") return [table - 1, (model[table - 1] ?? []).filter((other) => other.id === row.up)];
  return [table + 1, (model[table + 1] ?? []).filter((other) => other.up === row.id)];
}

function isVisible(world: World, table: number, row: Row): boolean {
  const grant = world.granted[table];
  return grant !== undefined && givenBy(world, table, row, grant).length > 0;
}

/** The permissions that show a row. */
function givenBy(world: World, table: number, row: Row, grant: Grant): readonly Permission[] {
  if ("parents" in grant) return grant.parents.flatMap((parent) => givenBy(world, table, row, parent));
  return holds(world, table, row, grant.filter, "everything") === true ? [grant] : [];
}

/** What a role sees in a column of a row: nothing unless a permission that shows the row lists the column. */
export function cell(world: World, table: number, row: Row, column: string): unknown {
  const grant = world.granted[table];
  const givers = grant ? givenBy(world, table, row, grant) : [];
  return givers.some(({ columns }) => columns.includes(column)) ? row[column] : null;
}

/** All columns that a role may name. */
export function columnsOf(grant: Grant | undefined): readonly string[] {
  if (grant === undefined) return [];
  return "parents" in grant ? [...new Set(grant.parents.flatMap(columnsOf))] : grant.columns;
}

export function mayAggregate(grant: Grant | undefined): boolean {
  if (grant === undefined) return false;
  return "parents" in grant ? grant.parents.some(mayAggregate) : grant.aggregations;
}

/** The largest limit of those that have one. */
function limitOf(grant: Grant | undefined): number | undefined {
  if (grant === undefined || !("parents" in grant)) return grant?.limit;
  const limits = grant.parents.map(limitOf).filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.max(...limits);
}

function list(world: World, table: number, candidates: readonly Row[], asked: Question): unknown {
  const found = candidates.filter(
    (row) => isVisible(world, table, row) && holds(world, table, row, asked.where, "granted") === true,
  );
  const start = asked.offset ?? 0;
  const paged = found.slice(start, asked.limit === undefined ? undefined : start + asked.limit);
  const permitted = limitOf(world.granted[table]);
  const nodes = paged.slice(0, permitted).map((row) => shapeRow(world, table, row, asked));
  if (!asked.aggregate) return nodes;
  const values = (column: string) =>
    paged.map((row) => cell(world, table, row, column)).filter((value) => value !== null);
  const largest = asked.columns.includes("n") ? { max: { n: maximum(values("n") as number[]) } } : {};
  const counts = Object.fromEntries(asked.columns.map((column) => [`count_${column}`, values(column).length]));
  return { aggregate: { count: paged.length, ...largest, ...counts }, nodes };
}

function shapeRow(world: World, table: number, row: Row, asked: Question): Row {
  const shaped: Record<string, unknown> = Object.fromEntries(
    asked.columns.map((column) => [column, cell(world, table, row, column)]),
  );
  for (const [relation, inner] of Object.entries(asked.nested)) {
    const [other, rows] = related(world, table, row, relation);
    if (relation === "parent") {
      const [parent] = rows.filter((candidate) => isVisible(world, other, candidate));
      shaped.parent = parent ? shapeRow(world, other, parent, inner) : null;
    } else {
      shaped[inner.aggregate ? "children_aggregate" : "children"] = list(world, other, rows, inner);
    }
  }
  return shaped;
}

const maximum = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.max(...values));

/** The answer to a list of a table, ordered by key. */
export function answerNaively(world: World, table: number, asked: Question): unknown {
  return list(world, table, world.model[table] ?? [], asked);
}
