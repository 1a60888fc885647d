/** Determines the option that disables delivery on an instance, for its start-up log. */
import type { Options } from "../../config/option-table.ts";
import type { Siblings } from "../../ports/siblings.ts";

/** The options of background work. */
export type AutomaticOptions = Options & {
  /** True if another worker of the server does this work. */
  readonly isLeftToSibling?: boolean;
};

type Switches = Pick<
  AutomaticOptions,
  "disableEventing" | "disableEventProcessing" | "enableReadOnlyMode" | "enableMaintenanceMode" | "isLeftToSibling"
>;

/** @param siblings the other worker processes, if any */
export function automaticOptions(options: Options, siblings: Siblings | undefined): AutomaticOptions {
  return siblings === undefined || siblings.delivers ? options : { ...options, isLeftToSibling: true };
}

/** Returns the reason for doing no background work, if any: another worker does it, or writes are disabled. */
export function idleBy(options: Omit<Switches, "disableEventProcessing">): string | undefined {
  if (options.isLeftToSibling) return "this worker; the first one delivers";
  if (options.disableEventing) return "--disable-eventing";
  if (options.enableReadOnlyMode) return "--enable-read-only-mode";
  return options.enableMaintenanceMode ? "--enable-maintenance-mode" : undefined;
}

/**
 * Returns the reason why no events are delivered, if any.
 * @param own further options, each of which disables delivery if it is 0
 */
export function undeliveredBy(options: Switches, own: Readonly<Record<string, number>>): string | undefined {
  const idle = idleBy(options);
  if (idle !== undefined) return idle;
  if (options.disableEventProcessing) return "--disable-event-processing";
  const zero = Object.entries(own).find(([, value]) => value === 0);
  return zero && `${zero[0]} 0`;
}
