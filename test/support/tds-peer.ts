/**
 * A fake SQL Server that implements the parts of TDS that the driver needs (MS-TDS) and returns the responses set by a
 * test. It tests the driver layer without a server. Nothing is encrypted.
 */
import { createServer, type Socket } from "node:net";

/** A request of the driver. */
export type TdsRequest =
  | { readonly kind: "batch"; readonly text: string }
  /** `sp_executesql`. */
  | {
      readonly kind: "execute";
      readonly text: string;
      readonly declared: string;
      readonly values: readonly (string | null)[];
    }
  | { readonly kind: "begin" | "commit" | "rollback" | "cancel" };

interface TdsColumn {
  readonly name: string;
  readonly type: "nvarchar" | "int" | "bigint" | "bit";
}

/** Result sets and errors in order; `silence` means no response, as from a slow server. */
export type TdsAnswer =
  | {
      readonly columns: readonly TdsColumn[];
      readonly rows: readonly (readonly (string | number | boolean | null)[])[];
    }
  | { readonly error: number; readonly message: string; readonly severity?: number }
  /** The server has ended the transaction. */
  | "rolled back"
  | "silence"
  /** The server closes the connection. */
  | "disconnect";

const packet = { batch: 1, rpc: 3, response: 4, attention: 6, transaction: 14, login: 16, prelogin: 18 } as const;

export interface TdsPeer {
  readonly port: number;
  readonly requests: readonly TdsRequest[];
  /** Settings that the driver sends first in each session. */
  readonly settings: readonly string[];
  close(): Promise<void>;
}

/** Starts the server. @param answer response to batches and statements; all other requests get the usual responses */
export async function startTdsPeer(answer: (request: TdsRequest) => readonly TdsAnswer[]): Promise<TdsPeer> {
  const requests: TdsRequest[] = [];
  const settings: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    converse(socket, {
      begins: (text) => settings.push(text),
      asks: (request) => {
        requests.push(request);
        return answer(request);
      },
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the peer has no port");
  return {
    port: address.port,
    requests,
    settings,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

interface Listener {
  readonly begins: (settings: string) => void;
  readonly asks: (request: TdsRequest) => readonly TdsAnswer[];
}

function converse(socket: Socket, { begins, asks: answer }: Listener): void {
  let received = Buffer.alloc(0);
  let message: Buffer[] = [];
  let isFirst = true;
  const reply = (tokens: readonly Buffer[]) => socket.write(inPackets(Buffer.concat(tokens)));
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 8 && received.length >= received.readUInt16BE(2)) {
      const length = received.readUInt16BE(2);
      const [type, status] = [received.readUInt8(0), received.readUInt8(1)];
      message.push(received.subarray(8, length));
      received = received.subarray(length);
      if ((status & 1) === 0) continue;
      const body = Buffer.concat(message);
      message = [];
      if (type === packet.prelogin) reply([preloginAnswer]);
      else if (type === packet.login) reply([sessionCollation, loginAcknowledged, done(0xfd)]);
      else if (type === packet.batch && isFirst) {
        isFirst = false;
        begins(textOfBatch(body));
        reply([done(0xfd)]);
      } else if (type === packet.attention) {
        answer({ kind: "cancel" });
        // The response so far, and its cancellation.
        reply([done(0xfd, 2)]);
        reply([done(0xfd, 0x20)]);
      } else if (type === packet.transaction) {
        const tokens = transactionAnswer(body, answer);
        if (tokens === undefined) socket.destroy();
        else reply(tokens);
      } else {
        const request = type === packet.rpc ? executed(body) : batch(body);
        const answers = answer(request);
        if (answers.includes("disconnect")) socket.destroy();
        else if (!answers.includes("silence")) reply(tokensOf(answers, request.kind === "execute"));
      }
    }
  });
}

const largest = 4096 - 8;

function inPackets(body: Buffer): Buffer {
  const packets: Buffer[] = [];
  for (let at = 0, id = 1; at < body.length || id === 1; at += largest, id++) {
    const part = body.subarray(at, at + largest);
    const header = Buffer.alloc(8);
    header.writeUInt8(packet.response, 0);
    header.writeUInt8(at + largest >= body.length ? 1 : 0, 1);
    header.writeUInt16BE(part.length + 8, 2);
    header.writeUInt8(id % 256, 6);
    packets.push(header, part);
  }
  return Buffer.concat(packets);
}

/** Version and encryption, which is not supported. */
const preloginAnswer = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 15, 0, 0, 0, 0, 0, 2]);

const ucs2 = (text: string): Buffer => Buffer.from(text, "utf16le");
const shortText = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), ucs2(text)]);

function number(value: number, bytes: 2 | 4 | 8): Buffer {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 8) buffer.writeBigInt64LE(BigInt(value));
  else buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}

/** Returns a token prefixed with its length. */
const measured = (token: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([token]), number(body.length, 2), body]);

const collation = Buffer.from([9, 4, 0xd0, 0, 52]);
const sessionCollation = measured(0xe3, Buffer.concat([Buffer.from([7, 5]), collation, Buffer.from([0])]));
const loginAcknowledged = measured(
  0xad,
  Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4]), shortText("peer"), Buffer.from([15, 0, 0, 0])]),
);

const done = (token: number, status = 0): Buffer =>
  Buffer.concat([Buffer.from([token]), number(status, 2), number(0, 2), number(0, 8)]);

const descriptor = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);
const began = measured(0xe3, Buffer.concat([Buffer.from([8, 8]), descriptor, Buffer.from([0])]));
const ended = (type: number): Buffer => measured(0xe3, Buffer.concat([Buffer.from([type, 0, 8]), descriptor]));

/** Returns `undefined` to close the connection. */
function transactionAnswer(
  body: Buffer,
  answer: (request: TdsRequest) => readonly TdsAnswer[],
): readonly Buffer[] | undefined {
  switch (body.readUInt16LE(body.readUInt32LE(0))) {
    case 5:
      answer({ kind: "begin" });
      return [began, done(0xfd)];
    case 7:
      return answer({ kind: "commit" }).includes("disconnect") ? undefined : [ended(9), done(0xfd)];
    default:
      answer({ kind: "rollback" });
      return [ended(10), done(0xfd)];
  }
}

const textOfBatch = (body: Buffer): string => body.subarray(body.readUInt32LE(0)).toString("utf16le");
const batch = (body: Buffer): TdsRequest => ({ kind: "batch", text: textOfBatch(body) });

/** Decodes the parameters of `sp_executesql`: the statement, the declarations, and a text for each parameter. */
function executed(body: Buffer): TdsRequest {
  let at = body.readUInt32LE(0);
  if (body.readUInt16LE(at) !== 0xffff || body.readUInt16LE(at + 2) !== 10) throw new Error("not sp_executesql");
  at += 6;
  const values: (string | null)[] = [];
  while (at < body.length) {
    at += 1 + body.readUInt8(at) * 2 + 1;
    const type = body.readUInt8(at);
    const isMaximal = body.readUInt16LE(at + 1) === 0xffff;
    at += 8;
    const encoding = type === 0xe7 ? "utf16le" : "latin1";
    if (!isMaximal) {
      const length = body.readUInt16LE(at);
      at += 2;
      values.push(length === 0xffff ? null : body.subarray(at, at + length).toString(encoding));
      if (length !== 0xffff) at += length;
      continue;
    }
    const isNull = body.readBigUInt64LE(at) === 0xffff_ffff_ffff_ffffn;
    at += 8;
    const chunks: Buffer[] = [];
    while (!isNull) {
      const length = body.readUInt32LE(at);
      at += 4;
      if (length === 0) break;
      chunks.push(body.subarray(at, at + length));
      at += length;
    }
    values.push(isNull ? null : Buffer.concat(chunks).toString(encoding));
  }
  const [text, declared = "", ...given] = values;
  return { kind: "execute", text: text ?? "", declared: declared ?? "", values: given };
}

function tokensOf(answers: readonly TdsAnswer[], inProcedure: boolean): readonly Buffer[] {
  const tokens = answers.flatMap((answer): Buffer[] => {
    if (answer === "silence" || answer === "disconnect") return [];
    if (answer === "rolled back") return [ended(10)];
    if ("error" in answer) return [errorToken(answer.error, answer.message, answer.severity ?? 16)];
    // More result sets follow.
    return [columnsToken(answer.columns), ...answer.rows.map((row) => rowToken(answer.columns, row)), done(0xff, 1)];
  });
  const failed = answers.some((answer) => typeof answer === "object" && "error" in answer) ? 2 : 0;
  return [
    ...tokens,
    ...(inProcedure ? [Buffer.concat([Buffer.from([0x79]), number(0, 4)])] : []),
    done(inProcedure ? 0xfe : 0xfd, failed),
  ];
}

const errorToken = (code: number, message: string, severity: number): Buffer =>
  measured(
    0xaa,
    Buffer.concat([
      ...[number(code, 4), Buffer.from([1, severity]), number(message.length, 2), ucs2(message)],
      ...[shortText("peer"), shortText(""), number(1, 4)],
    ]),
  );

const typeInfo: Readonly<Record<TdsColumn["type"], Buffer>> = {
  nvarchar: Buffer.concat([Buffer.from([0xe7, 0xff, 0xff]), collation]),
  int: Buffer.from([0x26, 4]),
  bigint: Buffer.from([0x26, 8]),
  bit: Buffer.from([0x68, 1]),
};

function columnsToken(columns: readonly TdsColumn[]): Buffer {
  const each = columns.map(({ name, type }) =>
    Buffer.concat([number(0, 4), number(1, 2), typeInfo[type], shortText(name)]),
  );
  return Buffer.concat([Buffer.from([0x81]), number(columns.length, 2), ...each]);
}

function rowToken(columns: readonly TdsColumn[], row: readonly (string | number | boolean | null)[]): Buffer {
  return Buffer.concat([Buffer.from([0xd1]), ...columns.map(({ type }, i) => cell(type, row[i] ?? null))]);
}

function cell(type: TdsColumn["type"], value: string | number | boolean | null): Buffer {
  if (type !== "nvarchar") {
    if (value === null) return Buffer.from([0]);
    const bytes = type === "bit" ? Buffer.from([Number(value)]) : number(Number(value), type === "int" ? 4 : 8);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  }
  if (value === null) return Buffer.alloc(8, 0xff);
  const text = ucs2(String(value));
  const chunk = text.length === 0 ? [] : [number(text.length, 4), text];
  return Buffer.concat([number(text.length, 8), ...chunk, number(0, 4)]);
}
