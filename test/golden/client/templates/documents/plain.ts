// A module without documents.
export const plain = <T>(value: T): T => value;
