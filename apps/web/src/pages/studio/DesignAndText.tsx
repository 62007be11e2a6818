/** Step 3's tabs, once there is a product to put things on. Loaded behind the first paint. */
import { Tabs } from '@markwright/controls';
import { DesignPanel, FigurePanel, ProductRequired, TextPanel, useEditorState } from '@markwright/editor';
import { useState } from 'react';
import { useIsWide } from '../../studioHost/environment.ts';
import { LibraryButton } from './library/LibraryButton.tsx';
import { ManyNames } from './manyNames/ManyNames.tsx';
import type { TutorialStepId } from './tutorial/neededStep.ts';

/** The tutorial shows the tab it speaks of. */
type Tab = 'image' | 'text' | 'figure';

const tabOf: Partial<Record<TutorialStepId, Tab>> = { 'text-editor': 'text', 'design-upload': 'image' };

export function DesignAndText({ tutorialStep }: { tutorialStep: TutorialStepId | undefined }) {
  const tutorialTab = tutorialStep && tabOf[tutorialStep];
  const [tab, setTab] = useState<Tab>(tutorialTab ?? 'image');
  const [lastTutorialTab, setLastTutorialTab] = useState(tutorialTab);
  if (tutorialTab !== lastTutorialTab) {
    setLastTutorialTab(tutorialTab);
    if (tutorialTab) setTab(tutorialTab);
  }
  const isTextAsked = useEditorState((state) => state.textToEdit !== undefined);
  if (isTextAsked && tab !== 'text') setTab('text');
  // Beside a wide stage, the inspector lists what is on the product.
  const isWide = useIsWide();
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  if (!hasProduct) return <ProductRequired />;
  return (
    <Tabs<Tab>
      label="Design, text, codes and shapes"
      value={tab}
      onChange={setTab}
      // The head of a step beside a wide stage has it.
      aside={!isWide && <LibraryButton isBesideTabs />}
      // Three names fill the narrow column: there is no room for icons.
      tabs={[
        { value: 'image', label: 'Upload Image', content: <DesignPanel /> },
        { value: 'text', label: 'Add Text', content: <Texts hasList={!isWide} /> },
        { value: 'figure', label: 'Codes & Shapes', content: <FigurePanel hasFields={!isWide} /> },
      ]}
    />
  );
}

function Texts({ hasList }: { hasList: boolean }) {
  return (
    <>
      <TextPanel hasList={hasList} />
      <ManyNames />
    </>
  );
}
