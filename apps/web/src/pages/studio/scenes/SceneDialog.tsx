/** Asks what the PNG of a product stands in. Each tile shows the product there, without its design. */
import type { Product } from '@markwright/contract/schemas';
import { MOCKUP_SCENES, type MockupScene, mockupSceneNames, type Stance, stanceOf } from '@markwright/contract/words';
import { buttonClass } from '@markwright/controls';
import type { SceneAnswer, SceneQuestion } from '@markwright/editor';
import { useId, useState } from 'react';
import { Modal } from '../../../ui/dialog.tsx';
import { scenePictures } from './scenePictures.ts';

export interface OpenSceneQuestion extends SceneQuestion {
  answer(answer: SceneAnswer | undefined): void;
}

interface SceneDialogProps {
  readonly question: OpenSceneQuestion;
  readonly product: Product | undefined;
}

export default function SceneDialog({ question, product }: SceneDialogProps) {
  const [scene, setScene] = useState(question.scene);
  const name = useId();
  const stance = product ? stanceOf(product) : 'lying';
  return (
    <Modal
      isOpen
      size="form"
      title="PNG for a listing"
      description="2000 × 2000 px. All scenes of this design cost one mockup a month."
      onClose={() => question.answer(undefined)}
    >
      <div role="radiogroup" aria-label="Scene" className="mt-4 grid grid-cols-3 gap-2 sm:grid-cols-4 sm:gap-3">
        {[undefined, ...MOCKUP_SCENES].map((entry) => (
          <SceneTile
            key={entry ?? 'white'}
            name={name}
            scene={entry}
            stance={stance}
            product={product}
            isChosen={entry === scene}
            onChoose={() => setScene(entry)}
          />
        ))}
      </div>
      <div className="mt-4 flex justify-end">
        <button
          type="button"
          onClick={() => question.answer({ scene })}
          className={buttonClass('primary', 'lg', 'max-sm:flex-1')}
        >
          Export PNG
        </button>
      </div>
    </Modal>
  );
}

interface SceneTileProps {
  readonly name: string;
  readonly scene: MockupScene | undefined;
  readonly stance: Stance;
  readonly product: Product | undefined;
  readonly isChosen: boolean;
  onChoose(): void;
}

/** Where the product's picture lies on a tile, about as the server has it. */
const places: Readonly<Record<Stance, string>> = {
  standing: 'inset-x-[16%] top-[24%] size-[68%]',
  lying: 'inset-x-[13%] top-[13%] size-[74%]',
};

function SceneTile({ name, scene, stance, product, isChosen, onChoose }: SceneTileProps) {
  return (
    <label className="relative block cursor-pointer rounded-card border border-line p-1 transition-colors hover:border-graphite has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent">
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        className="absolute inset-0 z-10 cursor-[inherit] appearance-none rounded-card outline-none"
      />
      <span className="relative block aspect-square overflow-hidden rounded-control bg-white">
        {scene && (
          <img src={scenePictures[`${scene}-${stance}`]} alt="" className="absolute inset-0 size-full object-cover" />
        )}
        {product && <img src={product.mockupImageUrl} alt="" className={`absolute ${places[stance]} object-contain`} />}
      </span>
      <span className="block px-0.5 pt-1 text-center text-xs">{scene ? mockupSceneNames[scene] : 'White'}</span>
    </label>
  );
}
