/** Cases with writers at the same time: upserts of one row, locks, and deadlocks. */
import type { SourceKind } from "../../../../compiler/catalog/model.ts";
import { type CheckContext, CheckFailure, dataOf, expectEqual, type Program, responseOf } from "../context.ts";

const upsertClause: Readonly<Record<SourceKind, string>> = {
  postgres: "on_conflict: {constraint: shelf_pkey, update_columns: [label]}",
  mssql: "if_matched: {match_columns: [floor, place], update_columns: [label]}",
};

async function upsertsAtOnce({ kind, post }: CheckContext): Promise<void> {
  const upsert = `mutation ($label: String!) {
    insert_shelf_one(object: {floor: 77, place: 7, label: $label}, ${upsertClause[kind]}) { label }
  }`;
  const labels = Array.from({ length: 32 }, (_, i) => `label ${i}`);
  const written = await Promise.all(labels.map((label) => dataOf(post, upsert, { label })));
  const own = written.map(({ insert_shelf_one: row }) => (row as { readonly label: string }).label);
  expectEqual(own, labels, "labels of the responses");
  const { shelf } = await dataOf(post, "{ shelf_aggregate(where: {floor: {_eq: 77}}) { aggregate { count } } }").then(
    ({ shelf_aggregate }) => ({ shelf: shelf_aggregate }),
  );
  expectEqual(shelf, { aggregate: { count: 1 } }, "rows with the key");
}

const tableName: Readonly<Record<SourceKind, string>> = { postgres: "shelf", mssql: "dbo.shelf" };

const lockedUpdate = 'mutation { update_shelf(where: {floor: {_eq: 1}}, _set: {label: "after"}) { affected_rows } }';

async function waitsForLock({ kind, post, target }: CheckContext): Promise<void> {
  const commit = await target.hold(`update ${tableName[kind]} set label = 'held' where floor = 1`);
  let isDone = false;
  const update = dataOf(post, lockedUpdate).then((data) => {
    isDone = true;
    return data;
  });
  update.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const waited = !isDone;
  await commit();
  expectEqual((await update).update_shelf, { affected_rows: 2 }, "rows updated after the lock");
  if (!waited) throw new CheckFailure("an update did not wait for the lock of another transaction", lockedUpdate);
}

const pair = (a: number, b: number): string => `mutation {
  a: update_shelf(where: {floor: {_eq: 1}, place: {_eq: ${a}}}, _set: {label: "x"}) { affected_rows }
  b: update_shelf(where: {floor: {_eq: 1}, place: {_eq: ${b}}}, _set: {label: "x"}) { affected_rows }
}`;

/** Errors of a transaction that the database ended for another one: of the engine, and of the databases. */
const conflict = /"concurrent-update"|"40P01"|\b1205\b/;

async function oppositeOrder({ post }: CheckContext): Promise<void> {
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, i) => responseOf(post, i % 2 === 0 ? pair(1, 2) : pair(2, 1))),
  );
  const other = responses.find(({ errors }) => errors && !conflict.test(JSON.stringify(errors)));
  if (other) throw new CheckFailure(`the response is ${JSON.stringify(other)}`, pair(1, 2));
  if (responses.every(({ errors }) => errors)) throw new CheckFailure("no writer succeeded", pair(1, 2));
}

export const concurrency: Program = (context) => [
  { name: "upserts of one row at the same time", run: () => upsertsAtOnce(context) },
  { name: "an update waits for a lock", run: () => waitsForLock(context) },
  { name: "writers in opposite order", run: () => oppositeOrder(context) },
];
