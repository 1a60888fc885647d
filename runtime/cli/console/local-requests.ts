/**
 * Which requests a server on this machine may trust: it works with the rights of its user, and every page that a browser
 * shows can send requests to it. Those of other pages name another origin; a page whose host name was pointed here names
 * another host.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { EngineError } from "../../values/errors.ts";

/** What a page of another origin cannot send without being asked before. */
const keyHeader = "x-engine-console-key";

/** @throws EngineError unless it was sent to this server by one of its names */
export function requireOwnHost({ host = "" }: IncomingHttpHeaders, port: number): void {
  const own = ["127.0.0.1", "localhost"].map((name) => `${name}:${port}`);
  if (!own.includes(host.toLowerCase())) throw refused(`this server is not ${JSON.stringify(host)}`);
}

/** @throws EngineError unless a page of this server sent it, or no page */
export function requireOwnOrigin(headers: IncomingHttpHeaders): void {
  const { host = "", origin, "sec-fetch-site": site = "none" } = headers;
  if (origin !== undefined && origin !== `http://${host}`) throw refused("a page of another origin sent the request");
  // Browsers leave the origin out where a page loads an image or follows a link.
  if (!["same-origin", "none"].includes(String(site))) throw refused("a page of another site sent the request");
}

/** @throws EngineError unless it has the key */
export function requireKey(headers: IncomingHttpHeaders, key: string): void {
  const given = headers[keyHeader];
  if (typeof given === "string" && timingSafeEqual(digest(given), digest(key))) return;
  throw refused("open the console by the address that the command has printed: it has the key to the project");
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

function refused(message: string): EngineError {
  return new EngineError("access-denied", "$", message, { status: 403 });
}
