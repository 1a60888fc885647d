/** Counts requests, failures, time and response sizes by role since the start of the process, for `get_role_usage`. */
import type { RoleUsageSink } from "../../ports/services.ts";

/** An entry in the response of `get_role_usage`. */
interface RoleUsageEntry {
  /** `null` for all roles beyond the maximum number of entries. */
  readonly role: string | null;
  readonly count: number;
  readonly failed: number;
  /** In seconds. */
  readonly total_time: number;
  readonly response_bytes: number;
}

interface RoleUsageList {
  /** Time since which requests are counted, in ISO 8601. */
  readonly since: string;
  /** The role with the most time first. */
  readonly roles: readonly RoleUsageEntry[];
}

interface Counters {
  count: number;
  failed: number;
  milliseconds: number;
  bytes: number;
}

const none = (): Counters => ({ count: 0, failed: 0, milliseconds: 0, bytes: 0 });

/** Requests with the admin secret may name any role, so that the number and the size of entries are limited. */
const maxRoles = 1000;
const maxNameLength = 200;

export class RoleUsage implements RoleUsageSink {
  readonly #since = new Date().toISOString();
  readonly #counters = new Map<string, Counters>();
  readonly #others = none();

  note(role: string, hasFailed: boolean, milliseconds: number, bytes: number): void {
    const counters = this.#counters.get(role) ?? this.#add(role);
    counters.count++;
    if (hasFailed) counters.failed++;
    counters.milliseconds += milliseconds;
    counters.bytes += bytes;
  }

  list(): RoleUsageList {
    const counters: [string | null, Counters][] = [...this.#counters];
    if (this.#others.count > 0) counters.push([null, this.#others]);
    const roles = counters
      .sort(([, one], [, other]) => other.milliseconds - one.milliseconds)
      .map(([role, { count, failed, milliseconds, bytes }]) => ({
        role,
        count,
        failed,
        total_time: Math.round(milliseconds * 1000) / 1_000_000,
        response_bytes: bytes,
      }));
    return { since: this.#since, roles };
  }

  #add(role: string): Counters {
    if (this.#counters.size >= maxRoles || role.length > maxNameLength) return this.#others;
    const counters = none();
    this.#counters.set(role, counters);
    return counters;
  }
}
