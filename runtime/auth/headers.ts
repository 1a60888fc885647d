/** The request headers that say who asks, and how header values are read. */

export const adminSecretHeader = "x-engine-admin-secret";
/** The older name; when both are sent it is not looked at. */
export const accessKeyHeader = "x-engine-access-key";
export const roleHeader = "x-engine-role";
export const backendOnlyHeader = "x-engine-use-backend-only-permissions";

/** The UTF-8 text of a header value, which arrives as one character per byte. */
export function decodeHeader(value: string): string {
  return /[\x80-\xff]/.test(value) ? Buffer.from(value, "latin1").toString("utf8") : value;
}
