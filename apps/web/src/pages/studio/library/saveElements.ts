/** Keeps elements and templates in the account's library, with their picture. */
import type { Editor, ElementsToSave } from '@markwright/editor';
import { boxAround, saveComposition } from '@markwright/scene';
import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../../api.ts';
import { ask } from '../../../studioHost/ask.ts';
import { toast } from '../../../ui/notices.ts';
import { drawPicture } from '../cardList/drawPicture.ts';
import { newCompositionId } from '../compositions/blankCopy.ts';

export const LIBRARY = 'my library';

/** Saves elements and says how that went. Never rejects. */
export async function saveElements(queryClient: QueryClient, elements: ElementsToSave): Promise<void> {
  const { name, composition, area, widthMm, heightMm, scene } = elements;
  try {
    const key = newCompositionId();
    const body = {
      key,
      kind: 'elements' as const,
      name,
      composition: saveComposition(composition),
      area,
      widthMm,
      heightMm,
    };
    const { id } = await ask(api.library.create({ body }));
    toast({ title: 'Saved to My library', description: `“${name}” is in step 3 of every design.` });
    await sendPicture(id, scene);
  } catch (error) {
    const description = error instanceof Error && error.message ? error.message : 'Please try again.';
    toast({ title: 'Not saved to My library', description, variant: 'destructive' });
  }
  await queryClient.invalidateQueries({ queryKey: [LIBRARY] });
}

/** Saves the whole composition to begin with it again. Rejects with a sentence. */
export async function saveTemplate(queryClient: QueryClient, editor: Editor, name: string): Promise<void> {
  const { composition, settledScene: scene } = editor.getState();
  const { widthMm, heightMm } = scene;
  const box = boxAround(scene.groups);
  if (!box) throw new Error('There is nothing to save. Add a picture or a text first.');
  const { id } = await ask(
    api.library.create({
      body: {
        key: newCompositionId(),
        kind: 'template',
        name,
        composition: saveComposition(composition),
        area: { widthMm, heightMm },
        widthMm: box.right - box.left,
        heightMm: box.bottom - box.top,
      },
    }),
  );
  await sendPicture(id, scene);
  await queryClient.invalidateQueries({ queryKey: [LIBRARY] });
}

/** Logs what goes wrong: the entry is there, only without a picture. */
async function sendPicture(id: string, scene: ElementsToSave['scene']): Promise<void> {
  try {
    const picture = await drawPicture(scene);
    await ask(api.library.setPicture({ params: { id }, file: new File([picture], 'picture') }));
  } catch (error) {
    console.warn('The picture of saved elements could not be made.', error);
  }
}
