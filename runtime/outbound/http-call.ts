/** A call of another service, its reply, and the bounds of both. */
import type { Caller } from "../values/caller.ts";
import type { OutboundRules } from "../values/outbound-rules.ts";
import type { Span } from "../values/span.ts";

export interface HttpClientLimits {
  /** For a whole call that does not say, the wait for a connection included. */
  readonly milliseconds: number;
  readonly connections: number;
  /** Of one service: more fail at once, so that calls to a dead one do not pile up, and others are called all the same. */
  readonly callsAtOnce: number;
  /** A longer answer fails; `Infinity` where calls say how much of it they keep. */
  readonly responseBytes: number;
  /** How many are followed; 0 where what is sent along is meant for one service only. */
  readonly redirects: number;
  /** Where they may go; absent: everywhere but where credentials are given away. */
  readonly outbound?: OutboundRules;
}

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  /** One character per byte. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** Instead of `body`: what is no text, in chunks. */
  readonly bytes?: readonly Uint8Array[];
  /** Instead of the client's limit. */
  readonly milliseconds?: number;
  /** Who waits for the reply; the call ends when nobody does. */
  readonly caller?: Caller | undefined;
  /** The step of a trace that the call is, and nothing else; it is told of the call and its reply. */
  readonly span?: Span | undefined;
  /** So many bytes of the answer are read; a longer one is cut, not refused. */
  readonly keptBytes?: number;
}

export interface HttpReply {
  readonly status: number;
  /** Names in lower case, values with one character per byte. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** There was more. */
  readonly isCut?: true;
}
