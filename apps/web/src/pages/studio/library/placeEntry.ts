/** Places what the library keeps in the open composition. */
import { dispatchAndChoose, type Editor, placeSaved } from '@markwright/editor';
import { parseComposition } from '@markwright/scene';
import { api } from '../../../api.ts';
import { ask } from '../../../studioHost/ask.ts';
import { toast } from '../../../ui/notices.ts';

/** Adds an entry as one step, selected. Says what could not be kept of it. Rejects with a sentence. */
export async function placeEntry(editor: Editor, id: string): Promise<void> {
  const reply = await ask(api.library.get({ params: { id } }));
  const elements = { area: reply.area, composition: parseComposition(reply.composition) };
  const { composition, scene } = editor.getState();
  const { command, scale } = placeSaved(composition, scene, elements);
  dispatchAndChoose(editor, command);
  const wishCount = elements.composition.elements.length;
  const placedCount = editor.getState().composition.elements.length - composition.elements.length;
  if (placedCount === 0) throw new Error('There is no room for more elements in this design. Remove one first.');
  if (placedCount < wishCount) {
    const description = `${wishCount - placedCount} of ${wishCount} elements had no room: this design has as many as it can hold.`;
    toast({ title: `“${reply.name}” is not complete`, description, variant: 'destructive' });
  } else if (scale < 1) {
    const description = `At ${Math.round(scale * 100)} % of its size, because the machine area is smaller.`;
    toast({ title: `“${reply.name}” was made smaller`, description });
  }
}

/** Puts a template in place of all that is on the stage, as one step to undo. Rejects with a sentence. */
export async function applyTemplate(editor: Editor, id: string): Promise<void> {
  const { composition, name } = await ask(api.library.get({ params: { id } }));
  editor.dispatch({ type: 'replace', composition: parseComposition(composition) });
  toast({ title: `“${name}” is on the stage`, description: 'Undo brings back what was there.' });
}
