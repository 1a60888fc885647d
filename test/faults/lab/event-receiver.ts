/** The webhook for events: fails some requests, and records all arrivals. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "./random.ts";

export interface Arrival {
  readonly event: string;
  readonly trigger: string;
  /** Key of the row. */
  readonly key: number;
  readonly number: number;
  /** Time on the clock of this machine, which the database shares. */
  readonly arrived: number;
  /** `undefined` if not yet responded, or if the sender disconnected before. */
  answered: { readonly at: number; readonly status: number } | undefined;
}

/** Contents of a request. */
export type Told = Pick<Arrival, "event" | "trigger" | "key" | "number">;

interface EventBody {
  readonly id: string;
  readonly trigger: { readonly name: string };
  readonly event: { readonly data: { readonly new: { readonly key: number; readonly number: number } } };
}

/** Parses the payload of an event trigger whose rows have a key and a number. */
export function rowEvent(text: string): Told {
  const { id, trigger, event } = JSON.parse(text) as EventBody;
  const { key, number } = event.data.new;
  return { event: id, trigger: trigger.name, key, number };
}

export interface ReceiverSettings {
  /** Parses a request; default `rowEvent`. */
  readonly read?: (text: string) => Told;
  readonly random: Random;
  /** Fraction of requests that fail with status 500. */
  readonly failing: number;
  /** Maximum response time in milliseconds. */
  readonly slowest: number;
}

export class EventReceiver {
  readonly arrivals: Arrival[] = [];
  readonly #server: Server;
  readonly #settings: ReceiverSettings;

  private constructor(settings: ReceiverSettings) {
    this.#settings = settings;
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        void this.#receive(Buffer.concat(parts).toString("utf8")).then((status) => {
          response.statusCode = status;
          response.end("{}");
        });
      });
      // A killed sender resets its connections.
      request.on("error", () => undefined);
    });
  }

  static async open(settings: ReceiverSettings): Promise<EventReceiver> {
    const receiver = new EventReceiver(settings);
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async #receive(text: string): Promise<number> {
    const { random, failing, slowest, read = rowEvent } = this.#settings;
    const arrival: Arrival = { ...read(text), arrived: Date.now(), answered: undefined };
    this.arrivals.push(arrival);
    await delay(random() * slowest);
    const status = random() < failing ? 500 : 200;
    arrival.answered = { at: Date.now(), status };
    return status;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
