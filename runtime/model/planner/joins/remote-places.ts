/** Where keys stand in what a remote server answers. */
import type { SelectedField, SelectedPlaces } from "../request/selected-field.ts";
import type { JoinPlace, JoinPlaces, StepNumber, TypedKeys } from "./join-plan.ts";

/** @param add gives a joined field its place in a step */
export function remotePlaces(selected: SelectedPlaces, add: (field: SelectedField) => StepNumber): JoinPlaces {
  const places = new Map<string, JoinPlace>();
  for (const [key, place] of selected) {
    switch (place.kind) {
      case "below":
        places.set(key, { kind: "below", places: remotePlaces(place.places, add) });
        break;
      case "typed": {
        const types = new Map([...place.types].map(([type, { field, members }]) => [type, { ...add(field), members }]));
        places.set(key, { kind: "typed", types } satisfies TypedKeys);
        break;
      }
      case "hidden":
        places.set(key, place);
    }
  }
  return places;
}
