/** Request headers. */

/**
 * Names in lower case. Values as received, one character per byte. Values with non-ASCII characters are decoded with
 * `decodeHeader` (runtime/http/auth/headers.ts).
 */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;
