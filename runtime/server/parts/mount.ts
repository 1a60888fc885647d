/** A server that does not listen, for a host program with its own listener. Opened by the first request. */
import type { App } from "../../http/app.ts";
import type { Mounted } from "../../http/mounted.ts";
import { unavailable } from "../../http/unavailable.ts";

export interface MountParts {
  /** Opens the server; the next request retries after a failure. */
  readonly open: () => Promise<App>;
  /** Receives the reason for a failure. */
  readonly reportBug: (error: unknown, requestId: string) => unknown;
}

export class Mount implements Mounted, Pick<App, "close" | "terminate" | "inProgress"> {
  readonly #parts: MountParts;
  #mounted: Promise<Mounted> | undefined;
  #app: App | undefined;
  #isClosed = false;

  constructor(parts: MountParts) {
    this.#parts = parts;
  }

  readonly listener: Mounted["listener"] = (request, reply) => {
    void this.#mount().then(({ listener }) => listener(request, reply));
  };

  readonly upgrade: Mounted["upgrade"] = (request, socket, head) => {
    void this.#mount().then(({ upgrade }) => upgrade(request, socket, head));
  };

  readonly fetch: Mounted["fetch"] = async (request, peer) => (await this.#mount()).fetch(request, peer);

  metadataChanged(): void {
    this.#app?.metadataChanged();
  }

  /** Closes the server. Requests that arrive before it resolves are served. */
  async close(): Promise<void> {
    await this.#mounted;
    await this.#app?.close();
    this.#isClosed = true;
  }

  terminate(): void {
    this.#isClosed = true;
    this.#app?.terminate();
  }

  inProgress(): ReturnType<App["inProgress"]> {
    return this.#app?.inProgress() ?? [];
  }

  #mount(): Promise<Mounted> {
    if (this.#isClosed) return closed;
    this.#mounted ??= this.#open();
    return this.#mounted;
  }

  async #open(): Promise<Mounted> {
    try {
      const app = await this.#parts.open();
      const mounted = await app.mount();
      this.#app = app;
      return mounted;
    } catch (error) {
      this.#mounted = undefined;
      this.#parts.reportBug(error, "");
      return broken;
    }
  }
}

const closed = Promise.resolve(unavailable(503, "the engine is closed"));
const broken = unavailable(500, "Internal Server Error");
