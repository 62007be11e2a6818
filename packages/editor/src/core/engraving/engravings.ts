/** The engravings of an editor: loads their flow with the first one. */
import type { Editor } from '../document/editor.ts';
import type { Ports } from '../ports.ts';
import { type EngravedPanel, engravedElements } from './engravedElements.ts';
import type { EngravingFlow, EngravingState } from './engravingFlow.ts';

export type EngravingStates = ReadonlyMap<string, EngravingState>;

export interface Engravings {
  /** Returns the states of engraved artworks by their ids; undefined where the host has no engraver. */
  states(): EngravingStates | undefined;
  /** Follows the editor and the designs. */
  follow(): void;
  stop(): void;
}

export function createEngravings(
  editor: Editor,
  { engraver }: Pick<Ports, 'engraver'>,
  listener: { readPanel(artworkId: string): EngravedPanel | undefined; onChange(): void },
): Engravings {
  let states: EngravingStates = new Map();
  let flow: EngravingFlow | undefined;
  let isLoading = false;

  async function load(): Promise<void> {
    if (!engraver || isLoading) return;
    isLoading = true;
    try {
      const { createEngravingFlow } = await import('./engravingFlow.ts');
      flow = createEngravingFlow(editor, engraver, {
        readPanel: listener.readPanel,
        onStates(next) {
          states = next;
          listener.onChange();
        },
      });
      flow.follow();
    } catch {
      // Loaded again with the next change.
      isLoading = false;
    }
  }

  return {
    states: () => engraver && states,
    follow() {
      if (flow) flow.follow();
      else if (engravedElements(editor.getState()).length > 0) void load();
    },
    stop: () => flow?.stop(),
  };
}
