/** What a handler answered → what the request selects of it, with what is read of tables beside (`automation.md` C.4). */
import type { OutputMember, OutputObject } from "../planner/action-plan.ts";
import { isObject } from "../values/is-object.ts";

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

/**
 * The value of the field.
 * @param read what was read for the objects of each place, in their order
 */
export function selectedValue(
  answer: unknown,
  output: OutputObject,
  read: ReadonlyMap<number, readonly unknown[]>,
): unknown {
  const met = new Map<number, number>();
  const selected = (value: unknown, object: OutputObject): unknown => {
    if (Array.isArray(value)) return value.map((item) => selected(item, object));
    // What is not of the type is passed on: only the outermost value is checked.
    if (!isObject(value)) return value;
    const beside = besideOf(object);
    return Object.fromEntries(object.members.map((member) => [member.key, memberOf(value, member, beside)]));
  };
  const besideOf = ({ place }: OutputObject): Value => {
    if (place === undefined) return {};
    const index = met.get(place) ?? 0;
    met.set(place, index + 1);
    const found = read.get(place)?.[index];
    return isObject(found) ? found : {};
  };
  const memberOf = (value: Value, member: OutputMember, beside: Value): unknown => {
    switch (member.kind) {
      case "constant":
        return member.value;
      case "read":
        return ownMember(beside, member.key);
      case "join":
        return keysOf(value, member.names);
      case "member": {
        const own = ownMember(value, member.name);
        return member.object ? selected(own, member.object) : own;
      }
    }
  };
  return selected(answer, output);
}

/** As joins find them in the place of what they join; `null`: one of them is null. */
function keysOf(value: Value, names: readonly string[]): unknown {
  const keys = names.map((name) => ownMember(value, name) ?? null);
  if (keys.includes(null)) return null;
  return keys.length === 1 ? keys[0] : Object.fromEntries(keys.map((key, i) => [`k${i + 1}`, key]));
}

function ownMember(value: Value, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : null;
}
