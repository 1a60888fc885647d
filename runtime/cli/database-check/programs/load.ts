/** Cases with many rows and long lists. */
import { type CheckContext, dataOf, expectEqual, type Post, type Program } from "../context.ts";

const batch = 5000;
const first = 1000;

const insert =
  "mutation ($objects: [shelf_insert_input!]!) { insert_shelf(objects: $objects) { affected_rows returning { floor } } }";

/** Inserts shelves; one parameter per value would exceed the maximum of a statement. @returns the response's field */
export async function fillShelves(post: Post, start = first): Promise<unknown> {
  const objects = Array.from({ length: batch }, (_, i) => ({ floor: start + i, place: 1, label: `é ${start + i}` }));
  return (await dataOf(post, insert, { objects })).insert_shelf;
}

async function manyRows({ post }: CheckContext): Promise<void> {
  const written = (await fillShelves(post)) as { affected_rows: number; returning: unknown[] };
  expectEqual([written.affected_rows, written.returning.length], [batch, batch], "inserted and returned rows");
}

async function longList({ post }: CheckContext): Promise<void> {
  await fillShelves(post);
  const floors = Array.from({ length: 20_000 }, (_, i) => first + i);
  const query = "query ($floors: [Int!]) { shelf_aggregate(where: {floor: {_in: $floors}}) { aggregate { count } } }";
  expectEqual((await dataOf(post, query, { floors })).shelf_aggregate, { aggregate: { count: batch } }, "found rows");
}

const total = 100_000;

async function largeResult({ post }: CheckContext): Promise<void> {
  for (let start = first; start < first + total; start += batch) await fillShelves(post, start);
  const query = `{ shelf(where: {floor: {_gte: ${first}}}, order_by: {floor: asc}) { floor label } }`;
  const rows = (await dataOf(post, query)).shelf as readonly { readonly floor: number; readonly label: string }[];
  expectEqual([rows.length, rows[0], rows.at(-1)], expectedEnds, "rows, and the first and the last one");
}

const last = first + total - 1;
const expectedEnds = [total, { floor: first, label: `é ${first}` }, { floor: last, label: `é ${last}` }];

export const load: Program = (context) => [
  { name: "an insert of 5,000 rows", run: () => manyRows(context) },
  { name: "a list of 20,000 values", run: () => longList(context) },
  { name: "100,000 rows in one response", run: () => largeResult(context) },
];
