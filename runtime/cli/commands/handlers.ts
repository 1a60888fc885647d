/** `engine handlers`: the other end of actions, event triggers and cron triggers, typed; or a mock of it. */

import type { Handlers } from "../../../compiler/handlers/handlers.ts";
import type { HandlerOptions, ScalarChoice } from "../../../compiler/handlers/handlers-of.ts";
import { scalarChoices } from "../../../compiler/handlers/handlers-of.ts";
import { stopSignal } from "../../server/parts/stop-signal.ts";
import { EngineError } from "../../values/errors.ts";
import { report } from "../compile/analyze-input.ts";
import { commandFailure } from "../failure.ts";
import { type HandlersInput, readHandlers } from "../handlers/handlers-input.ts";
import { type MockServer, startMock } from "../handlers/mock-server.ts";
import { changesOf } from "../handlers/watch.ts";
import { writeHandlers } from "../handlers/write-handlers.ts";

export interface HandlersCommandOptions extends HandlersInput {
  /** The folder to write. */
  readonly out?: string;
  /** `Money=string`: what values of custom scalars are. */
  readonly scalar?: readonly string[];
  /** Go on, and write again after each change. */
  readonly watch?: boolean;
  /** Serve made-up answers. */
  readonly mock?: boolean;
  /** Of the mock server. */
  readonly port: string;
  readonly seed: string;
}

/**
 * Resolves to the exit code: 1, with a line for each mistake, when the metadata is invalid or what handlers depend on
 * is inconsistent; then nothing is written. With `watch` or `mock` it goes on until a signal.
 * @throws EngineError when files, the database or the server cannot be read, or the folder cannot be written
 */
export async function handlersCommand(options: HandlersCommandOptions): Promise<number> {
  const { out, watch = false, mock = false } = options;
  if (out === undefined && !mock)
    throw usageError("say where to write with --out, or serve made-up answers with --mock");
  const handlerOptions = { scalars: scalarsOf(options.scalar ?? []) };
  const stopped = new AbortController();
  if (watch || mock) void stopSignal().then(() => stopped.abort());
  const server = mock ? await serveMock(options) : undefined;
  const run = async (): Promise<number> => {
    const found = await readHandlers(options, handlerOptions);
    if ("problems" in found) return report(found.problems);
    if (out !== undefined) await write(out, found.handlers);
    if (server) {
      server.setHandlers(found.handlers);
      process.stdout.write(`mock of ${found.handlers.handlers.length} handlers at ${server.url}\n`);
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

const isChoice = (text: string): text is ScalarChoice => (scalarChoices as readonly string[]).includes(text);

function scalarsOf(given: readonly string[]): HandlerOptions["scalars"] {
  return new Map(
    given.map((text) => {
      const [name = "", type = ""] = text.split("=", 2);
      if (name !== "" && isChoice(type)) return [name, type];
      throw usageError(`--scalar ${text}: expected the name of a scalar, "=" and one of ${scalarChoices.join(", ")}`);
    }),
  );
}

async function write(out: string, handlers: Handlers): Promise<void> {
  const { begun, updated, remarks } = await writeHandlers(out, handlers);
  process.stderr.write(remarks.map((remark) => `${remark}\n`).join(""));
  const count = handlers.handlers.length;
  process.stdout.write(`wrote ${out}: ${count} handlers, ${begun.length} begun, ${updated.length} updated\n`);
}

function serveMock({ port, seed }: HandlersCommandOptions): Promise<MockServer> {
  return startMock({ port: wholeNumber("--port", port, 65_535), seed });
}

function wholeNumber(option: string, text: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw usageError(`${option} ${text}: expected a number up to ${most}`);
}

/** What cannot be read now may be readable after the next change: the command goes on. */
async function keepUpToDate(
  options: HandlersCommandOptions,
  run: () => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  for await (const _ of changesOf(options, signal)) {
    await run().catch((error: unknown) => process.stderr.write(`${commandFailure(error)}\n`));
  }
  return 0;
}

function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
