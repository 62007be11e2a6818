/** The choices and limits of a shop's settings. */

/** The currencies a shop can sell in. Each has hundredths. */
export const CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'NZD', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN'] as const;
export type Currency = (typeof CURRENCIES)[number];
/** The maker of an order: the shop itself, one maker it chose, or the nearest maker who can. */
export const ROUTINGS = ['own', 'maker', 'nearest'] as const;
/** The account whose allowance pays for a production file. */
export const PAYERS = ['shop', 'maker'] as const;
/** The most sites that may frame the widget of one shop. */
export const MAX_ORIGINS = 20;
export const MAX_PRICE_CENTS = 10_000_000;
