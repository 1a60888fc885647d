/**
 * Reads secrets from files and commands again while the server runs: all on SIGHUP, files when they change, and commands
 * every five minutes.
 */

import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { hasSecretCommands, joinSecrets, nameOfCommand, runSecretCommands } from "../../config/secret-commands.ts";
import { hasSecretFiles, readSecretFiles } from "../../config/secret-files.ts";
import type { Log } from "../../observe/logs/log.ts";
import { messageOf } from "../../values/message-of.ts";

interface RotatedSecrets {
  /** Values that have changed, by the names of variables; `undefined` for a removed file. */
  readonly changed: ReadonlyMap<string, string | undefined>;
  /** All options with the new values. */
  readonly options: Options;
}

/**
 * Checks new values without an effect, and returns a function that applies them. Rejects values that it cannot use: then
 * no step applies any.
 */
export type RotationStep = (rotated: RotatedSecrets) => (() => void) | Promise<() => void>;

export interface RotationSettings {
  /** The environment of the process. */
  readonly environment: Environment;
  /** The same with the values of files and commands that are in use. */
  readonly current: Environment;
  /**
   * Parses the options with an environment.
   * @throws ConfigurationError
   */
  readonly parse: (environment: Environment) => Options;
  readonly log: Log;
  /** Interval in milliseconds between comparisons of the files. */
  readonly interval?: number;
}

const comparisonInterval = 5000;

/** Interval in milliseconds between runs of the commands. */
const commandInterval = 300_000;

export class SecretRotation {
  readonly #settings: RotationSettings;
  readonly #steps: RotationStep[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #onSignal = (): void => void this.refresh();
  #values: ReadonlyMap<string, string>;
  /** Values that the commands have printed. */
  #printed: ReadonlyMap<string, string>;
  /** When the commands last ran, on the clock of `performance.now`. */
  #ranAt = performance.now();
  #running: Promise<void> = Promise.resolve();
  /** The last failure, which is logged once. */
  #failure: string | undefined;

  private constructor(settings: RotationSettings) {
    this.#settings = settings;
    const { environment, current } = settings;
    const files = readSecretFiles(environment);
    this.#printed = printedValues(environment, current);
    // A file that has changed since the start differs from its value in use.
    const used = [...files].flatMap(([name]) => (current[name] === undefined ? [] : [[name, current[name]] as const]));
    this.#values = new Map([...used, ...this.#printed]);
    this.#timer = setInterval(() => void this.#tick(), settings.interval ?? comparisonInterval).unref();
    process.on("SIGHUP", this.#onSignal);
  }

  /**
   * Begins to watch the files.
   * @returns undefined if no variable names a file or a command; SIGHUP then ends the process as usual
   * @throws ConfigurationError
   */
  static open(settings: RotationSettings): SecretRotation | undefined {
    const { environment } = settings;
    return hasSecretFiles(environment) || hasSecretCommands(environment) ? new SecretRotation(settings) : undefined;
  }

  /** Adds a step. After a rejection, the next comparison of the files runs all steps again. */
  follow(step: RotationStep): void {
    this.#steps.push(step);
  }

  /**
   * Runs the commands, compares all values and applies changes. Never rejects: a failure is logged, and all values remain
   * in use.
   */
  refresh(): Promise<void> {
    return this.#enqueue(async () => {
      this.#ranAt = performance.now();
      const printed = await runSecretCommands(this.#settings.environment);
      await this.#compare(printed);
      this.#printed = printed;
    });
  }

  /** Compares the files, and refreshes the values of commands if they are due. */
  #tick(): Promise<void> {
    const isDue = this.#printed.size > 0 && performance.now() - this.#ranAt >= commandInterval;
    return isDue ? this.refresh() : this.#enqueue(() => this.#compare(this.#printed));
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#running = this.#running.then(work).catch((error: unknown) => this.#report(error));
    return this.#running;
  }

  close(): void {
    clearInterval(this.#timer);
    process.off("SIGHUP", this.#onSignal);
  }

  async #compare(printed: ReadonlyMap<string, string>): Promise<void> {
    const { environment, parse, log } = this.#settings;
    const values = joinSecrets(environment, readSecretFiles(environment), printed);
    const names = [...new Set([...values.keys(), ...this.#values.keys()])];
    const changed = new Map(
      names.filter((name) => values.get(name) !== this.#values.get(name)).map((name) => [name, values.get(name)]),
    );
    if (changed.size === 0) return;
    const options = parse({ ...environment, ...Object.fromEntries(values) });
    const applications: (() => void)[] = [];
    for (const step of this.#steps) applications.push(await step({ changed, options }));
    for (const apply of applications) apply();
    this.#values = values;
    this.#failure = undefined;
    log.info("unstructured", { message: `Applied new values of ${[...changed.keys()].sort().join(", ")}` });
  }

  #report(error: unknown): void {
    const reason = messageOf(error);
    if (reason === this.#failure) return;
    this.#failure = reason;
    this.#settings.log.error("unstructured", { message: `Kept the previous secrets: ${reason}` });
  }
}

/** Returns the values of commands in an environment that contains them. */
function printedValues(environment: Environment, current: Environment): ReadonlyMap<string, string> {
  const names = Object.keys(environment).flatMap((name) => nameOfCommand(name) ?? []);
  return new Map(names.flatMap((name) => (current[name] === undefined ? [] : [[name, current[name]] as const])));
}

/** Returns a step that changes an environment whose values are resolved on use. */
export function rotateEnvironment(environment: Record<string, string | undefined>): RotationStep {
  return ({ changed, options }) =>
    () => {
      for (const [name, value] of changed) environment[name] = value;
      // A flag takes precedence over the file.
      const url = options.databaseUrl?.reveal();
      if (changed.has(sourceVariable) && url !== undefined) environment[sourceVariable] = url;
    };
}

const sourceVariable = "ENGINE_GRAPHQL_DATABASE_URL";
