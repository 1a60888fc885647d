/** Writes HTTP responses to sockets without a `ServerResponse`: for malformed requests and refused upgrades. */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** The time for a client to read the response and close its side. */
const lingerMilliseconds = 1000;

/** Writes a response and ends the connection, even if the client keeps its side open. */
export function writeBareResponse(
  socket: Duplex,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
  socket.once("close", () => clearTimeout(timer));
  const all = { connection: "close", ...headers, "content-length": Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`);
}
