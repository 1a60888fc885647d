/** Where in the values of a plan something is joined, before it is text. */

/** Where in a value keys stand to join by; absent: nowhere. */
export interface JoinedIr {
  readonly joins?: JoinPlacesIr;
}

export type JoinPlacesIr = Readonly<Record<string, JoinPlaceIr>>;

export type JoinPlaceIr =
  | { readonly kind: "below"; readonly places: JoinPlacesIr }
  | { readonly kind: "keys"; readonly step: number; readonly place: number }
  /** By the names that the server has for types. */
  | { readonly kind: "typed"; readonly types: Readonly<Record<string, TypedKeysIr>> }
  | { readonly kind: "hidden" };

export interface TypedKeysIr {
  readonly step: number;
  readonly place: number;
  readonly members: readonly string[];
}
