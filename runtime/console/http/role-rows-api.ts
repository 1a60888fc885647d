/** Client of the row operations of `/v1/query`, which run with the permissions of a role. */
import { errorOf } from "./api-error.ts";
import type { Row, TableLocation } from "./data-api.ts";
import { exchange } from "./send.ts";

/** Kinds of sources whose rows can be read with the permissions of a role. */
export const readableAsRole: ReadonlySet<string> = new Set(["postgres"]);

async function asRole<T>(headers: Readonly<Record<string, string>>, type: string, args: object): Promise<T> {
  const { status, json } = await exchange("/v1/query", { body: { type, args }, headers, exact: true });
  if (status !== 200) throw errorOf(status, json);
  return json as T;
}

/**
 * Returns the first rows that a role can read, with the columns that it can read.
 * @param session session variables by lower-case name
 * @throws ApiError, also if the filter needs another session variable
 */
export async function rowsOfRole(
  { source, table }: TableLocation,
  role: string,
  session: Readonly<Record<string, string>>,
  limit: number,
): Promise<readonly Row[]> {
  const headers = { ...session, "x-engine-role": role };
  return asRole(headers, "select", { source, table, columns: ["*"], limit });
}
