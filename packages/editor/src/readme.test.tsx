import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createHost } from './core/testHost.ts';
import { Canvas, createEditor, EditorProvider, ElementList, type Ports, ProductPicker } from './index.ts';

// <example>
const editor = createEditor({ unit: 'mm' });

/** A page with a stage, a product list and the list of elements. */
export function DesignPage({ ports }: { ports: Ports }) {
  return (
    <EditorProvider editor={editor} ports={ports}>
      <ProductPicker />
      <Canvas className="h-full" />
      <ElementList />
    </EditorProvider>
  );
}

editor.dispatch({ type: 'setMachine', machine: 'uv' }); // one undo step
editor.undo();
// </example>

test('the example in the README renders and equals the code above', () => {
  expect(renderToStaticMarkup(<DesignPage ports={createHost().ports} />)).toContain('role="application"');
  expect(editor.getState()).toMatchObject({ composition: { machine: 'laser' }, canRedo: true });
  expect(exampleOf('../README.md')).toContain(exampleOf('./readme.test.tsx'));
});

function exampleOf(path: string): string {
  const text = readFileSync(new URL(path, import.meta.url), 'utf8');
  const example = path.endsWith('.md')
    ? /```tsx\n([\s\S]*?)```/.exec(text)
    : /\/\/ <example>\n([\s\S]*?)\/\/ <\/example>/.exec(text);
  return example![1]!.trim();
}
