/** Cases about the plans of statements: an index must be used, and the column must not be converted. */
import type { SourceKind } from "../../../../compiler/catalog/model.ts";
import { type CheckContext, CheckFailure, dataOf, type Program, Skipped } from "../context.ts";
import { fillShelves } from "./load.ts";

interface Explained {
  readonly sql?: string;
  readonly plan?: readonly string[];
}

/** Returns the pattern of a plan that seeks in an index of a table. */
const seeks: Readonly<Record<SourceKind, (table: string) => RegExp>> = {
  postgres: (table) =>
    new RegExp(
      `Index (?:Only )?Scan (?:Backward )?using \\S+ on (?:\\w+\\.)?${table}\\b|Bitmap Heap Scan on (?:\\w+\\.)?${table}\\b`,
    ),
  mssql: (table) => new RegExp(`Index Seek\\(OBJECT:\\([^)]*\\[${table}\\]`),
};

/** Updates statistics, so that the optimizer knows the number of rows. */
const analyze: Readonly<Record<SourceKind, (table: string) => string>> = {
  postgres: (table) => `analyze ${table}`,
  mssql: (table) => `update statistics dbo.${table}`,
};

/** A conversion of the column, which prevents seeks. */
const converted = /CONVERT_IMPLICIT\([^)]*\[(?:shelf|friend)\]\.\[/;

async function demandSeek(context: CheckContext, table: string, query: string, variables: object): Promise<void> {
  const { kind, post, target } = context;
  await target.sql(analyze[kind](table));
  const body = { query: { query, variables } };
  const explained = (await post("/v1/graphql/explain", body)) as readonly Explained[] | { readonly error?: string };
  if (!Array.isArray(explained)) throw new Skipped(`there is no plan: ${JSON.stringify(explained)}`);
  const [{ plan = [], sql } = {} as Explained] = explained as readonly Explained[];
  const text = plan.join("\n");
  if (!seeks[kind](table).test(text))
    throw new CheckFailure(`the plan does not seek in an index of ${table}:\n${text}`, sql);
  if (converted.test(text)) throw new CheckFailure(`the plan converts a column of ${table}:\n${text}`, sql);
}

async function seeksNumbers(context: CheckContext): Promise<void> {
  await fillShelves(context.post);
  const query = "query ($floors: [Int!]) { shelf(where: {floor: {_in: $floors}}) { label } }";
  await demandSeek(context, "shelf", query, { floors: [1000, 1001] });
}

async function seeksKey(context: CheckContext): Promise<void> {
  await fillShelves(context.post);
  await demandSeek(context, "shelf", "{ shelf_by_pk(floor: 1000, place: 1) { label } }", {});
}

async function seeksTexts(context: CheckContext): Promise<void> {
  const insert = "mutation ($objects: [friend_insert_input!]!) { insert_friend(objects: $objects) { affected_rows } }";
  const objects = Array.from({ length: 5000 }, (_, i) => ({ reader: `reader ${i}`, friend: "é" }));
  await dataOf(context.post, insert, { objects });
  const query = "query ($readers: [String!]) { friend(where: {reader: {_in: $readers}}) { friend } }";
  await demandSeek(context, "friend", query, { readers: ["reader 1000", "é"] });
}

export const plans: Program = (context) => [
  { name: "a key seeks in an index", run: () => seeksKey(context) },
  { name: "a list of numbers seeks in an index", run: () => seeksNumbers(context) },
  { name: "a list of texts seeks in an index", run: () => seeksTexts(context) },
];
