/** Which option keeps an instance from delivering, if any does; its log says so at the start. */
import type { Options } from "../config/option-table.ts";

type Switches = Pick<
  Options,
  "disableEventing" | "disableEventProcessing" | "enableReadOnlyMode" | "enableMaintenanceMode"
>;

/** Nothing happens by itself: another instance does it, or nothing may be written. */
export function idleBy(options: Omit<Switches, "disableEventProcessing">): string | undefined {
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
