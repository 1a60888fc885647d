/** A handwritten replacement of a remote schema: `proxy.ts PORT SUBGRAPH`. It forwards both bodies unchanged. */
import fastify from "fastify";
import { Pool } from "undici";

const [, , port, subgraph = ""] = process.argv;
const pool = new Pool(subgraph, { connections: 128 });

interface GraphqlBody {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string;
}

const app = fastify();
app.post<{ Body: GraphqlBody }>("/v1/graphql", async (request, reply) => {
  const { query, variables, operationName } = request.body;
  const { statusCode, body } = await pool.request({
    path: "/",
    method: "POST",
    headers: { "content-type": "application/json", "x-engine-role": "admin" },
    body: JSON.stringify({ query, variables, operationName }),
  });
  return reply
    .code(statusCode)
    .type("application/json; charset=utf-8")
    .send(await body.text());
});
await app.listen({ port: Number(port), host: "127.0.0.1" });
