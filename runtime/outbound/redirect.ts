/** Where a redirect leads. What a call carries is meant for the service that the metadata names, and for no other. */
import type { HttpCall, HttpReply } from "./http-call.ts";

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Those that keep method and body. */
const repeating: ReadonlySet<number> = new Set([307, 308]);

export function isRedirect({ status }: HttpReply): boolean {
  return redirects.has(status);
}

/**
 * The call that a reply asks for; `null`: none.
 * @throws Error when it leads to another origin, which would get headers and body, or loses TLS on the way
 */
export function redirected(call: HttpCall, reply: HttpReply): HttpCall | null {
  const { status, headers } = reply;
  const { location } = headers;
  if (!isRedirect(reply) || typeof location !== "string" || !URL.canParse(location, call.url)) return null;
  const from = new URL(call.url);
  const to = new URL(location, from);
  if (to.origin !== from.origin) {
    throw new Error(`the service redirects to another origin, ${to.origin}, which is not followed: name it directly`);
  }
  if (repeating.has(status) || call.method === "GET") return { ...call, url: to.href };
  // As browsers do: the answer to what was posted is found elsewhere.
  const { body: _, bytes: __, ...rest } = call;
  return { ...rest, method: "GET", url: to.href };
}
