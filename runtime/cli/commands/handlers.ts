/** `engine handlers`: writes typed handlers of actions, event triggers and cron triggers, or serves mocks of them. */

import type { Handlers } from "../../../compiler/handlers/handlers.ts";
import type { HandlerOptions } from "../../../compiler/handlers/handlers-of.ts";
import { stopSignal } from "../../server/parts/stop-signal.ts";
import { EngineError } from "../../values/errors.ts";
import { report } from "../compile/analyze-input.ts";
import { commandFailure } from "../failure.ts";
import { type HandlersInput, readHandlers } from "../handlers/handlers-input.ts";
import { type MockServer, startMock } from "../handlers/mock-server.ts";
import { writeHandlers } from "../handlers/write-handlers.ts";
import { changesOf, metadataState } from "../project/changes.ts";
import { readScalars } from "../project/scalar-types.ts";

export interface HandlersCommandOptions extends HandlersInput {
  /** The folder to write. */
  readonly out?: string;
  /** TypeScript types of custom scalars, for example `Money=string`. */
  readonly scalar?: readonly string[];
  /** If true, keeps running and writes the files again after each change. */
  readonly watch?: boolean;
  /** If true, serves random responses of the declared types. */
  readonly mock?: boolean;
  /** Port of the mock server. */
  readonly port: string;
  readonly seed: string;
}

/**
 * Resolves to the exit code. Prints problems, writes nothing and resolves to 1 if the metadata is invalid or objects
 * that handlers depend on are inconsistent. With `watch` or `mock` it runs until a signal.
 * @throws EngineError if files, the database or the server cannot be read, or the folder cannot be written
 */
export async function handlersCommand(options: HandlersCommandOptions): Promise<number> {
  const { out, watch = false, mock = false } = options;
  if (out === undefined && !mock)
    throw usageError("no output: pass --out to write handlers, or --mock to serve random responses");
  const handlerOptions: HandlerOptions = { scalars: readScalars(options.scalar ?? []) };
  const stopped = new AbortController();
  if (watch || mock) void stopSignal().then(() => stopped.abort());
  const server = mock ? await serveMock(options) : undefined;
  const run = async (): Promise<number> => {
    const found = await readHandlers(options, handlerOptions);
    if ("problems" in found) return report(found.problems);
    if (out !== undefined) await write(out, found.handlers);
    if (server) {
      server.setHandlers(found.handlers);
      process.stdout.write(`mocking ${found.handlers.handlers.length} handlers at ${server.url}\n`);
    }
    return 0;
  };
  try {
    if (watch) return await keepUpToDate(options, run, stopped.signal);
    const code = await run();
    if (server && code === 0) await ended(stopped.signal);
    return code;
  } finally {
    await server?.close();
  }
}

const usageError = (message: string): EngineError => new EngineError("invalid-params", "$", message);

async function write(out: string, handlers: Handlers): Promise<void> {
  const { created, updated, remarks } = await writeHandlers(out, handlers);
  process.stderr.write(remarks.map((remark) => `${remark}\n`).join(""));
  const count = handlers.handlers.length;
  process.stdout.write(`wrote ${out}: ${count} handlers, ${created.length} created, ${updated.length} updated\n`);
}

function serveMock({ port, seed }: HandlersCommandOptions): Promise<MockServer> {
  return startMock({ port: wholeNumber("--port", port, 65_535), seed });
}

function wholeNumber(option: string, text: string, max: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= max) return number;
  throw usageError(`${option} ${text}: expected a whole number up to ${max}`);
}

/** Runs after each change. Prints errors and continues, since the next change may fix them. */
async function keepUpToDate(input: HandlersInput, run: () => Promise<number>, signal: AbortSignal): Promise<number> {
  for await (const _ of changesOf({ metadata: await metadataState(input) }, signal)) {
    await run().catch((error: unknown) => process.stderr.write(`${commandFailure(error)}\n`));
  }
  return 0;
}

function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
