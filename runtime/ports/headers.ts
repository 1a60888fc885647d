/** Headers of a request. */

/**
 * Names in lower case. Values as they came over the wire, one character per byte: what may hold other letters than
 * ASCII is read with `decodeHeader` (runtime/http/auth/headers.ts).
 */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;
