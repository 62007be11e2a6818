/** Says what became of the light and shadows of a picture, shows it, and keeps them on request. Loaded when needed. */
import { Button } from '@markwright/controls';
import { useEffect, useState } from 'react';
import type { LightPictures } from '../../core/ports.ts';
import { LightDialog } from '../dialogs/Light.tsx';
import { useDesignFlow, useDesignState, useEditorState, usePorts } from '../EditorProvider.tsx';

export function LightNote({ isBusy }: { isBusy: boolean }) {
  const designs = useDesignFlow();
  const light = useDesignState((state) => state.settings.light);
  const pictures = useLightPictures();
  const [isOpen, setIsOpen] = useState(false);
  // Nothing is said of most pictures, which no camera took; but a wish that has no effect is answered.
  if (pictures === undefined || (pictures === 'none' && light !== 'out')) return null;
  const keep = () => {
    setIsOpen(false);
    designs.changeSettings({ light: 'kept' });
    designs.keepSettings();
  };
  return (
    // One line: the step fits a low window with it.
    <div
      role="note"
      className="flex items-center gap-1 rounded-card border border-line bg-bone py-1 pr-1 pl-3 max-lg:order-1"
    >
      <p role="status" className="min-w-0 flex-1 text-xs">
        {pictures === 'none' ? 'No even paper to take light out of.' : 'Light is taken out.'}
      </p>
      {pictures !== 'none' && (
        <Button size="sm" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          Compare
        </Button>
      )}
      <Button size="sm" variant="ghost" disabled={isBusy} onClick={keep}>
        Keep
      </Button>
      {isOpen && pictures !== 'none' && (
        <LightDialog pictures={pictures} onKeep={keep} onClose={() => setIsOpen(false)} />
      )}
    </div>
  );
}

/** Returns the pictures of the settings that are stored; `none` when nothing is taken out; undefined while unknown. */
function useLightPictures(): LightPictures | 'none' | undefined {
  const ports = usePorts();
  const design = useDesignState((state) => state.design);
  const settings = useDesignState((state) => state.settings);
  const isReady = useDesignState((state) => state.isTraced && !state.isStale && !state.job);
  const machine = useEditorState((state) => state.composition.machine);
  const [answer, setAnswer] = useState<{ readonly key: string; readonly pictures: LightPictures | 'none' }>();
  const { straighten, crop, brightness, contrast, light } = settings;
  const key = JSON.stringify([design?.tracePictureUrl, straighten, crop, brightness, contrast, light]);
  // The key holds what the pictures depend on.
  useEffect(() => {
    if (!design || !isReady || answer?.key === key) return;
    const controller = new AbortController();
    ports.takeOutLight?.({ design, settings, machine }, controller.signal).then(
      (pictures) => {
        if (controller.signal.aborted) pictures?.release();
        else setAnswer({ key, pictures: pictures ?? 'none' });
      },
      // Nobody is told of what nobody knows.
      () => undefined,
    );
    return () => controller.abort();
  }, [key, isReady]);
  useEffect(() => () => void (answer?.pictures !== 'none' && answer?.pictures.release()), [answer]);
  return answer?.key === key ? answer.pictures : undefined;
}
