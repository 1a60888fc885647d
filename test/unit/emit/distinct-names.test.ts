import { expect, it } from "vitest";
import { DistinctNames } from "../../../runtime/model/openapi/schemas.ts";

it("Distinct names stay distinct in every spelling and stable for the same key", () => {
  const names = new DistinctNames(["error"]);
  expect(names.of("uuid!", "uuid_required")).toBe("uuid_required");
  expect(names.of("Uuid_Required", "Uuid_Required")).toBe("Uuid_Required_2");
  expect(names.of("uuidRequired", "uuidRequired")).toBe("uuidRequired_3");
  expect(names.of("uuid!", "uuid_required")).toBe("uuid_required");
  expect(names.of("Error", "Error")).toBe("Error_2");
});
