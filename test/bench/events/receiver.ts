/** The receiver of events, in its own process: responds at once and records the time of each request. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Milliseconds since 1970, with fractions. */
const now = (): number => performance.timeOrigin + performance.now();

interface Body {
  readonly event: { readonly data: { readonly new: { readonly id: number } } };
}

let arrivals: { readonly id: number; readonly at: number }[] = [];

const server = createServer((request, response) => {
  const at = now();
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const { event } = JSON.parse(Buffer.concat(parts).toString("utf8")) as Body;
    arrivals.push({ id: event.data.new.id, at });
    response.setHeader("content-type", "application/json");
    response.end("{}");
  });
  request.on("error", () => undefined); // a killed sender resets its connections
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on("message", (order: "count" | "take") => {
  if (order === "count") {
    process.send?.({ count: arrivals.length });
    return;
  }
  process.send?.({ arrivals });
  arrivals = [];
});
process.on("disconnect", () => process.exit());
