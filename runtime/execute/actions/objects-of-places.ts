/** The objects in what a handler answered for which tables are read beside (`docs/actions.md`). */
import type { OutputObject } from "../../model/planner/action-plan.ts";
import { isObject } from "../../values/is-object.ts";

type Value = Readonly<Record<string, unknown>>;

/** The objects of each place, in the order in which they are met. */
export function objectsOfPlaces(answer: unknown, whole: OutputObject): ReadonlyMap<number, readonly Value[]> {
  const places = new Map<number, Value[]>();
  const visit = (value: unknown, output: OutputObject): void => {
    const { members, place } = output;
    if (Array.isArray(value)) for (const item of value) visit(item, output);
    if (!isObject(value)) return;
    if (place !== undefined) {
      const known = places.get(place);
      if (known) known.push(value);
      else places.set(place, [value]);
    }
    for (const member of members) {
      if (member.kind === "member" && member.object) visit(ownMember(value, member.name), member.object);
    }
  };
  visit(answer, whole);
  return places;
}

function ownMember(value: Value, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : null;
}
