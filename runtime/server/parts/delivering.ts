/** Which option keeps an instance from delivering, if any does; its log says so at the start. */
import type { Options } from "../../config/option-table.ts";
import type { Siblings } from "../../ports/siblings.ts";

/** Options of what a server does by itself. */
export type AutomaticOptions = Options & {
  /** Another process of the same server does it. */
  readonly isLeftToSibling?: boolean;
};

type Switches = Pick<
  AutomaticOptions,
  "disableEventing" | "disableEventProcessing" | "enableReadOnlyMode" | "enableMaintenanceMode" | "isLeftToSibling"
>;

/** @param siblings the other processes of the server; absent: there are none */
export function automaticOptions(options: Options, siblings: Siblings | undefined): AutomaticOptions {
  return siblings === undefined || siblings.delivers ? options : { ...options, isLeftToSibling: true };
}

/** Nothing happens by itself: another instance does it, or nothing may be written. */
export function idleBy(options: Omit<Switches, "disableEventProcessing">): string | undefined {
  if (options.isLeftToSibling) return "this worker: the first one does it";
  if (options.disableEventing) return "--disable-eventing";
  if (options.enableReadOnlyMode) return "--enable-read-only-mode";
  return options.enableMaintenanceMode ? "--enable-maintenance-mode" : undefined;
}

/**
 * The same for what is delivered.
 * @param own further options, whose 0 stops it
 */
export function undeliveredBy(options: Switches, own: Readonly<Record<string, number>>): string | undefined {
  const idle = idleBy(options);
  if (idle !== undefined) return idle;
  if (options.disableEventProcessing) return "--disable-event-processing";
  const zero = Object.entries(own).find(([, value]) => value === 0);
  return zero && `${zero[0]} 0`;
}
