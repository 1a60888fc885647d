/** What is counted while the server works. Whoever counts holds `Meters`; where nobody reads them they do nothing. */
import { type MetricName, type MetricTable, metricTable } from "./metric-table.ts";

type Labels<Name extends MetricName> = Readonly<Record<MetricTable[Name]["labels"][number], string>>;

/** What metrics call an operation. Texts are those of its author, without any value. */
export interface OperationIdentity {
  readonly operation_name: string;
  /** The same for operations that differ in literal values only. */
  readonly parameterized_query_hash: string;
}

/** Of what belongs to no operation, or to one that could not be read. */
export const noIdentity: OperationIdentity = { operation_name: "", parameterized_query_hash: "" };

/** Labels may be left out of metrics that have none. */
type Given<Name extends MetricName> = MetricTable[Name]["labels"] extends readonly [] ? [] : [labels: Labels<Name>];

export interface Counter<Name extends MetricName> {
  /** @param count not negative */
  add(count: number, ...labels: Given<Name>): void;
  /** The same for one set of labels, found once: for what every request counts. */
  of(...labels: Given<Name>): Adder;
}

export interface Adder {
  add(count: number): void;
}

interface Gauge<Name extends MetricName> {
  set(value: number, ...labels: Given<Name>): void;
  add(change: number, ...labels: Given<Name>): void;
  /** Forgets all values: of what is gone none is shown. */
  clear(): void;
}

interface Histogram<Name extends MetricName> {
  /** @param value mostly seconds */
  record(value: number, ...labels: Given<Name>): void;
  /** The same for one set of labels, found once. */
  of(...labels: Given<Name>): Recorder;
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
  /** Whether anybody reads them, as of now: spares the work of finding out what to count. */
  readonly isOn: boolean;
  /** Calls before the metrics are read: gauges can be set then. It has to be quick. */
  onRead(look: () => void): void;
};

const nothing = (): void => undefined;
const noInstrument = { add: nothing, set: nothing, clear: nothing, record: nothing, of: () => noInstrument };
const noInstruments = Object.fromEntries(Object.keys(metricTable).map((name) => [name, noInstrument]));

/** Of what runs outside a server. */
export const noMeters = { ...noInstruments, isOn: false, onRead: nothing } as unknown as Meters;
