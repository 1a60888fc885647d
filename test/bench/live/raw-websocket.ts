/**
 * A cheap WebSocket client: it forwards the bytes of messages and answers pings, so that the benchmark's clients use
 * less processor time than the measured engine.
 */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

const text = 1;
const close = 8;
const ping = 9;

export class RawWebsocket {
  readonly #socket: Socket;
  readonly #onText: (payload: Buffer) => void;
  #isOpen = false;
  #rest: Buffer = Buffer.alloc(0);

  /** Connects. @param onEnd called when either side has ended the connection */
  constructor(address: URL, protocol: string, onText: (payload: Buffer) => void, onEnd: (why: string) => void) {
    this.#onText = onText;
    this.#socket = connect(Number(address.port), address.hostname);
    this.#socket.setNoDelay(true);
    this.#socket.write(
      `GET ${address.pathname} HTTP/1.1\r\nHost: ${address.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n` +
        `Sec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
    );
    this.#socket.on("data", (chunk) => this.#read(chunk));
    this.#socket.on("error", ({ message }) => onEnd(message));
    this.#socket.on("close", () => onEnd("the engine has closed the connection"));
  }

  /** Sends a message. May be called immediately: the engine reads it after the handshake. */
  send(message: string): void {
    this.#write(text, Buffer.from(message));
  }

  #read(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    if (!this.#isOpen) {
      const end = bytes.indexOf("\r\n\r\n");
      if (end >= 0) {
        this.#isOpen = true;
        at = end + 4;
      }
    }
    while (this.#isOpen && at < bytes.length) {
      const next = this.#readFrame(bytes, at);
      if (next === undefined) break;
      at = next;
    }
    this.#rest = bytes.subarray(at);
  }

  /** Reads one frame. @returns the start of the next frame; `undefined` if this one is incomplete */
  #readFrame(bytes: Buffer, at: number): number | undefined {
    if (bytes.length < at + 2) return undefined;
    const opcode = bytes.readUInt8(at) & 15;
    const short = bytes.readUInt8(at + 1);
    const headerLength = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length < at + headerLength) return undefined;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : bytes.readUIntBE(at + 4, 6);
    const end = at + headerLength + length;
    if (bytes.length < end) return undefined;
    const payload = bytes.subarray(at + headerLength, end);
    if (opcode === text) this.#onText(payload);
    else if (opcode === ping) this.#write(10, payload);
    else if (opcode === close) this.#socket.end();
    return end;
  }

  /** Writes a frame. Client frames must be masked; a mask of zeros leaves them unchanged. */
  #write(opcode: number, payload: Buffer): void {
    const { length } = payload;
    const header = length < 126 ? Buffer.from([128 | opcode, 128 | length]) : Buffer.from([128 | opcode, 254, 0, 0]);
    if (length >= 126) header.writeUInt16BE(length, 2);
    this.#socket.write(Buffer.concat([header, Buffer.alloc(4), payload]));
  }
}
