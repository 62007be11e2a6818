/** Bounds of a password, in characters. The operator may set a greater least length. */
export const MIN_PASSWORD_LENGTH = 6;
export const MAX_PASSWORD_LENGTH = 128;

/** Returns the sentence about a password of fewer than `minLength` characters. */
export const shortPassword = (minLength: number): string => `Password must be at least ${minLength} characters`;
