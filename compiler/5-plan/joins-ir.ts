/** IR of the locations of join keys in the values of a plan. */

/** A value, with the locations of join keys in it, if any. */
export interface JoinedIr {
  readonly joins?: JoinPlacesIr;
}

export type JoinPlacesIr = Readonly<Record<string, JoinPlaceIr>>;

export type JoinPlaceIr =
  | { readonly kind: "below"; readonly places: JoinPlacesIr }
  | { readonly kind: "keys"; readonly step: number; readonly place: number }
  /** By upstream type name. */
  | { readonly kind: "typed"; readonly types: Readonly<Record<string, TypedKeysIr>> }
  | { readonly kind: "hidden" };

export interface TypedKeysIr {
  readonly step: number;
  readonly place: number;
  readonly members: readonly string[];
}
