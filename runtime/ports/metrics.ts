/** Types of metrics. Code that records metrics receives `Meters`, which have no effect if metrics are disabled. */
import { type MetricName, type MetricTable, metricTable } from "./metric-table.ts";

type Labels<Name extends MetricName> = Readonly<Record<MetricTable[Name]["labels"][number], string>>;

/** Labels that identify an operation in metrics. They contain no values of the request. */
export interface OperationIdentity {
  readonly operation_name: string;
  /** Equal for operations that differ only in literals. */
  readonly parameterized_query_hash: string;
}

/** Identity where there is no operation or it cannot be parsed. */
export const noIdentity: OperationIdentity = { operation_name: "", parameterized_query_hash: "" };

/** Omits the argument for metrics without labels. */
type LabelArguments<Name extends MetricName> = MetricTable[Name]["labels"] extends readonly []
  ? []
  : [labels: Labels<Name>];

export interface Counter<Name extends MetricName> {
  /**
   * Adds to the counter.
   * @param count not negative
   */
  add(count: number, ...labels: LabelArguments<Name>): void;
  /** Returns an instrument for fixed labels, which avoids a lookup per request. */
  of(...labels: LabelArguments<Name>): Adder;
}

export interface Adder {
  add(count: number): void;
}

interface Gauge<Name extends MetricName> {
  set(value: number, ...labels: LabelArguments<Name>): void;
  add(change: number, ...labels: LabelArguments<Name>): void;
  /** Removes all series, including series of objects that no longer exist. */
  clear(): void;
}

interface Histogram<Name extends MetricName> {
  /** Records a value, usually in seconds. */
  record(value: number, ...labels: LabelArguments<Name>): void;
  /** Returns an instrument for fixed labels. */
  of(...labels: LabelArguments<Name>): Recorder;
}

export interface Recorder {
  record(value: number): void;
}

type Instrument<Name extends MetricName> = MetricTable[Name]["kind"] extends "counter"
  ? Counter<Name>
  : MetricTable[Name]["kind"] extends "gauge"
    ? Gauge<Name>
    : Histogram<Name>;

export type Meters = { readonly [Name in MetricName]: Instrument<Name> } & {
  /** True if metrics are enabled. Code can check it before computing values. */
  readonly isOn: boolean;
  /** Registers a listener that runs before the metrics are read, to set gauges. It must be fast. */
  onRead(listener: () => void): void;
};

const nothing = (): void => undefined;
const noInstrument = { add: nothing, set: nothing, clear: nothing, record: nothing, of: () => noInstrument };
const noInstruments = Object.fromEntries(Object.keys(metricTable).map((name) => [name, noInstrument]));

/** Metrics without effect, for code that runs outside a server. */
export const noMeters = { ...noInstruments, isOn: false, onRead: nothing } as unknown as Meters;
