/** Cases that are too large for golden cases: large lists, many rows, concurrent upserts, and the use of indexes. */

/** Sends a request to the product: a path, and a body of JSON. */
export type Post = (path: string, body: unknown) => Promise<unknown>;

export interface LoadCase {
  readonly name: string;
  /** Rejects with the failure. */
  readonly run: (post: Post) => Promise<void>;
}

/** Returns the cases. @param dialect the kind of database; plans are checked on SQL Server only */
export function loadCases(dialect: "postgres" | "mssql"): readonly LoadCase[] {
  const both = [manyRows, longList, upsertsAtOnce(dialect)];
  return dialect === "mssql" ? [...both, seeksNumbers, seeksTexts] : both;
}

interface Answer {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly errors?: unknown;
}

async function ask(post: Post, query: string, variables: object): Promise<Readonly<Record<string, unknown>>> {
  const { data, errors } = (await post("/v1/graphql", { query, variables })) as Answer;
  if (data === undefined || data === null) throw new Error(`${query}\nanswered ${JSON.stringify(errors)}`);
  return data;
}

function demand(isSo: boolean, what: string, found: unknown): void {
  if (!isSo) throw new Error(`${what}, but it was ${JSON.stringify(found)}`);
}

const rows = 5000;
const numbers = Array.from({ length: rows }, (_, i) => i + 1000);

/** Inserts rows: one parameter per value would be twice the maximum of a statement. */
async function fillShelves(post: Post): Promise<unknown> {
  const insert =
    "mutation ($objects: [shelf_insert_input!]!) { insert_shelf(objects: $objects) { affected_rows returning { floor } } }";
  const objects = numbers.map((floor) => ({ floor, place: 1, label: `é ${floor}` }));
  return (await ask(post, insert, { objects })).insert_shelf;
}

const manyRows: LoadCase = {
  name: "an insert of 5,000 rows",
  run: async (post) => {
    const { affected_rows, returning } = (await fillShelves(post)) as { affected_rows: number; returning: unknown[] };
    demand(affected_rows === rows && returning.length === rows, `${rows} rows were to be inserted`, affected_rows);
  },
};

const longList: LoadCase = {
  name: "a list of 20,000 values",
  run: async (post) => {
    await fillShelves(post);
    const floors = Array.from({ length: 20_000 }, (_, i) => i + 1000);
    const query = "query ($floors: [Int!]) { shelf_aggregate(where: {floor: {_in: $floors}}) { aggregate { count } } }";
    const { shelf_aggregate: found } = await ask(post, query, { floors });
    demand(JSON.stringify(found) === `{"aggregate":{"count":${rows}}}`, `${rows} rows were to be found`, found);
  },
};

const upsertsAtOnce = (dialect: "postgres" | "mssql"): LoadCase => ({
  name: "upserts of one row at the same time",
  run: async (post) => {
    const clause =
      dialect === "mssql"
        ? "if_matched: {match_columns: [floor, place], update_columns: [label]}"
        : "on_conflict: {constraint: shelf_pkey, update_columns: [label]}";
    const upsert = `mutation ($label: String!) {
      insert_shelf_one(object: {floor: 77, place: 7, label: $label}, ${clause}) { label }
    }`;
    const labels = Array.from({ length: 32 }, (_, i) => `label ${i}`);
    const written = await Promise.all(labels.map((label) => ask(post, upsert, { label })));
    const own = written.map(({ insert_shelf_one: row }) => (row as { readonly label: string }).label);
    demand(JSON.stringify(own) === JSON.stringify(labels), "each upsert was to answer its own row", own);
    const { shelf } = await ask(post, "{ shelf(where: {floor: {_eq: 77}}) { label } }", {});
    demand(Array.isArray(shelf) && shelf.length === 1, "one row was to be there", shelf);
  },
});

/** Returns the lines of a query's plan. */
async function planOf(post: Post, query: string, variables: object): Promise<string> {
  const explained = (await post("/v1/graphql/explain", { query: { query, variables } })) as readonly {
    readonly plan?: readonly string[];
  }[];
  const lines = explained[0]?.plan;
  if (lines === undefined) throw new Error(`no plan of ${query}: ${JSON.stringify(explained)}`);
  return lines.join("\n");
}

function demandSeek(plan: string, table: string): void {
  const seek = new RegExp(`Index Seek\\(OBJECT:\\([^)]*\\[${table}\\]`);
  if (!seek.test(plan))
    throw new Error(`the rows of ${table} were to be sought by their key, but the plan is\n${plan}`);
}

const seeksNumbers: LoadCase = {
  name: "a list of numbers is sought in an index",
  run: async (post) => {
    await fillShelves(post);
    const query = "query ($floors: [Int!]) { shelf(where: {floor: {_in: $floors}}) { label } }";
    demandSeek(await planOf(post, query, { floors: [1000, 1001] }), "shelf");
  },
};

const seeksTexts: LoadCase = {
  name: "a list of texts is sought in an index",
  run: async (post) => {
    const insert =
      "mutation ($objects: [friend_insert_input!]!) { insert_friend(objects: $objects) { affected_rows } }";
    await ask(post, insert, { objects: numbers.map((number) => ({ reader: `reader ${number}`, friend: "é" })) });
    const query = "query ($readers: [String!]) { friend(where: {reader: {_in: $readers}}) { friend } }";
    demandSeek(await planOf(post, query, { readers: ["reader 1000", "é"] }), "friend");
  },
};
