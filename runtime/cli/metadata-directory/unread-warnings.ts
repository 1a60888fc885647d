/** Warns of unknown keys in metadata files, such as misspelt ones. */
import { unreadMembers, unreadText } from "../../../compiler/catalog/unread-members.ts";
import type { FileWarning } from "../../metadata-text/locations.ts";
import type { MetadataFiles } from "./read.ts";

export function unreadWarnings({ metadata, locate }: Pick<MetadataFiles, "metadata" | "locate">): FileWarning[] {
  return unreadMembers(metadata).flatMap((member) => {
    const found = locate(member.path);
    return found === undefined ? [] : [{ ...found, message: unreadText(member) }];
  });
}
