/** An OpenTelemetry collector that decodes requests by the field numbers of the protocol. Supports only protobuf. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  /** In nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 2 if the span failed. */
  readonly status: number;
  readonly resource: Readonly<Record<string, unknown>>;
}

interface ReceivedLog {
  readonly severity: string;
  readonly body: unknown;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly traceId: string;
  readonly spanId: string;
}

interface ReceivedPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** For a histogram, its number of recorded values. */
  readonly value: number;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly logs: readonly ReceivedLog[];
  /** The newest points of each metric. */
  readonly metrics: ReadonlyMap<string, readonly ReceivedPoint[]>;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Status of the following responses. */
  status: number;
  close(): Promise<void>;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const logs: ReceivedLog[] = [];
  const metrics = new Map<string, readonly ReceivedPoint[]>();
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  const receiver = { spans, logs, metrics, requests, status: 200 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      requests.push({ path, headers });
      response.statusCode = receiver.status;
      if (receiver.status === 200) {
        const message = new Message(Buffer.concat(chunks));
        if (path === "/v1/traces") spans.push(...readSpans(message));
        if (path === "/v1/logs") logs.push(...readLogs(message));
        if (path === "/v1/metrics") for (const [name, points] of readMetrics(message)) metrics.set(name, points);
      }
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

type Field = bigint | Buffer;

/** The fields of a message, by number. */
class Message {
  readonly #fields = new Map<number, Field[]>();

  constructor(bytes: Buffer) {
    let at = 0;
    const varint = (): bigint => {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = bytes[at++];
        if (byte === undefined) throw new Error("the message ends in a number");
        value |= BigInt(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
    };
    while (at < bytes.length) {
      const tag = Number(varint());
      const field = this.#read(tag & 7, bytes, { varint, at: () => at, skip: (count) => (at += count) });
      const number = tag >> 3;
      this.#fields.set(number, [...(this.#fields.get(number) ?? []), field]);
    }
  }

  #read(
    wireType: number,
    bytes: Buffer,
    { varint, at, skip }: { varint(): bigint; at(): number; skip(count: number): unknown },
  ): Field {
    switch (wireType) {
      case 0:
        return varint();
      case 1:
        skip(8);
        return bytes.readBigUInt64LE(at() - 8);
      case 2: {
        const length = Number(varint());
        skip(length);
        if (at() > bytes.length) throw new Error("the message ends in a field");
        return bytes.subarray(at() - length, at());
      }
      case 5:
        skip(4);
        return BigInt(bytes.readUInt32LE(at() - 4));
      default:
        throw new Error(`wire type ${wireType}`);
    }
  }

  bytes(number: number): Buffer {
    const [field] = this.#fields.get(number) ?? [];
    return Buffer.isBuffer(field) ? field : Buffer.alloc(0);
  }

  text(number: number): string {
    return this.bytes(number).toString("utf8");
  }

  number(number: number): bigint {
    const [field] = this.#fields.get(number) ?? [];
    return typeof field === "bigint" ? field : 0n;
  }

  has(number: number): boolean {
    return this.#fields.has(number);
  }

  messages(number: number): readonly Message[] {
    return (this.#fields.get(number) ?? []).flatMap((field) => (Buffer.isBuffer(field) ? [new Message(field)] : []));
  }
}

function double(bits: bigint): number {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(bits);
  return bytes.readDoubleLE();
}

function anyValue(value: Message | undefined): unknown {
  if (value === undefined) return undefined;
  if (value.has(1)) return value.text(1);
  if (value.has(2)) return value.number(2) === 1n;
  if (value.has(3)) return Number(BigInt.asIntN(64, value.number(3)));
  if (value.has(4)) return double(value.number(4));
  return value.messages(5).flatMap((list) => list.messages(1).map(anyValue));
}

function attributesOf(message: Message, number: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(message.messages(number).map((pair) => [pair.text(1), anyValue(pair.messages(2)[0])]));
}

/** Yields the items of all scopes of all resources. */
function* items(request: Message): Iterable<readonly [Message, Readonly<Record<string, unknown>>]> {
  for (const ofResource of request.messages(1)) {
    const [resource] = ofResource.messages(1);
    const attributes = resource ? attributesOf(resource, 1) : {};
    for (const scope of ofResource.messages(2)) for (const item of scope.messages(2)) yield [item, attributes];
  }
}

function readSpans(request: Message): readonly ReceivedSpan[] {
  return Array.from(items(request), ([span, resource]) => ({
    traceId: span.bytes(1).toString("hex"),
    spanId: span.bytes(2).toString("hex"),
    parentSpanId: span.bytes(4).toString("hex"),
    name: span.text(5),
    kind: Number(span.number(6)),
    start: span.number(7),
    end: span.number(8),
    attributes: attributesOf(span, 9),
    status: Number(span.messages(15)[0]?.number(3) ?? 0n),
    resource,
  }));
}

function readLogs(request: Message): readonly ReceivedLog[] {
  return Array.from(items(request), ([log]) => ({
    severity: log.text(3),
    body: anyValue(log.messages(5)[0]),
    attributes: attributesOf(log, 6),
    traceId: log.bytes(9).toString("hex"),
    spanId: log.bytes(10).toString("hex"),
  }));
}

function readMetrics(request: Message): readonly (readonly [string, readonly ReceivedPoint[]])[] {
  return Array.from(items(request), ([metric]) => {
    const numbers = [...metric.messages(5), ...metric.messages(7)].flatMap((data) => data.messages(1));
    const histograms = metric.messages(9).flatMap((data) => data.messages(1));
    const points = [
      ...numbers.map((point) => ({ attributes: attributesOf(point, 7), value: double(point.number(4)) })),
      ...histograms.map((point) => ({ attributes: attributesOf(point, 9), value: Number(point.number(4)) })),
    ];
    return [metric.text(1), points] as const;
  });
}
