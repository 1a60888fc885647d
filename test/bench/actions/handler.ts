/**
 * The handler behind both servers of `bench:actions`: `handler.ts PORT`. The response depends on the number of
 * requested items.
 */
import { createServer } from "node:http";

const order = (id: number) => ({
  id,
  state: "paid",
  total: 12.5,
  note: null,
  to: { city: "Rome", street: "Via Appia 7" },
});
const answers = new Map(
  [1, 100].map((count) => [count, JSON.stringify(Array.from({ length: count }, (_, i) => order(i)))]),
);

createServer((request, response) => {
  if (request.method === "OPTIONS") {
    response.end();
    return;
  }
  let text = "";
  request.on("data", (chunk) => (text += chunk));
  request.on("end", () => {
    const { input } = JSON.parse(text) as { input: { count: number } };
    response.setHeader("content-type", "application/json");
    response.end(answers.get(input.count));
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
