export type { Arrangement, MachineMode, PriceLine, SavedDesign, Theme } from './api.ts';
export {
  type Message,
  type PageMessage,
  readMessage,
  type WidgetMessage,
  writeMessage,
} from './protocol.ts';
