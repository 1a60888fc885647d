/**
 * Memory of long contents that the operating system has back at the moment when it is released. A plain buffer waits
 * for a garbage collection, which an idle process has no reason to do, and then stays with the allocator of C, which
 * keeps blocks between others for ever. Resizable memory is mapped for itself, and unmapped when it is resized.
 */
import type { EnclosedText } from "./enclosed-text.ts";

interface ResizableBuffer extends ArrayBuffer {
  resize(byteLength: number): void;
}

/** Node 20 has it; what TypeScript knows of 2024 is more than Node 20 has. */
const ResizableBuffer = ArrayBuffer as unknown as new (
  byteLength: number,
  options: { readonly maxByteLength: number },
) => ResizableBuffer;

/** Mapping takes a fraction of a millisecond, which does not matter from this many bytes on. */
const leastBytes = 1024 * 1024;

export class ReleasableBytes {
  readonly bytes: Buffer;
  readonly #memory: ResizableBuffer | undefined;

  private constructor(bytes: Buffer, memory?: ResizableBuffer) {
    this.bytes = bytes;
    this.#memory = memory;
  }

  /** Bytes with any content. */
  static allocate(size: number): ReleasableBytes {
    if (size < leastBytes) return new ReleasableBytes(Buffer.allocUnsafe(size));
    const memory = new ResizableBuffer(size, { maxByteLength: size });
    return new ReleasableBytes(Buffer.from(memory, 0, size), memory);
  }

  /** @param size of the content in bytes */
  static from(content: string | Buffer | EnclosedText, size: number): ReleasableBytes {
    if (Buffer.isBuffer(content) && size < leastBytes) return new ReleasableBytes(content);
    const made = ReleasableBytes.allocate(size);
    if (typeof content === "string") made.bytes.write(content);
    else if (Buffer.isBuffer(content)) content.copy(made.bytes);
    else content.writeTo(made.bytes);
    return made;
  }

  /** Nobody may read or send them any more. */
  release(): void {
    this.#memory?.resize(0);
  }
}
