/**
 * Memory that returns to the operating system as soon as it is released. A plain buffer is freed by a garbage
 * collection, which an idle process does not run, and may stay in the C heap afterwards because of fragmentation. A
 * resizable buffer has its own mapping, which resizing to zero removes.
 */
interface ResizableBuffer extends ArrayBuffer {
  resize(byteLength: number): void;
}

/**
 * Available in Node 20; declared here, because TypeScript's library for 2024 also declares features that Node 20 lacks.
 */
const ResizableBuffer = ArrayBuffer as unknown as new (
  byteLength: number,
  options: { readonly maxByteLength: number },
) => ResizableBuffer;

/** Smaller contents do not justify a mapping, which takes a fraction of a millisecond. */
const minMappedBytes = 1024 * 1024;

export class ReleasableBytes {
  readonly bytes: Buffer;
  readonly #memory: ResizableBuffer | undefined;

  private constructor(bytes: Buffer, memory?: ResizableBuffer) {
    this.bytes = bytes;
    this.#memory = memory;
  }

  /** Returns uninitialised bytes. */
  static allocate(size: number): ReleasableBytes {
    if (size < minMappedBytes) return new ReleasableBytes(Buffer.allocUnsafe(size));
    const memory = new ResizableBuffer(size, { maxByteLength: size });
    return new ReleasableBytes(Buffer.from(memory, 0, size), memory);
  }

  /** @param size the length of the content in bytes */
  static from(content: string | Buffer, size: number): ReleasableBytes {
    if (Buffer.isBuffer(content) && size < minMappedBytes) return new ReleasableBytes(content);
    const copy = ReleasableBytes.allocate(size);
    if (typeof content === "string") copy.bytes.write(content);
    else content.copy(copy.bytes);
    return copy;
  }

  /** Frees the memory. The bytes must not be in use. */
  release(): void {
    this.#memory?.resize(0);
  }
}
