import type { OperationIdentity } from "../../ports/metrics.ts";
import type { Closing } from "./protocol.ts";

/** What a connection does to its socket. */
export interface Channel {
  /** @param about the operation that it belongs to */
  send(text: string, about?: OperationIdentity): void;
  /** Sends one message in two parts. @param ending is not copied: it may be sent to many */
  sendParts(beginning: Buffer, ending: Buffer, about?: OperationIdentity): void;
  sendKeepAlive(): void;
  /** Much of what was sent has not been read by the client yet. */
  isBusy(): boolean;
  /** Nothing is sent or handled any more. */
  close(closing: Closing): void;
  /** The same, after the messages that have come already. */
  closeAfterWaiting(closing: Closing): void;
}
