/** The effects of a fault, as a row of a table. */

export interface Figures {
  readonly requests?: number;
  readonly failed?: number;
  /** In milliseconds. */
  readonly longestWait?: number;
  /** Milliseconds from the end of the fault until all clients were served again. */
  readonly recovery?: number;
  /** Bytes before and after. */
  readonly memory?: readonly [number, number];
  readonly descriptors?: readonly [number, number];
}

export interface Outcome {
  readonly figures: Figures;
  /** Violated bounds and guarantees; empty if the case passed. */
  readonly broken: readonly string[];
}

/** The reason why a fault cannot be simulated on this machine. */
export interface Skipped {
  readonly skipped: string;
}

const columns = [
  ["fault", 34],
  ["requests", 9],
  ["failed", 7],
  ["longest wait", 13],
  ["recovery", 9],
  ["memory MB", 12],
  ["descriptors", 12],
] as const;

const line = (cells: readonly string[]): string =>
  cells
    .map((cell, index) => (index === 0 ? cell.padEnd(columns[0][1]) : cell.padStart(columns[index]?.[1] ?? 0)))
    .join(" ");

export const heading = (): string => `${line(columns.map(([name]) => name))}  verdict`;

export function rowOf(name: string, result: Outcome | Skipped): string {
  if ("skipped" in result) return `${name.padEnd(columns[0][1])} skipped: ${result.skipped}`;
  const { requests, failed, longestWait, recovery, memory, descriptors } = result.figures;
  const cells = [
    name,
    numberOf(requests),
    numberOf(failed),
    secondsOf(longestWait),
    secondsOf(recovery),
    change(memory?.map((bytes) => Math.round(bytes / 1024 / 1024))),
    change(descriptors),
  ];
  const [first, ...more] = result.broken;
  const verdict = first === undefined ? "passed" : `FAILED: ${[first, ...more].join("; ")}`;
  return `${line(cells)}  ${verdict}`;
}

const numberOf = (value: number | undefined): string => (value === undefined ? "-" : String(value));
const secondsOf = (value: number | undefined): string => (value === undefined ? "-" : `${(value / 1000).toFixed(1)} s`);
const change = (values: readonly number[] | undefined): string => (values === undefined ? "-" : values.join(" → "));
