/**
 * The GraphQL server behind all servers of `bench:remote`: `subgraph.ts PORT`. Apart from introspection, it does as
 * little as possible and responds according to the variable `count`.
 */
import { createServer } from "node:http";
import { buildSchema, graphql } from "graphql";

const schema = buildSchema(`
  enum State { new paid }
  type Address { city: String! street: String! }
  type Order { id: Int! state: State! total: Float! note: String to: Address! }
  type Query { orders(count: Int!): [Order!]! }
`);

const order = (id: number) => ({
  id,
  state: "paid",
  total: 12.5,
  note: null,
  to: { city: "Rome", street: "Via Appia 7" },
});
/** Responses by `count`; the last has 10 MB. */
const answers = new Map(
  [1, 100, 120_000].map((count) => {
    return [count, JSON.stringify({ data: { orders: Array.from({ length: count }, (_, i) => order(i)) } })];
  }),
);

interface GraphqlBody {
  readonly query: string;
  readonly variables?: { readonly count?: number };
}

createServer((request, response) => {
  if (request.method === "OPTIONS") {
    response.end();
    return;
  }
  let text = "";
  request.on("data", (chunk) => (text += chunk));
  request.on("end", () => {
    const { query: source, variables } = JSON.parse(text) as GraphqlBody;
    response.setHeader("content-type", "application/json");
    if (source.includes("__schema"))
      void graphql({ schema, source }).then((answer) => response.end(JSON.stringify(answer)));
    else response.end(answers.get(variables?.count ?? 1));
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
