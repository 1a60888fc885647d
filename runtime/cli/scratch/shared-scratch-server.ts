/** An embedded PostgreSQL for scratch databases that several parts of a command use while it runs. */
import { type ScratchServer, withScratchServer } from "./scratch-databases.ts";

interface OpenServer {
  readonly use: ScratchServer;
  close(): Promise<void>;
}

export class SharedScratchServer {
  #opened: Promise<OpenServer> | undefined;

  /** Starts the server if it does not run. A failed start is repeated by the next use. */
  readonly use: ScratchServer = async (work) => {
    this.#opened ??= openServer();
    const opening = this.#opened;
    try {
      await opening;
    } catch (error) {
      if (this.#opened === opening) this.#opened = undefined;
      throw error;
    }
    return (await opening).use(work);
  };

  /** Stops the server, with its databases. */
  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.close();
  }
}

/** Starts an embedded PostgreSQL that runs until it is closed. */
async function openServer(): Promise<OpenServer> {
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  let ended: Promise<void> = closed;
  const use = await new Promise<ScratchServer>((open, reject) => {
    ended = withScratchServer({ setting: "--database", url: undefined }, async (server) => {
      open(server);
      await closed;
    });
    ended.catch(reject);
  });
  return {
    use,
    close: async () => {
      close();
      await ended;
    },
  };
}
