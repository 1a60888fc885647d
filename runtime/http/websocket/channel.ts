import type { OperationIdentity } from "../../ports/metrics.ts";
import type { Closing } from "./protocol.ts";

/** The operations of a connection on its socket. */
export interface Channel {
  /** @param operation the operation that the message belongs to */
  send(text: string, operation?: OperationIdentity): void;
  /**
   * Sends one message in two parts.
   * @param ending the second part; not copied, because many clients may share it
   */
  sendParts(beginning: Buffer, ending: Buffer, operation?: OperationIdentity): void;
  sendKeepAlive(): void;
  /** Returns true if the client is a slow consumer: deferrable updates are held back. */
  isBusy(): boolean;
  /** Closes the socket; nothing is sent or handled afterwards. */
  close(closing: Closing): void;
  /** Closes the socket after the queued messages have been handled. */
  closeAfterQueued(closing: Closing): void;
}
