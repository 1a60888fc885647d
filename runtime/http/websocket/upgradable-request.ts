/**
 * Requests of `node:http` of which only those for a WebSocket leave HTTP. Node takes every request with an `Upgrade`
 * header away from HTTP once a server listens for upgrades, and some clients (curl, Java's) offer HTTP/2 with each of
 * their requests: what is not for us has to be ignored, and the request answered like any other.
 */
import { IncomingMessage } from "node:http";

export class UpgradableRequest extends IncomingMessage {
  // Not a field: the parser sets `upgrade` before this class could initialise one.
  declare private asksForUpgrade: boolean | null;

  /** Asked by the server when all headers are there. */
  get upgrade(): boolean {
    return this.asksForUpgrade === true && this.headers.upgrade?.toLowerCase() === "websocket";
  }

  set upgrade(asks: boolean | null) {
    this.asksForUpgrade = asks;
  }
}
