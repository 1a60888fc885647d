/** Two clocks that tell each other's mistakes: neither stands still while the process does. Both in milliseconds. */

export interface Clocks {
  /** Stops with some machines. */
  monotonic(): number;
  /** May be set. */
  wall(): number;
}

export const systemClocks: Clocks = { monotonic: () => performance.now(), wall: () => Date.now() };

/** A point on both. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

export function momentOf(clocks: Clocks): Moment {
  return { monotonic: clocks.monotonic(), wall: clocks.wall() };
}

/** The longer of the two times that have passed. */
export function millisecondsSince({ monotonic, wall }: Moment, clocks: Clocks): number {
  return Math.max(clocks.monotonic() - monotonic, clocks.wall() - wall);
}
