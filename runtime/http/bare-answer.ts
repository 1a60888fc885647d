/** An HTTP answer as text, for sockets that have no `ServerResponse`: of unreadable requests and refused upgrades. */
import { STATUS_CODES } from "node:http";

/** The connection ends with it. */
export function bareAnswer(status: number, headers: Readonly<Record<string, string>>, body: string): string {
  const all = { connection: "close", ...headers, "content-length": Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`;
}
