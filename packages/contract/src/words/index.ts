/** Messages, labels, plans, limits and lists: plain data and small functions, without a schema. */
export * from './company.ts';
export * from './compositions.ts';
export * from './cutout.ts';
export * from './exportFilename.ts';
export * from './feedback.ts';
export * from './labels.ts';
export * from './makers.ts';
export * from './messages.ts';
export * from './orders.ts';
export * from './passwords.ts';
export * from './pictures.ts';
export * from './plans.ts';
export * from './products.ts';
export * from './shop.ts';
export * from './traceSettings.ts';
export * from './uploadCheck.ts';
export * from './widget.ts';
