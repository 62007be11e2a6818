/** Step 3's tabs, once there is a product to put things on. Loaded behind the first paint. */
import { DesignPanel, ProductRequired, Tabs, TextPanel, useEditorState } from '@markwright/editor';
import { useState } from 'react';

export function DesignAndText() {
  const [tab, setTab] = useState<'image' | 'text'>('image');
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  if (!hasProduct) return <ProductRequired />;
  return (
    <Tabs<'image' | 'text'>
      label="Design or text"
      value={tab}
      onChange={setTab}
      tabs={[
        { value: 'image', label: 'Upload Image', icon: 'image', content: <DesignPanel /> },
        { value: 'text', label: 'Add Text', icon: 'text', content: <TextPanel /> },
      ]}
    />
  );
}
