/** Storage of the tabs of operations in the browser. */
import { describe, expect, it } from "vitest";
import {
  isBlank,
  maxTabs,
  maxTextLength,
  newTab,
  readTabs,
  removeTab,
  titleOf,
  writeTab,
} from "../../../runtime/console/pages/api/tab-store.ts";

/** A storage in memory. @param maxLength characters of all values */
function storageOf(entries: Readonly<Record<string, string>> = {}, maxLength = Number.POSITIVE_INFINITY): Storage {
  const map = new Map(Object.entries(entries));
  return {
    get length() {
      return map.size;
    },
    key: (index) => [...map.keys()][index] ?? null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => {
      if ([...map.values()].join("").length + value.length > maxLength) throw new Error("QuotaExceededError");
      map.set(key, value);
    },
    removeItem: (key) => void map.delete(key),
    clear: () => map.clear(),
  };
}

const key = (id: string): string => `engine-console-operation-${id}`;

describe("Tabs of operations in the storage", () => {
  it("Tabs are read as they were written, by age", () => {
    const storage = storageOf({ "engine-console-theme": "dark" });
    const later = { ...newTab({ query: "{ b }", name: "<script>" }), id: "1700000000002-b" };
    const earlier = { ...newTab({ query: "{ a }", variables: '{"a": "ü"}' }), id: "1700000000001-a" };
    expect([writeTab(storage, later), writeTab(storage, earlier)]).toEqual([null, null]);
    expect(readTabs(storage)).toEqual([earlier, later]);
    removeTab(storage, earlier.id);
    expect(readTabs(storage)).toEqual([later]);
    expect(storage.getItem("engine-console-theme")).toBe("dark");
  });

  it("Damaged entries are ignored, and the others are read", () => {
    const good = { name: null, query: "{ a }", variables: "" };
    const storage = storageOf({
      [key("1700000000001-a")]: "{ damaged",
      [key("1700000000002-a")]: JSON.stringify({ ...good, query: 7 }),
      [key("1700000000003-a")]: "null",
      [key("1700000000004-a")]: "x".repeat(3 * maxTextLength + 1),
      [key("../1700000000005-a")]: JSON.stringify(good),
      [key("1700000000006-a")]: JSON.stringify({ ...good, name: { toString: 1 }, token: "ey" }),
    });
    expect(readTabs(storage)).toEqual([{ id: "1700000000006-a", ...good }]);
    expect(storage.length).toBe(6);
  });

  it("The number of tabs that are read is bounded", () => {
    const many = Array.from({ length: maxTabs + 5 }, (_, index) => [
      key(`${1700000000000 + index}-a`),
      JSON.stringify({ query: `{ f${index} }`, variables: "" }),
    ]);
    const found = readTabs(storageOf(Object.fromEntries(many)));
    expect(found).toHaveLength(maxTabs);
    expect(found.at(-1)?.query).toBe("{ f34 }");
  });

  it("A blank tab is not stored", () => {
    const tab = newTab({ query: "{ a }" });
    const storage = storageOf();
    writeTab(storage, tab);
    writeTab(storage, { ...tab, query: " \n" });
    expect(storage.length).toBe(0);
    expect(isBlank({ ...tab, query: "", name: "Later" })).toBe(false);
  });

  it("A text that is too long, or exceeds the storage, is reported and leaves the others", () => {
    const storage = storageOf({}, 1000);
    const kept = newTab({ query: "{ a }" });
    writeTab(storage, kept);
    expect(writeTab(storage, newTab({ query: "a".repeat(2000) }))).toContain("full");
    expect(writeTab(storage, newTab({ query: "a".repeat(maxTextLength), variables: "1" }))).toContain("200,000");
    expect(readTabs(storage)).toEqual([kept]);
  });

  it("The title of a tab is its name, or that of its operation or first field", () => {
    expect(titleOf(newTab({ name: "Mine", query: "query A { b }" }))).toBe("Mine");
    expect(titleOf(newTab({ query: "# query No\nsubscription A { b }" }))).toBe("A");
    expect(titleOf(newTab({ query: "{ book { id } }" }))).toBe("book");
    expect(titleOf(newTab({ query: "{{{" }))).toBe("Untitled");
  });
});
