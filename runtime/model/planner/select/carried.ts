/** Values of rows for an aggregation around them, as columns of a derived table. */
import { EngineError } from "../../../values/errors.ts";
import { type Alias, type Column, columnValue } from "../../definitions/column.ts";
import type { ComputedValue } from "../../definitions/function.ts";
import type { PercentileDialect, RankedValue } from "../../definitions/group-dialect.ts";
import { joinSql, render, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { Input } from "../request/input.ts";
import type { SelectedField } from "../request/selected-field.ts";
import { valueOfField } from "./call.ts";
import type { BuildContext } from "./context.ts";
import { orderBy, orderItems } from "./order.ts";
import type { Scope } from "./scope.ts";
import { condition } from "./where.ts";

/** Arguments of aggregates, as columns for the outer aggregation. */
export interface AggregatedValues {
  column(column: Column): Sql;
  computed(computed: ComputedValue, field: SelectedField): Sql;
  /** Returns the number of each row in the `order_by` of an aggregate; `undefined` without one. */
  orderOf(call: Pick<SelectedField, "args" | "path">): Sql | undefined;
  /** Returns a column with its rank among the aggregated rows of a group. */
  ranked(column: Column, percentile: Ranking): RankedValue;
  /** 1 in the rows that are aggregated; absent: all rows are. */
  readonly flag?: Sql | undefined;
}

type Ranking = Pick<Extract<PercentileDialect, { callRanked: unknown }>, "rank">;

/** Returns an aggregate of values in the rows with the flag. */
export const aggregateOf = <Value extends { readonly value: Sql }>(
  aggregate: (values: readonly Value[]) => Sql,
  values: readonly Value[],
  { flag }: Pick<AggregatedValues, "flag">,
  { dialect }: BuildContext,
): Sql => (flag ? dialect.groups.aggregateWhere(aggregate, values, flag) : aggregate(values));

interface RankColumns extends Ranking {
  readonly value: Sql;
  readonly names: readonly [rank: Sql, count: Sql];
}

export class Carried implements AggregatedValues {
  /** Alias of the derived table. */
  readonly rows: Alias;
  readonly #scope: Scope;
  readonly #context: BuildContext;
  /** Key of the first order. */
  #position: string | undefined;
  /** Ranks by the text of the value. */
  readonly #ranks = new Map<string, RankColumns>();
  readonly #entries = new Map<string | ComputedValue, { readonly name: Sql; readonly value: Sql }>();

  /** @param scope scope of the inner rows */
  constructor(rows: Alias, scope: Scope, context: BuildContext) {
    this.rows = rows;
    this.#scope = scope;
    this.#context = context;
  }

  /** Returns the column with this key, which is added if it is new. */
  carry(key: string | ComputedValue, value: () => Sql): Sql {
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = { name: verbatim(`c${this.#entries.size + 1}`), value: value() };
      this.#entries.set(key, entry);
    }
    return sql`${this.rows}.${entry.name}`;
  }

  column(column: Column): Sql {
    return this.carry(`column ${column.sql}`, () => columnValue(column, this.#scope.alias, this.#context.session));
  }

  computed(computed: ComputedValue, field: SelectedField): Sql {
    // Calls with arguments may return different values.
    const key = field.args.size === 0 ? computed : `computed ${this.#entries.size}`;
    return this.carry(key, () => valueOfField(computed, field, this.#context, this.#scope.alias));
  }

  ranked(column: Column, percentile: Ranking): RankedValue {
    return this.#rankOf(this.column(column), percentile);
  }

  /** @param value column of the derived table, or an expression of its columns */
  #rankOf(value: Sql, { rank }: Ranking): RankedValue {
    const { text } = render(value, this.#context.dialect);
    let found = this.#ranks.get(text);
    if (!found) {
      const number = this.#ranks.size + 1;
      found = { value, names: [verbatim(`p${number}`), verbatim(`q${number}`)], rank };
      this.#ranks.set(text, found);
    }
    const [place, count] = found.names;
    return { value, rank: sql`${this.rows}.${place}`, count: sql`${this.rows}.${count}` };
  }

  /**
   * Adds the ranks of values to rows with the columns of the derived table.
   * @param keys columns by which the rows are grouped
   */
  withRanks(rows: Sql, keys: readonly Sql[]): Sql {
    if (this.#ranks.size === 0) return rows;
    const columns = [...this.#ranks.values()].flatMap(({ value, names, rank }) => {
      const ranked = rank(value, keys);
      return [sql`${ranked.rank} as ${names[0]}`, sql`${ranked.count} as ${names[1]}`];
    });
    return sql`select ${this.rows}.*, ${joinSql(columns, ", ")} from (${rows}) ${this.rows}`;
  }

  orderOf({ args, path }: Pick<SelectedField, "args" | "path">): Sql | undefined {
    const { naming, dialect } = this.#scope.view.table.source;
    const given = args.get(naming.field("order_by"));
    if (!given) return undefined;
    const items = orderBy(orderItems(given, this.#scope, this.#context), this.#context);
    return items.length === 0 ? undefined : this.position(dialect.rowNumber(items), path);
  }

  /**
   * Returns the column with the number of each row, which orders an aggregate.
   * @throws EngineError `not-supported` for a second order, if the database does not support several
   */
  position(number: Sql, path: string): Sql {
    const { text, slots } = render(number, this.#context.dialect);
    const key = [`position ${text}`, ...slots.map((slot) => slot.key)].join(" ");
    this.#position ??= key;
    const { severalOrders } = this.#context.dialect.groups;
    if (this.#position !== key && severalOrders) throw new EngineError("not-supported", path, severalOrders);
    return this.carry(key, () => number);
  }

  /**
   * Returns the values with a flag for the rows that a filter selects.
   * @param key identifies the filter
   */
  where(filter: Input | undefined, key: string): AggregatedValues {
    const matches = filter && condition(filter, this.#scope.alias, this.#context);
    if (!matches) return this;
    const flag = this.carry(`filter ${key}`, () => sql`case when ${matches} then 1 end`);
    return {
      column: (column) => this.column(column),
      computed: (computed, field) => this.computed(computed, field),
      orderOf: (call) => this.orderOf(call),
      ranked: (column, percentile) =>
        this.#rankOf(sql`case when ${flag} = 1 then ${this.column(column)} end`, percentile),
      flag,
    };
  }

  /** Returns the name of the column with the first order, if there is one. */
  nameOfPosition(): Sql | undefined {
    return this.#position === undefined ? undefined : this.#entries.get(this.#position)?.name;
  }

  /** Returns the values of the derived table's columns. */
  fields(): readonly { readonly value: Sql }[] {
    return [...this.#entries.values()];
  }

  /** Returns the columns of the derived table. */
  columns(): readonly Sql[] {
    return [...this.#entries.values()].map(({ name, value }) => sql`${value} as ${name}`);
  }
}
