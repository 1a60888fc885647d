import { describe, expect, it } from "vitest";
import { AnswerMemory } from "../../../runtime/values/answer-memory.ts";

/** Wants room for so many bytes; `served` gets them when it has it. */
function seek(memory: AnswerMemory, served: number[], bytes: number) {
  const seeker = { bytes, onRoom: () => void served.push(bytes) };
  return { seeker, isServed: memory.takeOrWait(seeker) };
}

describe("AnswerMemory", () => {
  it("serves those who wait in the order in which they came", () => {
    const memory = new AnswerMemory(100);
    const served: number[] = [];
    expect(seek(memory, served, 90).isServed).toBe(true);
    // The second one would fit, and waits all the same.
    expect([50, 10, 60].map((bytes) => seek(memory, served, bytes).isServed)).toEqual([false, false, false]);
    expect(memory.lacking).toBe(90 + 120 - 100);
    memory.give(90);
    expect(served).toEqual([50, 10]);
    expect(memory.taken).toBe(60);
    memory.give(10);
    expect(served).toEqual([50, 10]);
    memory.give(50);
    expect(served).toEqual([50, 10, 60]);
    expect([memory.taken, memory.lacking]).toEqual([60, -40]);
  });

  it("counts what is there already, however much that is", () => {
    const memory = new AnswerMemory(100);
    memory.take(150);
    const served: number[] = [];
    expect(seek(memory, served, 10).isServed).toBe(false);
    memory.give(50);
    expect(served).toEqual([]);
    memory.give(50);
    expect(served).toEqual([10]);
  });

  it("lets in what is longer than all its room when nothing else is there", () => {
    const memory = new AnswerMemory(100);
    const served: number[] = [];
    expect(seek(memory, served, 500).isServed).toBe(true);
    seek(memory, served, 600);
    memory.give(500);
    expect(served).toEqual([600]);
  });

  it("serves others when the first one does not wait any longer", () => {
    const memory = new AnswerMemory(100);
    const served: number[] = [];
    memory.take(50);
    const { seeker } = seek(memory, served, 80);
    seek(memory, served, 20);
    memory.forget(seeker);
    memory.forget(seeker);
    expect(served).toEqual([20]);
    expect(memory.lacking).toBe(70 - 100);
    memory.give(70);
    expect(served).toEqual([20]);
  });
});
