import { expect, it } from 'vitest';
import { messages } from './messages.ts';
import { checkDesignUpload, checkUpload } from './uploadCheck.ts';

const MB = 1024 * 1024;

it('takes drawings for machines as designs, whatever the browser calls them, and not as pictures', () => {
  for (const name of ['part.dxf', 'PART.DXF', 'job.lbrn2', 'old.lbrn']) {
    expect(checkDesignUpload({ name, type: '', size: 10 * MB })).toBeUndefined();
  }
  expect(checkDesignUpload({ name: 'part.dxf', type: 'image/vnd.dxf', size: 10 * MB + 1 })?.description).toBe(
    'DXF files may be up to 10 MB.',
  );
  expect(checkDesignUpload({ name: 'a.lbrn2', type: '', size: 11 * MB })?.description).toBe(
    'LightBurn files may be up to 10 MB.',
  );
  expect(checkUpload({ type: '', size: 1 })).toBe(messages.notAnImage);
});

it('checks every other design as a picture', () => {
  expect(checkDesignUpload({ name: 'notes.txt', type: 'text/plain', size: 1 })).toBe(messages.notAnImage);
  expect(checkDesignUpload({ name: 'dxf', type: '', size: 1 })).toBe(messages.notAnImage);
  expect(checkDesignUpload({ name: 'a.png', type: 'image/png', size: 20 * MB })).toBeUndefined();
  expect(checkDesignUpload({ name: 'a.png', type: 'image/png', size: 20 * MB + 1 })?.description).toBe(
    'Pictures may be up to 20 MB.',
  );
});
