/** What the programs of all projects share: where the engine is, who they are, and the notes that they begin with. */
import { createHmac } from "node:crypto";

const { CLIENTS_URL: url = "", CLIENTS_KEY: key = "" } = process.env;

export const endpoint = `${url}/v1/graphql`;
export const relayEndpoint = `${url}/v1beta1/relay`;
export const socketEndpoint = endpoint.replace(/^http/, "ws");

/** A JSON Web Token of a writer, who sees notes of their own and no others. */
export function tokenOf(user) {
  const claims = { "x-engine-default-role": "writer", "x-engine-allowed-roles": ["writer"], "x-engine-user-id": user };
  const parts = [
    { alg: "HS256", typ: "JWT" },
    { sub: user, exp: Math.floor(Date.now() / 1000) + 600, "https://engine.io/jwt/claims": claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  return [...parts, createHmac("sha256", key).update(parts.join(".")).digest("base64url")].join(".");
}

export const headersOf = (user) => ({ authorization: `Bearer ${tokenOf(user)}` });

/** Gives a user notes with the titles `note 01`, `note 02` … and as many stars, every second one in the archive. */
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

/** Reads a stream of results, which goes on, until one is as it should be. */
export async function until(results, isRight) {
  for (;;) {
    const { done, value } = await results.next();
    if (done) throw new Error("the results ended before that");
    if (isRight(value)) return value;
  }
}

/** What a subscription has shown, for a test to wait for. */
export class Seen {
  #last = "nothing";
  #waiting = [];

  show(value) {
    this.#last = JSON.stringify(value);
    for (const check of this.#waiting.splice(0)) check();
  }

  /** Resolves when this is what was shown last. */
  async shows(value) {
    while (this.#last !== JSON.stringify(value)) await new Promise((check) => this.#waiting.push(check));
  }
}
