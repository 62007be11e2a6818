export { type Picture, removePlainBackground } from './plain.ts';
