/** The role with all permissions; the metadata lists none for it. */
export const adminRole = "admin";
