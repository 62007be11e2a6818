/** The most that one company may store. Bytes count a picture together with every smaller size made of it. */
export const COMPANY_QUOTA = { products: 5_000, bytes: 2 * 2 ** 30 } as const;
