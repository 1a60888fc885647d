/** What a transaction takes a connection for. */
import type { TransactionOptions } from "../source.ts";
import type { Use } from "./taker-queue.ts";

/** Only what need not run to its end has a caller: a query, though it may call functions that write. */
export function useFor({ readOnly = false, caller, timeoutMilliseconds: limitMilliseconds }: TransactionOptions): Use {
  return { kind: readOnly || caller !== undefined ? "read" : "write", caller, limitMilliseconds };
}
