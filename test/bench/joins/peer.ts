/**
 * A handwritten replacement of a relationship to another database: `peer.ts PORT LEFT RIGHT`. It queries both
 * databases, joins the rows, and responds with the same body as the engine.
 */
import fastify from "fastify";
import pg from "pg";
import { z } from "zod";

const [, , port, left = "", right = ""] = process.argv;
const pools = [left, right].map((connectionString) => new pg.Pool({ connectionString, max: 20 }));
const [leftPool, rightPool] = pools;

interface Part {
  readonly id: number;
  readonly name: string;
}
interface Item {
  readonly id: number;
  readonly title: string;
  readonly part_id: number | null;
}

const call = z.object({ query: z.string(), variables: z.object({ count: z.number().int() }) });

async function itemsWithParts(count: number): Promise<readonly object[]> {
  const text = "select id, title, part_id from item order by id limit $1";
  const items = (await leftPool?.query<Item>({ name: "items", text, values: [count] }))?.rows ?? [];
  const ids = [...new Set(items.flatMap(({ part_id }) => part_id ?? []))];
  const ofIds = "select id, name from part where id = any($1)";
  const found = await rightPool?.query<Part>({ name: "parts", text: ofIds, values: [ids] });
  const parts = new Map(found?.rows.map((part) => [part.id, part]));
  return items.map(({ id, title, part_id }) => {
    return { id, title, part: part_id === null ? null : (parts.get(part_id) ?? null) };
  });
}

const app = fastify();
app.post("/v1/graphql", async (request) => {
  const { variables } = call.parse(request.body);
  return { data: { item: await itemsWithParts(variables.count) } };
});
await app.listen({ port: Number(port), host: "127.0.0.1" });
