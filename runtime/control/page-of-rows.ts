/** Reads a page of the rows of a table in the metadata database, with the conditions of an operation. */
import type { Json } from "../../compiler/catalog/model.ts";
import type { MetadataStore } from "./store.ts";

interface PageQuery {
  readonly columns: readonly string[];
  readonly table: string;
  readonly order: string;
  /** Values of the column `status`. Absent for a table without statuses. */
  readonly statuses?: readonly string[];
  readonly page: { readonly limit?: number; readonly offset?: number; readonly get_rows_count: boolean };
}

/** Builds the statement from conditions with parameters. */
export class Page {
  readonly #conditions: string[] = [];
  readonly #values: unknown[] = [];

  where(condition: (parameter: string) => string, value: unknown): void {
    this.#conditions.push(condition(this.#parameter(value)));
  }

  async read(
    store: MetadataStore,
    { columns, table, order, statuses, page }: PageQuery,
  ): Promise<{ readonly rows: Json; readonly count: { readonly count?: number } }> {
    const wanted = statuses && this.#parameter(statuses);
    const names = columns.map((column) => `"${column}"`).join(", ");
    const selected = (condition?: string) => `select ${names} from ${table}${this.#whereText(condition)}`;
    const counted = `select count(*)::int as count from ${table}${this.#whereText(wanted && `status = any(${wanted})`)}`;
    const countValues = [...this.#values];
    const [limit, offset] = [this.#parameter(page.limit ?? null), this.#parameter(page.offset ?? 0)];
    // An index by status and time returns rows in order only for one status at a time.
    const first = page.limit === undefined ? "" : ` order by ${order} limit ${limit}::bigint + ${offset}::bigint`;
    const matching = wanted
      ? `select ${names} from unnest(${wanted}::text[]) as wanted (one)
           cross join lateral (${selected("status = wanted.one")}${first}) matching`
      : selected();
    const text = `${matching} order by ${order} limit ${limit}::bigint offset ${offset}::bigint`;
    const rows = await store.query(text, this.#values);
    const [total] = page.get_rows_count ? await store.query(counted, countValues) : [];
    // Times are `Date` objects, which JSON writes as ISO 8601 in UTC.
    return { rows: rows as unknown as Json, count: total === undefined ? {} : { count: Number(total.count) } };
  }

  /** Adds a parameter and returns its placeholder. */
  #parameter(value: unknown): string {
    this.#values.push(value);
    return `$${this.#values.length}`;
  }

  #whereText(condition: string | undefined): string {
    const conditions = condition === undefined ? this.#conditions : [...this.#conditions, condition];
    return conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
  }
}
