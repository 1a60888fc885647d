import type { Closing } from "./protocol.ts";

/** What a connection does to its socket. */
export interface Channel {
  send(text: string): void;
  /** Sends one message in two parts. @param ending is not copied: it may be sent to many */
  sendParts(beginning: Buffer, ending: Buffer): void;
  sendKeepAlive(): void;
  /** Much of what was sent has not been read by the client yet. */
  isBusy(): boolean;
  /** Nothing is sent or handled any more. */
  close(closing: Closing): void;
  /** The same, after the messages that have come already. */
  closeAfterWaiting(closing: Closing): void;
}
