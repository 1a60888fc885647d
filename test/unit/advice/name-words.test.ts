/** Names of columns that seem to contain secrets or owners. */
import { describe, expect, it } from "vitest";
import { looksLikeOwner, looksSecret, wordsOf } from "../../../compiler/advice/name-words.ts";
import { columns } from "../analyze/sample.ts";

const isSecret = (name: string, type = "text"): boolean =>
  columns({ [name]: type }).every((shape) => looksSecret({ name, shape }));

describe("Names of columns", () => {
  it("Words of a name are separated by case, underscores and hyphens", () => {
    expect(["apiKey", "API_KEY", "api-key"].map(wordsOf)).toEqual([
      ["api", "key"],
      ["api", "key"],
      ["api", "key"],
    ]);
    expect(wordsOf("userAPIKeyHash")).toEqual(["user", "api", "key", "hash"]);
  });

  it.each([
    "password",
    "passwordHash",
    "password_digest",
    "hash",
    "reset_token",
    "refreshTokens",
    "api_key",
    "privateKey",
    "client_secret",
    "totp_secret",
    "credentials",
  ])("%s is a secret", (name) => expect(isSecret(name)).toBe(true));

  it.each([
    "password_changed_at",
    "token_id",
    "secret_count",
    "file_hash",
    "content_digest",
    "key",
    "primary_key",
    "passport",
    "tokenized",
    "keyboard",
    "secretary",
  ])("%s is no secret", (name) => expect(isSecret(name)).toBe(false));

  it.each(["bool", "int4", "timestamptz"])("A column of type %s is no secret", (type) => {
    expect(isSecret("password", type)).toBe(false);
  });

  it("Owners have the names of users, accounts and tenants", () => {
    const names = [
      "owner",
      "owner_id",
      "userId",
      "created_by",
      "tenant_id",
      "user",
      "user_name",
      "author_id",
      "owner_note",
    ];
    expect(names.filter(looksLikeOwner)).toEqual(["owner", "owner_id", "userId", "created_by", "tenant_id"]);
  });
});
