/**
 * Advises to remove the background of a picture before laser engraving, where that matters. Stands below the button
 * that does. Loaded with the first picture for a laser.
 */
import { messages } from '@markwright/contract/words';
import { Icon } from '@markwright/controls';
import { useEffect, useState } from 'react';
import { needsCutout } from '../../core/cutout/engraving.ts';
import { useDesignState } from '../EditorProvider.tsx';
import { readPixels } from '../readPixels.ts';

/** The longer side of the copy that is judged, in px: enough to tell the kind of picture. */
const COPY_SIDE_PX = 240;

export function EngravingAdvice() {
  const design = useDesignState((state) => state.design);
  const [isNeeded, setNeeded] = useState(false);
  const url = design?.originalFileUrl;
  const longer = Math.max(design?.width ?? 1, design?.height ?? 1);
  const scale = Math.min(1, COPY_SIDE_PX / longer);
  const width = Math.max(1, Math.round((design?.width ?? 1) * scale));
  const height = Math.max(1, Math.round((design?.height ?? 1) * scale));
  useEffect(() => {
    if (url === undefined) return;
    let isGone = false;
    // The last picture's advice stands until this one is judged: a trace gives the same picture another address, and
    // advice that leaves and comes back moves what is below it.
    const advise = (isAdvised: boolean) => {
      if (!isGone) setNeeded(isAdvised);
    };
    readPixels(url, { width, height }).then(
      (picture) => advise(needsCutout(picture)),
      // Without a readable picture there is no advice.
      () => advise(false),
    );
    return () => {
      isGone = true;
    };
  }, [url, width, height]);
  if (!isNeeded) return null;
  return (
    <div
      role="note"
      className="flex items-start gap-2 max-lg:order-1 rounded-card border border-line bg-bone py-1 pr-3 pl-2.5"
    >
      <Icon name="warning" className="size-4 shrink-0 text-danger" />
      <p className="min-w-0 text-xs">{messages.backgroundForLaser}</p>
    </div>
  );
}
