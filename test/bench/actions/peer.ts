/**
 * A handwritten replacement of an action: `peer.ts PORT HANDLER`. It sends the same request to the same handler, checks
 * the response with zod, and responds with the same body as the engine.
 */
import fastify from "fastify";
import { Pool } from "undici";
import { z } from "zod";

const [, , port, handler = ""] = process.argv;
const pool = new Pool(handler, { connections: 128 });

const call = z.object({ query: z.string(), variables: z.object({ count: z.number().int() }) });
const orders = z.array(
  z.object({
    id: z.number(),
    state: z.enum(["new", "paid"]),
    total: z.number(),
    note: z.string().nullable(),
    to: z.object({ city: z.string(), street: z.string() }),
  }),
);

const app = fastify();
app.post("/v1/graphql", async (request) => {
  const { query, variables } = call.parse(request.body);
  const { statusCode, body } = await pool.request({
    path: "/",
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      action: { name: "orders" },
      input: variables,
      session_variables: { "x-engine-role": "admin" },
      request_query: query,
    }),
  });
  const answer: unknown = await body.json();
  if (statusCode !== 200) throw new Error(`the handler answered ${statusCode}`);
  return { data: { orders: orders.parse(answer) } };
});
await app.listen({ port: Number(port), host: "127.0.0.1" });
