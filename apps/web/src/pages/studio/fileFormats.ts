/** The format of the production file that was used last for each machine on this device. */
import { type FormatChoice, readFormatChoice } from '@markwright/editor';
import type { MachineMode } from '@markwright/scene';

const keyOf = (machine: MachineMode) => `markwright-file-format-${machine}`;

/** Returns undefined for a record that cannot be read or that the machine has no use for. */
export function readFileFormat(machine: MachineMode): FormatChoice | undefined {
  try {
    return readFormatChoice(machine, JSON.parse(localStorage.getItem(keyOf(machine)) ?? 'null'));
  } catch {
    return undefined;
  }
}

export function rememberFileFormat(machine: MachineMode, choice: FormatChoice): void {
  try {
    localStorage.setItem(keyOf(machine), JSON.stringify(choice));
  } catch {
    // The storage is full or refused: the choice holds until the page is closed.
  }
}
