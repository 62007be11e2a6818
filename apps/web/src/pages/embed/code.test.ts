import { describe, expect, it } from 'vitest';
import { defaultOptions, frameCode, optionProblems, scriptCode, shopifyCode, wooCommerceCode } from './code.ts';

const origin = 'https://studio.example';
const ours = { ...defaultOptions, shop: 'q5cRzU1c0Yt4mM8nVbZx2A', product: 'tumbler' };

describe('a frame', () => {
  it('leads to the widget with the chosen options', () => {
    const code = frameCode(origin, { ...ours, theme: 'dark', mode: 'uv' });
    const src = /src="([^"]+)"/.exec(code)?.[1]?.replaceAll('&amp;', '&');
    expect(src).toBe(`${origin}/widget?shop=${ours.shop}&theme=dark&mode=uv&product=tumbler`);
    expect(code).not.toMatch(/&(?!amp;)/);
    for (const option of ['width="100%"', 'height="720"', 'frameborder="0"', 'style="border:0;max-width:100%"']) {
      expect(code).toContain(option);
    }
  });

  it('writes pixels and percentages as attributes and other lengths as style', () => {
    const code = frameCode(origin, { ...ours, width: '640px', height: '90vh' });
    expect(code).toContain('width="640"');
    expect(code).toContain('style="border:0;max-width:100%;height:90vh"');
  });
});

describe('a script', () => {
  const programs = { scriptCode, shopifyCode, wooCommerceCode };

  it.each(Object.entries(programs))(
    '%s writes a program that runs and mounts with the chosen options',
    async (_name, write) => {
      const code = write(origin, ours).replace(/\{\{[^}]+\}\}/, '41');
      expect(code).toContain('<div id="markwright" style="min-height:720px"></div>');
      expect(code).toContain(`<script src="${origin}/embed.js"></script>`);
      const [, program = ''] = /<script>\n([\s\S]*)<\/script>$/.exec(code) ?? [];
      let mountOptions: Record<string, unknown> = {};
      new Function('Markwright', 'location', program)(
        { mount: (options: Record<string, unknown>) => (mountOptions = options) },
        { search: '' },
      );
      expect(mountOptions).toMatchObject({
        container: 'markwright',
        shop: ours.shop,
        theme: 'auto',
        mode: 'laser',
        product: 'tumbler',
        width: '100%',
        height: 720,
        onAddToCart: expect.any(Function),
      });
    },
  );

  it('escapes a value that would close the script', () => {
    const code = scriptCode(origin, { ...ours, product: `'});</script><script>alert(1)//\\` });
    expect(code.match(/<\/script>/g)).toHaveLength(2);
    expect(code).toContain(String.raw`product: '\x27});\x3c/script>\x3cscript>alert(1)//\x5c'`);
  });
});

describe('options', () => {
  it.each([['640'], ['640px'], ['100%'], ['90vh'], ['42.5rem']])('accepts %s as a length', (length) => {
    expect([optionProblems.width(length), optionProblems.height(length, false)]).toEqual([undefined, undefined]);
  });

  it.each([[''], ['0'], ['-5'], ['wide'], ['1e3'], ['100% ; color:red'], ['calc(1px)'], ['auto']])(
    'rejects %j as a length',
    (length) => {
      expect(optionProblems.width(length)).toMatch(/\.$/);
      expect(optionProblems.height(length, false)).toMatch(/\.$/);
    },
  );

  it('accepts the height auto where the loader is used', () => {
    expect(optionProblems.height('auto', true)).toBeUndefined();
  });

  it.each([[''], ['1st'], ['a b'], ['a"'], ['#shop']])('rejects %j as an id', (id) => {
    expect(optionProblems.container(id)).toMatch(/\.$/);
  });
});
