/** Types of calls to other services, their replies, and their limits. */
import type { Caller } from "../values/caller.ts";
import type { OutboundRules } from "../values/outbound-rules.ts";
import type { Span } from "../values/span.ts";

export interface HttpClientLimits {
  /** Default timeout of a call in milliseconds, including the wait for a connection. */
  readonly milliseconds: number;
  readonly connections: number;
  /**
   * Maximum number of concurrent calls per origin. Further calls fail immediately, so that calls to an unresponsive
   * service do not pile up, and other services are unaffected.
   */
  readonly callsAtOnce: number;
  /** Maximum size of a response; `Infinity` if calls set `keptBytes`. */
  readonly responseBytes: number;
  /** Maximum number of followed redirects; 0 if calls carry credentials for one service only. */
  readonly redirects: number;
  /** Permitted destinations; absent for the default rules, which exclude metadata services. */
  readonly outbound?: OutboundRules;
}

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  /** One character per byte. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** Binary body in chunks, instead of `body`. */
  readonly bytes?: readonly Uint8Array[];
  /** Overrides the client's timeout. */
  readonly milliseconds?: number;
  /** Caller whose disconnection aborts the call. */
  readonly caller?: Caller | undefined;
  /** Span of this call only. Its attributes are set from the request and the reply. */
  readonly span?: Span | undefined;
  /** Number of response bytes to read. A longer response is cut, not rejected. */
  readonly keptBytes?: number;
}

export interface HttpReply {
  readonly status: number;
  /** Names in lower case, values with one character per byte. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** Present if the response exceeded `keptBytes` and was cut. */
  readonly isCut?: true;
}
