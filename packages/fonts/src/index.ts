export * from './fonts.ts';
