/** Reads the values of `--scalar`. */
import type { ScalarChoice } from "../../../compiler/handlers/handlers-of.ts";
import { EngineError } from "../../values/errors.ts";
import { scalarChoices } from "./choices.ts";

const isChoice = (text: string): text is ScalarChoice => (scalarChoices as readonly string[]).includes(text);

/**
 * Returns types by scalar.
 * @param values for example `Money=string`
 * @throws EngineError
 */
export function readScalars(values: readonly string[]): ReadonlyMap<string, ScalarChoice> {
  return new Map(
    values.map((text) => {
      const [name = "", type = ""] = text.split("=", 2);
      if (name !== "" && isChoice(type)) return [name, type];
      const message = `--scalar ${text}: expected <name>=<type> with one of the types ${scalarChoices.join(", ")}`;
      throw new EngineError("invalid-params", "$", message);
    }),
  );
}
