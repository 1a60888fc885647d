/**
 * The generated client and the OpenAPI document of saved operations with groups, first rows of groups, related writes,
 * changes and existing rows: programs with their types compile, and responses have the described form.
 */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { stringify } from "yaml";
import { compileCommand } from "../../runtime/cli/commands/compile.ts";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { root } from "../support/shared-checks.ts";

const operations: Readonly<Record<string, string>> = {
  LoansByMonth: `query LoansByMonth($least: Int = 1, $having: loan_aggregate_group_having = {}) {
    loan_group(
      by: [{ column: lent_on, part: month }, { related: { copy: { related: { book: { column: title } } } } }]
      where: { renewals: { _gte: 0 } }
      having: { _and: [{ count: { predicate: { _gte: $least } } }, $having] }
      order_by: [{ key: { copy: { book: { title: asc } } } }]
    ) {
      key { month: _part(column: lent_on, part: month) copy { book { title } } }
      aggregate { count sum { renewals } min { due_on } }
      nodes(limit: 1) { id returned_on }
    }
  }`,
  Prices: `query Prices($width: Float!) {
    author(order_by: [{ id: asc }]) {
      books_group(by: { column: price, width: $width }) { key { from: _bucket(column: price) } aggregate { count } }
    }
  }`,
  Newest: `query Newest($n: Int!, $top: book_top_per) {
    book(top_per: { columns: [author_id], limit: $n }, order_by: [{ published: desc_nulls_last }]) { id title }
    all: book(top_per: $top, order_by: [{ id: asc }]) { id }
  }`,
  Tidy: `mutation Tidy($book: Int!, $stars: smallint!, $note: String) {
    update_book_by_pk(
      pk_columns: { id: $book }
      _related: {
        reviews: { update: [{ where: { hidden: { _eq: true } }, _set: { stars: $stars } }] }
        copies: { insert: { data: [{ branch_id: 1, condition_note: $note }] } }
      }
    ) { reviews(order_by: [{ stars: desc }]) { stars } copies(order_by: [{ id: asc }]) { condition_note } }
  }`,
  Write: `mutation Write($book: Int!, $related: book_related_input!) {
    update_book(where: { id: { _eq: $book } }, _related: $related) { affected_rows }
  }`,
  Raise: `mutation Raise($by: numeric!) {
    update_book(where: { pages: { _gt: 400 } }, _inc: { price: $by }) {
      affected_rows
      changes { inserted old { price pages } new { price author { name } } }
    }
    delete_review(where: { hidden: { _eq: true } }) { changes { inserted old { stars } new { stars } } }
  }`,
  Branch: `mutation Branch($name: String!) {
    insert_branch_one(
      object: { name: $name, address: "Mill Lane 1" }
      on_conflict: { constraint: branch_name_key, return_existing: true }
    ) { id address }
  }`,
};

let folder: string;
let server: TestServer;

beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  folder = await mkdtemp(join(tmpdir(), "generated-operations-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const library = join(root, "fixtures/library");
  const metadata = join(folder, "metadata");
  await cp(join(library, "metadata"), metadata, { recursive: true });
  const queries = Object.entries(operations).map(([name, query]) => ({ name, query }));
  const endpoints = Object.keys(operations).map((name) => ({
    name,
    url: name,
    methods: ["POST"],
    definition: { query: { collection_name: "reports", query_name: name } },
  }));
  await writeFile(join(metadata, "query_collections.yaml"), stringify([{ name: "reports", definition: { queries } }]));
  await writeFile(join(metadata, "rest_endpoints.yaml"), stringify(endpoints));
  for (const other of ["agent_tools", "allow_list"]) await writeFile(join(metadata, `${other}.yaml`), "[]\n");
  const out = join(folder, "out");
  expect(await compileCommand({ metadata, shape: join(library, "shape.json"), out, client: true })).toBe(0);
  server = await startTestServer();
  for (const file of ["schema.sql", "seed.sql"]) {
    const sql = await readFile(join(library, "postgres", file), "utf8");
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
  }
  await server.metadata("replace_metadata", (await readMetadataDirectory(metadata)).metadata);
}, 60_000);

afterAll(async () => {
  vi.restoreAllMocks();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const use = `
import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import {
  BranchDocument, LoansByMonthDocument, NewestDocument, PricesDocument, RaiseDocument, TidyDocument, WriteDocument,
} from "./out/client.js";

declare function send<R, V>(document: TypedDocumentNode<R, V>, variables: V): R;

const { loan_group: groups } = send(LoansByMonthDocument, { least: 2, having: { sum: { renewals: { _gt: 1 } } } });
export const keys: readonly (readonly [number | null, string | null])[] = groups.map(
  ({ key }) => [key.month, key.copy.book.title] as const,
);
export const counts: readonly number[] = groups.map(({ aggregate }) => aggregate.count);
export const sums: readonly (number | null | undefined)[] = groups.map(({ aggregate }) => aggregate.sum?.renewals);
export const returned: readonly (string | null)[] = groups.flatMap(({ nodes }) => nodes.map((loan) => loan.returned_on));
// @ts-expect-error a key may be null
export const months: readonly number[] = groups.map(({ key }) => key.month);
// @ts-expect-error texts have no sum
send(LoansByMonthDocument, { having: { sum: { member_id: { _gt: 1 } } } });

const from: number | null | undefined = send(PricesDocument, { width: 10 }).author[0]?.books_group[0]?.key.from;
export { from };

send(NewestDocument, { n: 1, top: { columns: ["author_id", "published"], limit: 2 } });
// @ts-expect-error books have no such column
send(NewestDocument, { n: 1, top: { columns: ["authors"], limit: 2 } });
// @ts-expect-error the limit is required
send(NewestDocument, { n: 1, top: { columns: ["author_id"] } });

export const notes: readonly (string | null)[] | undefined = send(TidyDocument, { book: 1, stars: 3 })
  .update_book_by_pk?.copies.map((copy) => copy.condition_note);
send(WriteDocument, {
  book: 1,
  related: {
    author: { update: { _set: { name: "Mary" }, _related: { books: { delete: { where: { pages: { _lt: 1 } } } } } } },
    copies: { insert: { data: [{ branch_id: 1, loans: { data: [] } }] }, connect: [{ where: { id: { _eq: 1 } } }] },
    reviews: { update: [{ where: {}, _inc: { stars: 1 } }] },
  },
});
// @ts-expect-error an update of related rows selects them
send(WriteDocument, { book: 1, related: { reviews: { update: [{ _set: { stars: 1 } }] } } });
// @ts-expect-error a book is always of an author
send(WriteDocument, { book: 1, related: { author: { delete: { where: {} } } } });

const changes = send(RaiseDocument, { by: 1 }).update_book?.changes ?? [];
export const inserted: readonly boolean[] = changes.map((change) => change.inserted);
export const prices: readonly (readonly [number | undefined, number | undefined])[] = changes.map(
  (change) => [change.old?.price, change.new?.price] as const,
);
export const author: string | undefined = changes[0]?.new?.author.name;
// @ts-expect-error there may be no row before the mutation
export const before: number | undefined = changes[0]?.old.price;
export const address: string | undefined = send(BranchDocument, { name: "Riverside" }).insert_branch_one?.address;
`;

it("The types of the generated client describe keys, aggregates, changes and related writes", {
  timeout: 60_000,
}, async () => {
  await writeFile(join(folder, "use.ts"), use);
  const options = "--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022 use.ts";
  const compiler = join(root, "node_modules/.bin/tsc");
  const run = promisify(execFile)(compiler, options.split(" "), { cwd: folder, encoding: "utf8" });
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
  expect(stdout).toBe("");
});

/** Variables of an operation and its result, in order. */
const calls: readonly (readonly [string, object, object])[] = [
  [
    "LoansByMonth",
    { having: { sum: { renewals: { _gt: 0 } } } },
    {
      loan_group: [
        {
          key: { month: 2, copy: { book: { title: "Around the World in Eighty Days" } } },
          aggregate: { count: 1, sum: { renewals: 1 }, min: { due_on: "2024-02-29" } },
          nodes: [{ id: 2, returned_on: null }],
        },
        {
          key: { month: 2, copy: { book: { title: "Twenty Thousand Leagues Under the Seas" } } },
          aggregate: { count: 1, sum: { renewals: 2 }, min: { due_on: "2024-03-10" } },
          nodes: [{ id: 4, returned_on: "2024-03-01" }],
        },
      ],
    },
  ],
  [
    "Prices",
    { width: 10 },
    {
      author: [
        { books_group: [{ key: { from: 10 }, aggregate: { count: 2 } }] },
        {
          books_group: [
            { key: { from: 0 }, aggregate: { count: 1 } },
            { key: { from: 10 }, aggregate: { count: 1 } },
          ],
        },
        { books_group: [{ key: { from: 30 }, aggregate: { count: 1 } }] },
      ],
    },
  ],
  [
    "Newest",
    { n: 1, top: { columns: ["author_id"], limit: 0 } },
    {
      book: [
        { id: 3, title: "Around the World in Eighty Days" },
        { id: 5, title: "Notes on the Analytical Engine" },
        { id: 2, title: "The Last Man" },
      ],
      all: [],
    },
  ],
  [
    "Tidy",
    { book: 1, stars: 3, note: "new" },
    {
      update_book_by_pk: {
        reviews: [{ stars: 5 }, { stars: 3 }],
        copies: [{ condition_note: null }, { condition_note: "spine worn" }, { condition_note: "new" }],
      },
    },
  ],
  [
    "Write",
    { book: 1, related: { copies: { delete: { where: { condition_note: { _eq: "new" } } } } } },
    { update_book: { affected_rows: 1 } },
  ],
  [
    "Raise",
    { by: 1.5 },
    {
      update_book: {
        affected_rows: 2,
        changes: [
          { inserted: false, old: { price: 14, pages: 470 }, new: { price: 15.5, author: { name: "Mary Shelley" } } },
          {
            inserted: false,
            old: { price: 15.25, pages: 510 },
            new: { price: 16.75, author: { name: "Jules Verne" } },
          },
        ],
      },
      delete_review: { changes: [{ inserted: false, old: { stars: 3 }, new: null }] },
    },
  ],
  ["Branch", { name: "Riverside" }, { insert_branch_one: { id: 2, address: "Mill Lane 20" } }],
];

it("REST endpoints return what the OpenAPI document describes", async () => {
  const answer = await fetch(`${server.url}/api/swagger/json?form=full&version=3.1`);
  const document = (await answer.json()) as {
    readonly components: object;
    readonly paths: Readonly<Record<string, { readonly post: OperationObject }>>;
  };
  const ajv = new Ajv2020({ strict: false });
  const violations = (schema: object | undefined, value: unknown) => {
    const validate = ajv.compile({ ...schema, components: document.components });
    validate(value);
    return validate.errors ?? [];
  };
  for (const [name, body, data] of calls) {
    const operation = document.paths[`/api/rest/${name}`]?.post;
    expect(violations(operation?.requestBody.content["application/json"].schema, body), name).toEqual([]);
    const response = await fetch(`${server.url}/api/rest/${name}`, { method: "POST", body: JSON.stringify(body) });
    const json = await response.json();
    expect(json, name).toEqual({ data });
    const schema = operation?.responses["200"].content["application/json"].schema;
    expect(schema, name).toBeDefined();
    expect(violations(schema, json), name).toEqual([]);
    expect(violations(schema, { data: {} }), name).not.toEqual([]);
  }
});

interface Content {
  readonly content: { readonly "application/json": { readonly schema: object } };
}

interface OperationObject {
  readonly requestBody: Content;
  readonly responses: { readonly 200: Content };
}
