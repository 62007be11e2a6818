import { readFileSync } from 'node:fs';
import { useState } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Button, Field, SliderRow, TextInput, TooltipProvider } from './index.ts';

// <example>
export function Example() {
  const [name, setName] = useState('');
  const [size, setSize] = useState(20);
  return (
    <TooltipProvider>
      <Field label="Name" hint="As it stands on the piece" error={name.length > 20 ? 'At most 20 letters' : undefined}>
        {(control) => <TextInput {...control} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <SliderRow label="Size" unit="mm" value={size} min={1} max={100} onMove={setSize} />
      <Button variant="primary" icon="check">
        Save
      </Button>
    </TooltipProvider>
  );
}
// </example>

test('the example in the README renders and equals the code above', () => {
  const html = renderToStaticMarkup(<Example />);
  expect(html).toContain('As it stands on the piece');
  expect(html).toContain('aria-valuetext="20 mm"');
  const [own, readme] = ['./readme.test.tsx', '../README.md'].map((path) =>
    readFileSync(new URL(path, import.meta.url), 'utf8'),
  );
  const example = /\/\/ <example>\n([\s\S]*?)\/\/ <\/example>/.exec(own!)![1]!.trim();
  expect(readme).toContain(example);
});
