/** Reads secrets from files again while the server runs, on SIGHUP and when a file changes. */
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { hasSecretFiles, readSecretFiles } from "../../config/secret-files.ts";
import type { Log } from "../../observe/logs/log.ts";

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

export class SecretRotation {
  readonly #settings: RotationSettings;
  readonly #steps: RotationStep[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #onSignal = (): void => void this.refresh();
  #values: ReadonlyMap<string, string>;
  #running: Promise<void> = Promise.resolve();
  /** The last failure, which is logged once. */
  #failure: string | undefined;

  private constructor(settings: RotationSettings) {
    this.#settings = settings;
    this.#values = readSecretFiles(settings.environment);
    this.#timer = setInterval(this.#onSignal, settings.interval ?? comparisonInterval).unref();
    process.on("SIGHUP", this.#onSignal);
  }

  /**
   * Begins to watch the files.
   * @returns undefined if no variable names a file; SIGHUP then ends the process as usual
   * @throws ConfigurationError
   */
  static open(settings: RotationSettings): SecretRotation | undefined {
    return hasSecretFiles(settings.environment) ? new SecretRotation(settings) : undefined;
  }

  /** Adds a step. After a rejection, the next comparison of the files runs all steps again. */
  follow(step: RotationStep): void {
    this.#steps.push(step);
  }

  /** Compares the files and applies changes. Never rejects: a failure is logged, and all values remain in use. */
  refresh(): Promise<void> {
    this.#running = this.#running.then(() => this.#compare()).catch((error: unknown) => this.#report(error));
    return this.#running;
  }

  close(): void {
    clearInterval(this.#timer);
    process.off("SIGHUP", this.#onSignal);
  }

  async #compare(): Promise<void> {
    const { environment, parse, log } = this.#settings;
    const values = readSecretFiles(environment);
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
    const reason = error instanceof Error ? error.message : String(error);
    if (reason === this.#failure) return;
    this.#failure = reason;
    this.#settings.log.error("unstructured", { message: `Kept the previous secrets: ${reason}` });
  }
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
