/** Two clocks in milliseconds for detecting that the process was suspended. Each compensates for the other's faults. */

export interface Clocks {
  /** May stop while the machine is suspended. */
  monotonic(): number;
  /** May be adjusted. */
  wall(): number;
}

export const systemClocks: Clocks = { monotonic: () => performance.now(), wall: () => Date.now() };

/** One instant on both clocks. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

export function momentOf(clocks: Clocks): Moment {
  return { monotonic: clocks.monotonic(), wall: clocks.wall() };
}

/** Returns the longer of the two elapsed times. */
export function millisecondsSince({ monotonic, wall }: Moment, clocks: Clocks): number {
  return Math.max(clocks.monotonic() - monotonic, clocks.wall() - wall);
}
