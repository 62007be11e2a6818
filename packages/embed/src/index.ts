export type {
  Arrangement,
  MachineMode,
  MarkwrightEvents,
  MarkwrightLoader,
  MarkwrightWidget,
  MountOptions,
  PriceLine,
  SavedDesign,
  Theme,
} from './api.ts';
export { mount } from './mount.ts';
export { type Message, type PageMessage, readMessage, type WidgetMessage, writeMessage } from './protocol.ts';
