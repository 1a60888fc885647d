/** Collects the objects of a handler's response that need rows of related tables (`docs/how-to/actions.md`). */
import type { OutputObject } from "../../model/planner/action-plan.ts";
import { isObject } from "../../values/is-object.ts";

type Value = Readonly<Record<string, unknown>>;

/** Returns the objects by location, in the order in which `outputText` visits them. */
export function objectsOfPlaces(response: unknown, whole: OutputObject): ReadonlyMap<number, readonly Value[]> {
  const places = new Map<number, Value[]>();
  const visit = (value: unknown, output: OutputObject): void => {
    const { members, place } = output;
    if (Array.isArray(value)) for (const item of value) visit(item, output);
    if (!isObject(value)) return;
    if (place !== undefined) {
      const objects = places.get(place);
      if (objects) objects.push(value);
      else places.set(place, [value]);
    }
    for (const member of members) {
      if (member.kind === "member" && member.object) visit(ownMember(value, member.name), member.object);
    }
  };
  visit(response, whole);
  return places;
}

function ownMember(value: Value, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : null;
}
