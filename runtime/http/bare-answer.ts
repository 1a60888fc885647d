/** HTTP answers on sockets that have no `ServerResponse`: to unreadable requests and refused upgrades. */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** In milliseconds: so long a client has to read the answer and to close its side. */
const linger = 1000;

/** Answers and ends the connection, also that of a client which keeps its side open: it would keep the descriptor. */
export function answerBare(
  socket: Duplex,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  const timer = setTimeout(() => socket.destroy(), linger);
  socket.once("close", () => clearTimeout(timer));
  const all = { connection: "close", ...headers, "content-length": Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`);
}
