const numbers = new Intl.NumberFormat('en-US');

/** Writes a number with commas: `1,234`. */
export const formatCount = (value: number): string => numbers.format(value);
