/** Limits of a shop's own ICC profiles. */
export const INK_PROFILE_LIMITS = { profiles: 10, bytes: 4 * 2 ** 20, nameLength: 80 } as const;
