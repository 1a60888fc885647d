/** The setup that the programs of all projects share: addresses of the engine, users, and their first notes. */
import { createHmac } from "node:crypto";

const { CLIENTS_URL: url = "", CLIENTS_KEY: key = "" } = process.env;

export const endpoint = `${url}/v1/graphql`;
export const mcpEndpoint = `${url}/mcp`;
export const relayEndpoint = `${url}/v1beta1/relay`;
export const socketEndpoint = endpoint.replace(/^http/, "ws");

/** Returns a JSON Web Token for a writer, who sees only their own notes. */
export function tokenOf(user) {
  const claims = { "x-engine-default-role": "writer", "x-engine-allowed-roles": ["writer"], "x-engine-user-id": user };
  const parts = [
    { alg: "HS256", typ: "JWT" },
    { sub: user, exp: Math.floor(Date.now() / 1000) + 600, "https://engine.io/jwt/claims": claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  return [...parts, createHmac("sha256", key).update(parts.join(".")).digest("base64url")].join(".");
}

export const headersOf = (user) => ({ authorization: `Bearer ${tokenOf(user)}` });

/** Inserts notes of a user: `note 01` with one star, `note 02` with two …, alternating between two folders. */
export async function seed(user, count) {
  const objects = Array.from({ length: count }, (_, i) => ({
    title: `note ${String(i + 1).padStart(2, "0")}`,
    stars: i + 1,
    folder_id: 1 + (i % 2),
  }));
  const query = "mutation ($objects: [note_insert_input!]!) { insert_note(objects: $objects) { affected_rows } }";
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json", ...headersOf(user) },
    body: JSON.stringify({ query, variables: { objects } }),
  });
  const { errors } = await response.json();
  if (errors) throw new Error(JSON.stringify(errors));
}

/** Reads an endless stream of results, and returns the first result that satisfies `isRight`. */
export async function until(results, isRight) {
  for (;;) {
    const { done, value } = await results.next();
    if (done) throw new Error("the results ended before that");
    if (isRight(value)) return value;
  }
}

/** Records the last result of a subscription, so that a test can wait for it. */
export class Seen {
  #last = "nothing";
  #waiting = [];

  show(value) {
    this.#last = JSON.stringify(value);
    for (const check of this.#waiting.splice(0)) check();
  }

  /** Resolves once the last shown result equals `value`. */
  async shows(value) {
    while (this.#last !== JSON.stringify(value)) await new Promise((check) => this.#waiting.push(check));
  }
}
