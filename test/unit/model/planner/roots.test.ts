import { expect, it } from "vitest";
import { inParts } from "../../../../runtime/model/definitions/roots.ts";

const part = (first: string, names: readonly string[], loaded: string[]) =>
  [
    first,
    () => {
      loaded.push(first);
      return Object.fromEntries(names.map((name) => [name, name]));
    },
  ] as const;

it("Root fields in parts are listed in order, and a part is loaded only when it is reached", () => {
  const loaded: string[] = [];
  const others = Object.fromEntries(["z", "a", "c", "l", "n"].map((name) => [name, name]));
  const roots = inParts<string>([part("b", ["b", "d"], loaded), part("m", ["o", "m"], loaded)], others);
  const names: string[] = [];
  for (const name of roots.names()) {
    names.push(name);
    expect(loaded).toEqual(name < "m" ? ["b"] : ["b", "m"]);
  }
  expect(names).toEqual(["a", "b", "c", "d", "l", "m", "n", "o", "z"]);
  expect([...inParts<string>([], { b: "b", a: "a" }).names()]).toEqual(["a", "b"]);
});
